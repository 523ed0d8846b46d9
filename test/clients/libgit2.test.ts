// libgit2, by its Python binding, as a client. It shows the status of a refused request and not its text.

import { proveClient } from '#clients/prove-client.ts';

proveClient('libgit2', {
  shallow: 'deepens',
  ssh: true,
  clonesEmpty: true,
  shows: {
    wrongToken: /remote authentication required/,
    noToken: /remote authentication required/,
    absent: /unexpected http status code: 404/,
    readOnly: /unexpected http status code: 403/,
    protectedBranch: /refs\/heads\/main.*protected branch: needs role admin to push/,
    tooLarge: /a push has at most 20 KiB \(push_bytes\); push less at a time/,
  },
});
