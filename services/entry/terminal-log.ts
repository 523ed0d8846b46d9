// Log lines for a person at a terminal: time, level, message and the few fields, instead of JSON. Pure.

/** @param line one JSON line of kernel/log. */
export function formatForTerminal(line: string): string {
  const { at, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>; // written by kernel/log
  const time = String(at).slice(11, 19);
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [time, level === 'info' ? '' : String(level).toUpperCase(), String(message), ...shown]
    .filter((part) => part !== '')
    .join(' ');
}
