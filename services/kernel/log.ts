// Structured log: one JSON object a line on stderr, secrets redacted. Everything that runs gets a Log by its context.
// Must stay true: no token, password or Authorization value reaches the sink, however deep it sits.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

export type Log = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds the fields to every line. */
  with(fields: LogFields): Log;
};

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const secretKey = /authorization|password|secret|cookie|^token$/i;
// Tokens of ours; the password of any address, all that stands before the @ of an http one (others' tokens stand
// there alone); credentials in a header's text. "Basic authentication" has neither capital, digit nor "=".
const secretText =
  /wrn_[A-Za-z0-9]{40}|(?<=:\/\/[^/\s:@]{0,200}:)[^/\s@]+(?=@)|(?<=https?:\/\/)[^/\s@]+(?=@)|(?<=\b(?:Basic|Bearer) )(?=[a-z]*[A-Z0-9=])\S+/g;

/** A copy with secrets replaced by `[redacted]`; errors become {message, code, stack}. Depth is bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(secretText, '[redacted]');
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 5) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value.toJSON();
  if (value instanceof URL) return redact(value.href);
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKey.test(key) ? '[redacted]' : redact(item, depth + 1),
    ]),
  );
}

function redactError(error: Error, depth: number): unknown {
  const { message, stack, cause } = error;
  const own = Object.fromEntries(Object.entries(error));
  return redact({ ...own, message, stack, ...(cause === undefined ? {} : { cause }) }, depth + 1);
}

/** @param write takes one line without its newline. */
export function createLog(
  write: (line: string) => void,
  level: LogLevel = 'info',
  base: LogFields = {},
): Log {
  const at = (own: LogLevel) => (message: string, fields?: LogFields) => {
    if (levels.indexOf(own) < levels.indexOf(level)) return;
    const line = { at: new Date().toISOString(), level: own, message, ...base, ...fields };
    write(JSON.stringify(redact(line)));
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLog(write, level, { ...base, ...fields }),
  };
}

/** Discards everything: for tests and pure uses. */
export const silentLog: Log = createLog(() => {}, 'error');
