// Every error the program can raise, by code: the constant sentence, the HTTP status at an edge, whether a
// retry helps, and who can act on it. docs/errors.md is generated from this table (test/contract/docs.test.ts).
// Messages are constant facts; the values of one occurrence go to ForgeError.details.

export type ErrorEntry = {
  readonly message: string;
  readonly http: number;
  /** never: the same request fails again · later: it may pass · same: retry at once is safe. */
  readonly retry: 'never' | 'later' | 'same';
  readonly audience: 'client' | 'operator';
};

const client = (http: number, message: string): ErrorEntry => ({
  message,
  http,
  retry: 'never',
  audience: 'client',
});
const operator = (http: number, message: string): ErrorEntry => ({
  message,
  http,
  retry: 'later',
  audience: 'operator',
});

export const errorCatalogue = {
  // start and configuration
  CONFIG_INVALID: operator(500, 'The configuration is not valid'),
  PORT_IN_USE: operator(500, 'A port is already in use'),
  DATA_DIR_LOCKED: operator(500, 'Another server uses this data directory'),
  DATA_DIR_UNUSABLE: operator(500, 'The data directory cannot be used'),
  GIT_MISSING: operator(500, 'No usable git was found'),
  // processes
  SPAWN_FAILED: operator(500, 'A process could not be started'),
  CHILD_FAILED: operator(500, 'A process ended with an error'),
  OUTPUT_TOO_LARGE: operator(500, 'A process wrote more than was expected of it'),
  CANCELLED: { message: 'The work was cancelled', http: 499, retry: 'same', audience: 'client' },
  DEADLINE: {
    message: 'The time limit was reached',
    http: 504,
    retry: 'later',
    audience: 'client',
  },
  SHUTTING_DOWN: {
    message: 'The server is shutting down',
    http: 503,
    retry: 'later',
    audience: 'client',
  },
  STARTING: {
    message: 'The server is starting',
    http: 503,
    retry: 'later',
    audience: 'client',
  },
  SERVICE_AWAY: {
    message: 'The service that answers this is not there at the moment',
    http: 503,
    retry: 'later',
    audience: 'client',
  },
  // requests
  BAD_REQUEST: client(400, 'The request is not valid'),
  UNAUTHENTICATED: client(401, 'Sign in first'),
  FORBIDDEN: client(403, 'You may not do this'),
  NOT_FOUND: client(404, 'Not found'),
  METHOD_NOT_ALLOWED: client(405, 'This address does not answer that method'),
  CONFLICT: client(409, 'This exists already or has changed meanwhile'),
  PAYLOAD_TOO_LARGE: client(413, 'The request is too large'),
  UNSUPPORTED_MEDIA_TYPE: client(415, 'This content type is not accepted here'),
  MISDIRECTED: client(421, 'This server does not answer for that host'),
  INVALID: client(422, 'The values are not valid'),
  LIMIT_REACHED: { message: 'A limit was reached', http: 503, retry: 'later', audience: 'client' },
  INTERNAL: operator(500, 'Something went wrong on the server'),
  // catalog
  MANIFEST_INVALID: client(422, 'The manifest is not valid'),
  CATALOG_UNREADABLE: operator(500, 'The catalog directory cannot be read'),
  CATALOG_UNWRITABLE: operator(500, 'The catalog directory cannot be written'),
  // git
  PROTOCOL_ERROR: client(400, 'The request does not speak the git protocol'),
  REPOSITORY_UNUSABLE: operator(500, 'The repository on disk cannot be used'),
  REPOSITORY_BUSY: {
    message: 'The repository is being prepared',
    http: 503,
    retry: 'later',
    audience: 'client',
  },
  REF_CONFLICT: {
    message: 'The ref has moved meanwhile',
    http: 409,
    retry: 'same',
    audience: 'client',
  },
  IMPORT_FAILED: client(422, 'The repository could not be imported'),
  // the command line
  SERVER_UNREACHABLE: {
    message: 'The server cannot be reached',
    http: 503,
    retry: 'later',
    audience: 'client',
  },
  FILE_UNREADABLE: client(400, 'A file cannot be read'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
