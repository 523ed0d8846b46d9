// Recognises the fetch requests that need no negotiation: a clone, whole or with --depth 1. They are answered by
// pack-objects alone (docs/adr/0005); everything else goes to upload-pack. Pure. Source: gitprotocol-v2, fetch.

import { isOid, type ObjectFormat, type Oid } from '#model/oid.ts';
import { encodePacket } from '#git/pkt-line.ts';
import type { RefSnapshot } from '#git/ref-snapshot.ts';

export type CloneRequest = {
  readonly wants: readonly Oid[];
  /** Commits without their parents: those wanted, with --depth 1; none for a whole clone. */
  readonly shallow: readonly Oid[];
  readonly flags: {
    readonly 'thin-pack': boolean;
    readonly 'ofs-delta': boolean;
    readonly 'include-tag': boolean;
    readonly 'no-progress': boolean;
  };
};

type Flag = keyof CloneRequest['flags'];
const flagNames: readonly string[] = ['thin-pack', 'ofs-delta', 'include-tag', 'no-progress'];

/**
 * @param lines the request's arguments, those before the delimiter included, without their newlines.
 * @returns undefined for anything that upload-pack must answer.
 */
export function parseCloneRequest(
  lines: readonly string[],
  snapshot: RefSnapshot,
  format: ObjectFormat,
): CloneRequest | undefined {
  const wants = new Set<string>();
  const flags = new Set<string>();
  let done = false;
  let depthOne = false;
  for (const line of lines) {
    if (line.startsWith('want ')) wants.add(line.slice('want '.length));
    else if (flagNames.includes(line)) flags.add(line);
    else if (line === 'done') done = true;
    else if (line === 'deepen 1') depthOne = true;
    else if (!isHarmless(line, format)) return undefined;
  }
  if (!done || wants.size === 0) return undefined;
  const tips = new Set<string>(
    depthOne ? commitTips(snapshot) : snapshot.refs.map(({ oid }) => oid),
  );
  const known = [...wants].filter((oid): oid is Oid => isOid(oid, format) && tips.has(oid));
  if (known.length < wants.size) return undefined;
  const has = (flag: Flag) => flags.has(flag);
  return {
    wants: known,
    shallow: depthOne ? known : [],
    flags: {
      'thin-pack': has('thin-pack'),
      'ofs-delta': has('ofs-delta'),
      'include-tag': has('include-tag'),
      'no-progress': has('no-progress'),
    },
  };
}

function isHarmless(line: string, format: ObjectFormat): boolean {
  return (
    line === 'command=fetch' || line.startsWith('agent=') || line === `object-format=${format}`
  );
}

/** Branches point to commits; a tag may point to anything, and must be looked at first. */
function commitTips({ refs }: RefSnapshot): readonly Oid[] {
  return refs.filter(({ name }) => name.startsWith('refs/heads/')).map(({ oid }) => oid);
}

/** What comes before the pack's own packets. */
export function renderCloneHead({ shallow }: CloneRequest): Buffer {
  if (shallow.length === 0) return encodePacket('packfile\n');
  return Buffer.concat([
    encodePacket('shallow-info\n'),
    ...shallow.map((oid) => encodePacket(`shallow ${oid}`)),
    Buffer.from('0001'),
    encodePacket('packfile\n'),
  ]);
}

/** The command line and input by which upload-pack itself would run pack-objects. */
export function planPackObjects({ wants, shallow, flags }: CloneRequest): {
  readonly args: readonly string[];
  readonly input: string;
} {
  const isShallow = shallow.length > 0;
  const args = [
    ...(isShallow ? ['--shallow-file', ''] : []),
    'pack-objects',
    '--revs',
    ...(flags['thin-pack'] ? ['--thin'] : []),
    '--stdout',
    ...(isShallow ? ['--shallow'] : []),
    ...(flags['no-progress'] ? ['--quiet'] : ['--progress']),
    ...(flags['ofs-delta'] ? ['--delta-base-offset'] : []),
    ...(flags['include-tag'] ? ['--include-tag'] : []),
  ];
  const lines = [...shallow.map((oid) => `--shallow ${oid}`), ...wants, '--not', '', ''];
  return { args, input: lines.join('\n') };
}
