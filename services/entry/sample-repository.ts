// The repository of a first start, so that the clone command it prints works at once. Made only when the catalog
// folder is absent or empty; afterwards it is a repository like any other.

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '#kernel/context.ts';
import { writePrivateFile } from '#kernel/durable-file.ts';
import { errnoOf } from '#kernel/forge-error.ts';
import type { GitRunner } from '#git/git-runner.ts';

export const samplePath = 'demo/hello';

const manifest = `# A repository is declared by a file like this one: change it, copy it, delete it. docs/manifests.md has the fields.
apiVersion: warren.dev/v1alpha1
kind: Repository
metadata:
  namespace: demo
  name: hello
spec:
  description: A first repository to clone and push to
  visibility: public
`;

const readme = `# Hello

You cloned this from your own forge. Change something and push it back:

    git commit --allow-empty --message "My first push"
    git push

Git asks for a name and a password: any name will do, the password is your token.
`;

/** Writes the manifest when the catalog is empty. @returns whether it did. */
export async function writeSampleManifest(catalogDirectory: string): Promise<boolean> {
  try {
    if ((await readdir(catalogDirectory)).length > 0) return false;
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') return false; // The catalog itself says what is wrong with it.
  }
  await mkdir(catalogDirectory, { recursive: true });
  await writePrivateFile(join(catalogDirectory, 'demo-hello.yaml'), manifest);
  return true;
}

/** Gives the empty sample its first commit. */
export async function seedSample(ctx: Context, git: GitRunner, gitDir: string): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000);
  const message = 'Say hello';
  const stream = [
    'commit refs/heads/main',
    `committer Warren <warren@localhost> ${seconds} +0000`,
    `data ${Buffer.byteLength(message)}`,
    message,
    'M 100644 inline README.md',
    `data ${Buffer.byteLength(readme)}`,
    readme,
    'done',
    '',
  ].join('\n');
  await git.read(ctx, {
    args: [`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--done'],
    cwd: gitDir,
    label: 'other',
    input: stream,
  });
}
