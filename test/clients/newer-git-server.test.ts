// The server on the newer git among the clients: the integration test that asks for one, with that one.

import '#integration/transport/http-newer-git.test.ts';
