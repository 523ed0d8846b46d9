// Which git this is and what it can do: one table of gates, the same for the code and for tests that skip by it.

export type GitVersion = readonly [major: number, minor: number, patch: number];

/** The first version that can do each thing (git's release notes). */
const gates = {
  /** What the program needs at all. */
  supported: [2, 39, 0],
  uploadArchiveOverHttp: [2, 44, 0],
  reftable: [2, 45, 0],
} as const satisfies Record<string, GitVersion>;

export type GitFeature = keyof typeof gates;

/** Parses `git version 2.39.5 (…)`; undefined when it is none. */
export function parseGitVersion(text: string): GitVersion | undefined {
  const match = /^git version (\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  if (match === null) return undefined;
  return [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
}

export function hasFeature(version: GitVersion, feature: GitFeature): boolean {
  const [major, minor, patch] = gates[feature];
  if (version[0] !== major) return version[0] > major;
  if (version[1] !== minor) return version[1] > minor;
  return version[2] >= patch;
}

export function formatVersion(version: GitVersion): string {
  return version.join('.');
}
