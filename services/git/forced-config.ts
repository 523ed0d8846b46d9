// The configuration every git process gets by -c, whatever a repository's own file says, each with its reason.
// One builder serves HTTP, SSH and everything else, so that no way in is configured differently.

export type ForcedOption = readonly [key: string, value: string, why: string];

const internalRefs = 'refs/warren';

/** @param cpus of the machine: threads of one pack-objects follow from it. */
export function forcedOptions(cpus: number): readonly ForcedOption[] {
  const threads = Math.max(1, Math.floor(Math.log2(cpus)));
  return [
    ['safe.directory', '*', 'the volume may belong to another uid than the server runs as'],
    ['gc.auto', '0', 'a push must not start a repack: housekeeping is admitted work of its own'],
    ['maintenance.auto', '0', 'as gc.auto'],
    ['receive.autogc', 'false', 'as gc.auto'],
    ['core.useReplaceRefs', 'false', 'a pushed replace ref must not change what others read'],
    ['core.fsync', 'objects,derived-metadata,reference', 'an acknowledged push is on disk'],
    ['core.fsyncMethod', 'fsync', 'not batch: its guarantee depends on the file system'],
    ['core.packedRefsTimeout', '10000', 'pushes to one repository wait for each other'],
    ['core.filesRefLockTimeout', '1000', 'as above, for one ref'],
    ['core.bigFileThreshold', '50m', 'larger blobs are streamed, not held in memory'],
    ['core.logAllRefUpdates', 'false', 'who pushed is in our log; reflogs would grow for ever'],
    [
      'core.attributesFile',
      '/dev/null',
      'attributes of the machine and of who runs the server must not change what git does',
    ],
    ['core.alternateRefsCommand', 'exit 0 #', 'refs of an alternate are not ours to advertise'],
    ['pack.windowMemory', '100m', 'bounds the memory of one pack-objects thread'],
    ['pack.threads', String(threads), 'unset means all cores for each of many children'],
    ['pack.writeReverseIndex', 'true', 'spares each fetch the computation'],
    ['transfer.fsckObjects', 'true', 'objects are checked when they arrive'],
    ...(['receive', 'fetch'] as const).flatMap((way): ForcedOption[] => [
      [`${way}.fsck.badTimezone`, 'ignore', 'old, harmless, common in real histories'],
      [`${way}.fsck.missingSpaceBeforeDate`, 'ignore', 'as above'],
      [`${way}.fsck.zeroPaddedFilemode`, 'ignore', 'as above'],
    ]),
    ['uploadpack.allowFilter', 'true', 'partial clones'],
    ['uploadpack.allowAnySHA1InWant', 'true', 'a partial clone asks for objects by id'],
    ['uploadpack.hideRefs', internalRefs, 'v0, v1 and SSH list no internal refs'],
    ['receive.hideRefs', internalRefs, 'pushes to internal refs are refused'],
    ['receive.advertisePushOptions', 'true', 'git push -o'],
    ['receive.advertiseAtomic', 'true', 'git push --atomic'],
    ['http.followRedirects', 'false', 'an import must not be led to an address of the inside'],
    ['protocol.ext.allow', 'never', 'ext:: runs programs'],
  ];
}

/** The same as arguments in front of the subcommand. */
export function forcedArguments(cpus: number): readonly string[] {
  return forcedOptions(cpus).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}
