// dulwich, the Python client, as a client. It knows 401 and 404, and shows neither our text nor a reason.

import { proveClient } from '#clients/prove-client.ts';

proveClient('dulwich', {
  shallow: 'deepens',
  ssh: true,
  clonesEmpty: true,
  shows: {
    wrongToken: /HTTPUnauthorized: No valid credentials provided/,
    noToken: /HTTPUnauthorized: No valid credentials provided/,
    absent: /NotGitRepository/,
    readOnly: /unexpected http resp 403/,
    protectedBranch: /refs\/heads\/main.*protected branch: needs role admin to push/,
    tooLarge: /a push has at most 20 KiB \(push_bytes\); push less at a time/,
  },
});
