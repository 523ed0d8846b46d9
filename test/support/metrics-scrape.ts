// Reads /metrics of a running server into something a test can ask.

import { get } from 'node:http';

export type Labels = Readonly<Record<string, string>>;
export type Series = { readonly name: string; readonly labels: Labels; readonly value: number };

export type Metrics = {
  readonly all: readonly Series[];
  /** Series of that name whose labels include the given ones. */
  series(name: string, labels?: Labels): readonly Series[];
  /** The one such series; undefined when there is none; throws when there are several. */
  value(name: string, labels?: Labels): number | undefined;
  /** The sum of all such series; 0 when there is none. */
  sum(name: string, labels?: Labels): number;
};

/** @param admin the admin origin, as startWarren gives it. */
export async function scrapeMetrics(admin: string): Promise<Metrics> {
  return parseMetrics(await fetchText(`${admin}/metrics`));
}

/** Without a kept-alive connection, so that a leak check sees none. */
function fetchText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: 10_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer`)));
    request.on('error', reject);
  });
}

export function parseMetrics(text: string): Metrics {
  const all = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseSeries);
  const series = (name: string, labels: Labels = {}) =>
    all.filter((one) => one.name === name && includes(one.labels, labels));
  return {
    all,
    series,
    value(name, labels) {
      const found = series(name, labels);
      if (found.length > 1) throw new Error(`${found.length} series ${name}: say more labels`);
      return found[0]?.value;
    },
    sum: (name, labels) => series(name, labels).reduce((sum, { value }) => sum + value, 0),
  };
}

function parseSeries(line: string): Series {
  const match = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
  if (match === null) throw new Error(`no metric line: ${line}`);
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of (match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
    labels[name] = value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
  }
  const value = match[3] === '+Inf' ? Infinity : Number(match[3]);
  return { name: match[1] ?? '', labels, value };
}

function includes(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
