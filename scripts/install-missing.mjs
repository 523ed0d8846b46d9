// Installs what package-lock.json names and node_modules lacks; npm's prestart, pretest and prebench call it.
// Plain JavaScript on purpose: it runs on whatever Node the machine has, before Node 24 is there.
// When nothing is missing it asks no network, so a checkout that started once starts again offline.
import { existsSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv[2] === 'production' ? 'production' : 'all';

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { packages: {} };
}

/** Names of locked packages that are not installed in the locked version; optional ones never count. */
function missingPackages() {
  const locked = readJson(`${root}package-lock.json`).packages;
  const installed = readJson(`${root}node_modules/.package-lock.json`).packages;
  return Object.entries(locked)
    .filter(([path, entry]) => path !== '' && !entry.optional && !entry.devOptional && !entry.peer)
    .filter(([, entry]) => wanted === 'all' || !entry.dev)
    .filter(([path, entry]) => installed[path]?.version !== entry.version)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

const missing = missingPackages();
if (missing.length > 0 || !existsSync(`${root}node_modules/node/bin/node`)) {
  process.stderr.write(`Installing ${missing.length || 1} packages (once) …\n`);
  // Not ci: it would empty a node_modules that a running server still loads from, and it refuses the whole lock file
  // where a registry does not have an optional package.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (wanted === 'production') args.push('--omit=dev');
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    process.stderr.write(
      'The packages could not be installed: see the message of npm above. Is a package registry reachable?\n',
    );
    process.exitCode = 1;
  } else if (!existsSync(`${root}node_modules/node/bin/node`)) {
    process.stderr.write(
      'npm did not run the install script of the package "node", which brings Node 24.\n' +
        'Allow it (npm config set ignore-scripts false) and start again.\n',
    );
    process.exitCode = 1;
  }
}
