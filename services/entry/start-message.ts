// What a start tells: a person on a terminal what to do next, a program one JSON line. Pure.

import type { Addresses } from '#entry/addresses.ts';

export type StartFacts = {
  readonly addresses: Pick<Addresses, 'http' | 'ssh' | 'admin'>;
  /** Only at the first start: it is shown once. */
  readonly adminToken: string | undefined;
  readonly tokenFile: string;
  /** A repository anyone may clone, when there is one. */
  readonly samplePath: string | undefined;
  readonly catalogDirectory: string;
};

export function renderReadyLine({ addresses }: StartFacts): string {
  const { http, ssh, admin } = addresses;
  return JSON.stringify({ event: 'ready', http, ssh, admin });
}

export function renderGreeting(facts: StartFacts): string {
  const { addresses, adminToken, samplePath } = facts;
  const lines = ['', `  Warren is ready at ${addresses.http}`, ''];
  if (samplePath !== undefined) {
    lines.push('  Clone', `    git clone ${addresses.http}/${samplePath}.git`, '');
  }
  lines.push('  Look', `    ${addresses.http}/`, `    npx warren limits`, '');
  if (adminToken !== undefined) {
    lines.push(
      '  Push and administer as admin, with this token as the password (shown once):',
      `    ${adminToken}`,
      `    It is also in ${facts.tokenFile}`,
      '',
    );
  }
  lines.push(
    '  Add a repository',
    `    npx warren import https://example.org/some/project.git team/project`,
    `    or put a manifest into ${facts.catalogDirectory}/`,
    '',
    '  SSH',
    `    npx warren key add ~/.ssh/id_ed25519.pub`,
    ...(samplePath === undefined ? [] : [`    git clone ${addresses.ssh}/${samplePath}.git`]),
    '',
    `  Metrics ${addresses.admin}/metrics · stop with Ctrl-C`,
    '',
  );
  return lines.join('\n');
}
