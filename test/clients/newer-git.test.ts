// A newer git than the machine's as a client: it shows our text in every refusal, as the machine's does.

import { proveClient } from '#clients/prove-client.ts';

proveClient('newer-git', {
  shallow: 'deepens',
  ssh: true,
  clonesEmpty: true,
  shows: {
    wrongToken: /Sign in with an account name and a token.*\n.*Authentication failed/,
    noToken: /could not read Username/,
    absent: /There is no such repository.*\n.*not found/,
    readOnly: /Your role in this repository does not allow that/,
    protectedBranch: /refs\/heads\/main.*protected branch: needs role admin to push/,
    tooLarge: /a push has at most 20 KiB \(push_bytes\); push less at a time/,
  },
});
