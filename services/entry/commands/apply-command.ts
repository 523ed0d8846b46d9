// `warren apply`: sends the text of manifests to the server, all or none, and prints what became of each object.
// Several files go as one text of several documents, so that they stand or fall together; a problem is told by the file
// and line the person knows.

import { isForgeError } from '#kernel/forge-error.ts';
import { formatBytes } from '#kernel/units.ts';
import type { AppliedObject, ManifestProblem } from '#api/api-dependencies.ts';
import {
  type Command,
  done,
  failed,
  jsonOption,
  printJson,
  usage,
} from '#entry/commands/command.ts';
import type { JoinedManifests } from '#entry/commands/join-manifests.ts';
import { readManifestFiles } from '#entry/commands/read-input.ts';

const maxBytes = 2 ** 20;

export const applyCommand: Command = {
  name: 'apply',
  summary: 'Applies manifests: all of them, or none when one is wrong.',
  details: [
    'An object that is there already is changed to what the manifest says. Each object is answered by "created", "configured" or "unchanged"; each mistake by file, line and a sentence.',
  ],
  options: [
    {
      name: 'filename',
      short: 'f',
      value: 'FILE',
      isRepeatable: true,
      text: 'A manifest file, a folder of them, or - for standard input; may be given several times.',
    },
    jsonOption,
  ],
  examples: [
    'warren apply -f site.yaml',
    'warren apply -f manifests/ -f more.yaml',
    'generate | warren apply -f -',
  ],
  async run({ io, given, connect }) {
    const names = given.options('filename');
    if (names.length === 0) return usage('Nothing to apply: give a file with -f.');
    if (names.filter((name) => name === '-').length > 1) return usage('"-" is given twice.');
    const files = (await Promise.all(names.map((name) => readManifestFiles(io, name)))).flat();
    // With it comes a parser that no other command waits for.
    const { joinManifests } = await import('#entry/commands/join-manifests.ts');
    const joined = joinManifests(files);
    const problems = joined.problems.map(renderProblem);
    if (problems.length > 0) return failed(...problems);
    const bytes = Buffer.byteLength(joined.text);
    if (bytes > maxBytes) {
      return failed(
        `These manifests are ${formatBytes(bytes)} together; one apply takes ${formatBytes(maxBytes)}. Apply them in parts.`,
      );
    }
    const client = await connect();
    try {
      const { objects } = await client.send<{ objects: AppliedObject[] }>(
        'POST',
        '/manifests',
        joined.text,
      );
      if (given.has('json')) printJson(io, { objects: objects.map(viewApplied) });
      else for (const object of objects) io.stdout.write(`${renderApplied(object)}\n`);
      return done;
    } catch (error) {
      const refused = readProblems(error, joined);
      if (refused === undefined) throw error;
      return failed(...refused.map(renderProblem));
    }
  },
};

function readProblems(error: unknown, joined: JoinedManifests): ManifestProblem[] | undefined {
  if (!isForgeError(error, 'MANIFEST_INVALID')) return undefined;
  const { manifestProblems } = error.details;
  if (typeof manifestProblems !== 'string') return undefined;
  const problems = JSON.parse(manifestProblems) as ManifestProblem[]; // As the API describes them.
  return problems.map((problem) => ({ ...problem, ...joined.locate(problem.line) }));
}

function renderProblem({ file = 'stdin', line, sentence }: ManifestProblem): string {
  return `${file}:${line}: ${sentence}`;
}

/** What the API describes and no more: scripts may count on it. */
function viewApplied({ kind, namespace, name, outcome }: AppliedObject): AppliedObject {
  return { kind, namespace, name, outcome };
}

function renderApplied({ kind, namespace, name, outcome }: AppliedObject): string {
  return `${kind.toLowerCase()} ${namespace}/${name} ${outcome}`;
}
