// Files read into the catalog's memory as the folder catalog would, without a folder.

import { advanceCatalog, buildCatalogState, emptyCatalogMemory } from '#catalog/catalog-memory.ts';
import type { CatalogMemory, FileReading } from '#catalog/catalog-memory.ts';

/** The memory after files were read one after the other; undefined stands for a removed file. */
export function readCatalog(
  files: Readonly<Record<string, string | undefined>>,
  memory: CatalogMemory = emptyCatalogMemory,
): CatalogMemory {
  const readings = Object.entries(files).map(([file, text]): [string, FileReading] => [
    file,
    text === undefined ? { kind: 'gone' } : { kind: 'text', text },
  ]);
  return advanceCatalog(memory, new Map(readings));
}

/** `file:line sentence` of each problem. */
export function problemsOf(memory: CatalogMemory): string[] {
  return memory.problems.map(({ file, line, sentence }) => `${file}:${line} ${sentence}`);
}

/** The paths that are served, sorted. */
export function pathsOf(memory: CatalogMemory): string[] {
  return [...buildCatalogState(memory).repositories.keys()].toSorted();
}
