// The founding figures of load/published.json, which every bench prints beside its own.

import published from '#load/published.json' with { type: 'json' };

export type PublishedRoute = keyof typeof published.routes;

export type PublishedFigures = {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
  readonly openFiles: number;
  readonly gitChildren: number;
};

/** The row of one route. */
export function publishedFigures(route: PublishedRoute): PublishedFigures {
  return published.routes[route];
}
