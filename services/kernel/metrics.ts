// The one file that imports prom-client. Areas declare their metrics in their own metrics.ts over these classes;
// the registry is always passed. All histograms share one bucket layout, so that their quantiles compare.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry };

export const durationBucketsSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
];

/** An empty registry; each area registers its own metrics on it. */
export function createRegistry(): Registry {
  return new Registry();
}
