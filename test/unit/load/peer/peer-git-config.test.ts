import { expect, it } from 'vitest';
import { buildPeerGitConfig } from '#load/peer/peer-git-config.ts';

it('gives the peer every setting that Warren forces, subsections and quotes kept', () => {
  const text = buildPeerGitConfig(2);
  expect(text).toContain('[core]\n\tfsync = "objects,derived-metadata,reference"\n');
  expect(text).toContain('[receive "fsck"]\n\tbadTimezone = "ignore"\n');
  expect(text).toContain('[http]\n\treceivepack = "true"\n');
});
