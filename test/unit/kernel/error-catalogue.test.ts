// The catalogue keeps its own rules.

import { expect, test } from 'vitest';
import { errorCatalogue } from '#kernel/error-catalogue.ts';

test.each(Object.entries(errorCatalogue))(
  '%s is a fact without values, and an HTTP status',
  (code, entry) => {
    expect(code).toMatch(/^[A-Z][A-Z0-9_]*$/);
    expect(entry.message).toMatch(/^[A-Z][^:{}]*[^.:]$/);
    expect(entry.http).toBeGreaterThanOrEqual(400);
    expect(entry.http).toBeLessThan(600);
  },
);
