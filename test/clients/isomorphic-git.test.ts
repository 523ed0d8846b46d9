// isomorphic-git, the JavaScript client, as a client. It shows the status of a refused request and not its text.

import { proveClient } from '#clients/prove-client.ts';

proveClient('isomorphic-git', {
  shallow: 'deepens',
  ssh: false,
  clonesEmpty: true,
  shows: {
    wrongToken: /HTTP Error: 401 Unauthorized/,
    noToken: /HTTP Error: 401 Unauthorized/,
    absent: /HTTP Error: 404 Not Found/,
    readOnly: /HTTP Error: 403 Forbidden/,
    protectedBranch: /refs\/heads\/main.*protected branch: needs role admin to push/,
    tooLarge: /a push has at most 20 KiB \(push_bytes\); push less at a time/,
  },
});
