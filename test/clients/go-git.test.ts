// go-git, the Go client, as a client. It shows our text in every refusal.

import { proveClient } from '#clients/prove-client.ts';

proveClient('go-git', {
  shallow: 'clones',
  ssh: true,
  clonesEmpty: false,
  shows: {
    wrongToken: /authentication required: Sign in with an account name and a token/,
    noToken: /authentication required: Sign in with an account name and a token/,
    absent: /repository not found: There is no such repository/,
    readOnly: /authorization failed: Your role in this repository does not allow that/,
    protectedBranch: /refs\/heads\/main.*protected branch: needs role admin to push/,
    tooLarge: /a push has at most 20 KiB \(push_bytes\); push less at a time/,
  },
});
