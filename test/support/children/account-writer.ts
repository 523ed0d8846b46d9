// Adds accounts for as long as it lives and prints each name once it is acknowledged: killed by crash tests.
// Arguments: the data directory, a prefix of the names.

import { openTestAccounts, testContext } from '#support/account-store.ts';

const [dataDir = '', prefix = ''] = process.argv.slice(2);
const { store } = await openTestAccounts(dataDir);
for (let at = 0; ; at++) {
  const name = `${prefix}-${at}`;
  const outcome = await store.addAccount(testContext, 'admin', { name });
  if (outcome.kind === 'done') process.stdout.write(`${name}\n`);
}
