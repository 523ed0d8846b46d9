import { expect, it } from 'vitest';
import published from '#load/published.json' with { type: 'json' };
import { publishedFigures } from '#load/report/published.ts';

it('prints beside ours all 18 founding routes, each with every column', () => {
  const routes = Object.values(published.routes);
  expect(routes).toHaveLength(18);
  for (const route of routes)
    expect(Object.keys(route)).toEqual([
      'rate',
      'p50Ms',
      'p90Ms',
      'p99Ms',
      'rssMiB',
      'openFiles',
      'gitChildren',
    ]);
  expect(publishedFigures('clone-large')).toMatchObject({ rate: 15.6, p99Ms: 326 });
});
