// The loads of the clone bench: which fixture, by which client, how long, and what must come of it.

import { fixtureNames, type FixtureName } from '#load/fixtures/fixture-set.ts';
import { recordedFixture } from '#load/fixtures/recorded.ts';
import type { PublishedRoute } from '#load/report/published.ts';

export type CloneCase = {
  readonly name: string;
  readonly operation: 'git-clone' | 'raw-clone';
  readonly fixture: FixtureName;
  readonly depth?: number;
  readonly objects: number;
  /** How many times faster than the peer it must be. */
  readonly leastRatio: number;
  readonly published?: PublishedRoute;
};

type Shape = Pick<CloneCase, 'fixture' | 'depth' | 'published'> & { name: string; large?: boolean };

const shapes: readonly Shape[] = [
  { name: 'small, --depth 1', fixture: 'small', depth: 1, published: 'clone-small' },
  { name: 'full small', fixture: 'full-small' },
  { name: 'large', fixture: 'large', published: 'clone-large', large: true },
];

/** Real git takes most of two cores itself, so its bars are lower than the raw generator's. */
export const cloneCases: readonly CloneCase[] = (['git-clone', 'raw-clone'] as const).flatMap(
  (operation) =>
    shapes.map(({ name, large, ...shape }) => {
      const { objects, tipObjects } = recordedFixture(shape.fixture);
      const realBar = large ? 0.95 : 1;
      const rawBar = large ? 0.95 : 1.3;
      return {
        ...shape,
        name: `${operation === 'git-clone' ? 'git' : 'raw'} ${name}`,
        operation,
        objects: shape.depth === undefined ? objects : tipObjects,
        leastRatio: operation === 'git-clone' ? realBar : rawBar,
      };
    }),
);

/** The fixtures that the cases use. */
export const cloneFixtures: readonly FixtureName[] = fixtureNames.filter((name) =>
  cloneCases.some(({ fixture }) => fixture === name),
);
