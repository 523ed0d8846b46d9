// Writes every generated file: `npm run gen`. With --check it writes nothing, prints the stale ones and exits 1.
// A new generated file is one more target; test/contract keeps each equal to its source.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderCliDocs } from './render-cli.ts';
import { renderKinds } from './render-kinds.ts';
import { renderConfig, renderErrors, renderLimits } from './render-tables.ts';

type Target = { readonly path: string; readonly render: () => string | Promise<string> };

const root = fileURLToPath(new URL('..', import.meta.url));

const targets: readonly Target[] = [
  { path: 'services/model/kinds.generated.ts', render: () => renderKinds(`${root}crds`) },
  { path: 'docs/config.md', render: renderConfig },
  { path: 'docs/limits.md', render: renderLimits },
  { path: 'docs/errors.md', render: renderErrors },
  { path: 'docs/cli.md', render: renderCliDocs },
];

function readPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Not there yet: stale.
  }
}

const isCheck = process.argv.includes('--check');
for (const { path, render } of targets) {
  const wanted = await render();
  if (readPresent(`${root}${path}`) === wanted) continue;
  if (isCheck) {
    console.log(`${path} is stale: run npm run gen`);
    process.exitCode = 1;
  } else {
    writeFileSync(`${root}${path}`, wanted);
    console.log(`${path} written`);
  }
}
