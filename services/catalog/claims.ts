// Who holds which path, site name and host: each belongs to one object of the catalog. Filled by plan-catalog.ts.

import { assertNever } from '#kernel/assert-never.ts';
import type { CatalogEntry, RepositoryEntry } from '#model/catalog-entry.ts';
import type { FieldPath } from '#catalog/field-problem.ts';

export type Taken = {
  /** What is taken, as the start of a sentence: `the path a/b is taken`. */
  readonly what: string;
  readonly by: CatalogEntry;
  /** The field that claims it. */
  readonly field: FieldPath;
};

export type Claims = {
  /** Takes all that the entry claims, or nothing and says what is taken. */
  claim(entry: CatalogEntry): Taken | undefined;
  /** True when both claim the same. */
  isSame(a: CatalogEntry, b: CatalogEntry): boolean;
};

/** An empty register. */
export function createClaims(): Claims {
  const holders = new Map<string, CatalogEntry>();
  const above = new Map<string, CatalogEntry>(); // Every proper prefix of a held path, and one path beneath it.
  return {
    isSame: (a, b) => showClaims(a) === showClaims(b),
    claim(entry) {
      const taken = entry.kind === 'Repository' ? pathTaken(entry) : nameTaken(entry);
      if (taken !== undefined) return taken;
      for (const { name } of claimsOf(entry)) holders.set(name, entry);
      if (entry.kind === 'Repository') {
        for (const prefix of prefixesOf(entry.path)) above.set(prefix, entry);
      }
      return undefined;
    },
  };

  function pathTaken({ path, spec }: RepositoryEntry): Taken | undefined {
    const field = spec.path === undefined ? ['metadata', 'name'] : ['spec', 'path'];
    const same = holders.get(`path ${path}`);
    if (same !== undefined) return { what: `the path ${path} is already taken`, by: same, field };
    const longer = above.get(path);
    if (longer !== undefined) {
      return {
        what: `the path ${path} is the start of ${pathOf(longer)}, taken`,
        by: longer,
        field,
      };
    }
    for (const prefix of prefixesOf(path)) {
      const by = holders.get(`path ${prefix}`);
      if (by !== undefined)
        return { what: `the path ${path} lies below ${prefix}, taken`, by, field };
    }
    return undefined;
  }

  function nameTaken(entry: CatalogEntry): Taken | undefined {
    for (const { name, field } of claimsOf(entry)) {
      const by = holders.get(name);
      if (by !== undefined) return { what: `the ${name} is already taken`, by, field };
    }
    return undefined;
  }
}

type Claim = { readonly name: string; readonly field: FieldPath };

function claimsOf(entry: CatalogEntry): readonly Claim[] {
  switch (entry.kind) {
    case 'Repository':
      return [{ name: `path ${entry.path}`, field: ['spec', 'path'] }];
    case 'Site':
      return [
        // The name is the first label of the site's own host, whatever its namespace.
        { name: `site name ${entry.name}`, field: ['metadata', 'name'] },
        ...entry.spec.hosts.map((host, at) => ({
          name: `host ${host}`,
          field: ['spec', 'hosts', at],
        })),
      ];
    case 'GitPool':
      return [];
    default:
      return assertNever(entry);
  }
}

function showClaims(entry: CatalogEntry): string {
  return claimsOf(entry)
    .map(({ name }) => name)
    .join('\n');
}

function pathOf(entry: CatalogEntry): string {
  return entry.kind === 'Repository' ? entry.path : entry.name;
}

function prefixesOf(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'));
}
