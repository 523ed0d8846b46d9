// The small fixture by this machine's git: other object ids than recorded would make every figure incomparable.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeFixture } from '#load/fixtures/build-fixture.ts';
import { observeFixture } from '#load/fixtures/observe-fixture.ts';
import { recordedFixture } from '#load/fixtures/recorded.ts';

it('arrives at the recorded object ids with one fast-import', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'warren-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const gitDir = join(dir, 'small.git');
  await writeFixture('small', gitDir);
  expect(await observeFixture(gitDir)).toEqual(recordedFixture('small'));
});
