// Several manifest files as one text for one apply, and the way back from a line of it to the file. Pure.

import type { ManifestProblem } from '#api/api-dependencies.ts';
import { parseManifests } from '#catalog/parse-manifests.ts';
import type { InputFile } from '#entry/commands/read-input.ts';

export type JoinedManifests = {
  readonly text: string;
  /** Mistakes that would reach over the end of their file into the next one. */
  readonly problems: readonly ManifestProblem[];
  /** The file and line that a line of the text came from. */
  readonly locate: (line: number) => { readonly file: string; readonly line: number };
};

export function joinManifests(files: readonly InputFile[]): JoinedManifests {
  const [only] = files;
  if (files.length === 1 && only !== undefined) {
    return { text: only.text, problems: [], locate: (line) => ({ file: only.name, line }) };
  }
  let text = '';
  let lines = 0;
  const starts: { readonly file: string; readonly after: number }[] = [];
  for (const { name, text: own } of files) {
    if (lines > 0) {
      text += '...\n'; // After it a file may begin with a directive as well as with `---` or a document.
      lines += 1;
    }
    starts.push({ file: name, after: lines });
    const body = own.replace(/^\uFEFF/, '');
    const whole = body === '' || body.endsWith('\n') ? body : `${body}\n`;
    text += whole;
    lines += whole.split('\n').length - 1;
  }
  const problems = files.flatMap(({ name, text: own }) => {
    const parsed = parseManifests(name, own);
    return parsed.kind === 'unparsable' ? parsed.problems : [];
  });
  return {
    text,
    problems,
    locate(line) {
      const start = starts.findLast(({ after }) => after < line) ?? starts[0];
      return start === undefined
        ? { file: 'stdin', line }
        : { file: start.file, line: line - start.after };
    },
  };
}
