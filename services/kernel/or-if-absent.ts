// A file that may be gone by the time one looks is no error: what to take instead.

import { errnoOf } from '#kernel/forge-error.ts';

/** Settles like `work`, or resolves to `otherwise` when the path is not there (ENOENT). */
export async function orIfAbsent<T, D>(work: Promise<T>, otherwise: D): Promise<T | D> {
  try {
    return await work;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return otherwise;
    throw error;
  }
}
