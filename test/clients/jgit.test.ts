// JGit, the Java client, as a client; its SSH is the machine's. It knows the status of a refused request and
// shows its own text.

import { proveClient } from '#clients/prove-client.ts';

proveClient('jgit', {
  shallow: 'deepens',
  ssh: true,
  clonesEmpty: true,
  shows: {
    wrongToken: /not authorized/,
    noToken: /Authentication is required but no CredentialsProvider/,
    absent: /NoRemoteRepositoryException: .*not found: Not Found/,
    readOnly: /git-receive-pack not permitted/,
    protectedBranch: /refs\/heads\/main.*protected branch: needs role admin to push/,
    tooLarge: /a push has at most 20 KiB \(push_bytes\); push less at a time/,
  },
});
