// Reads git's progress from stderr (`Receiving objects:  45% (…)`, ended by CR or LF). Pure but for its buffer.

export type FetchProgress = {
  readonly phase: string;
  /** undefined while git only counts. */
  readonly percent: number | undefined;
};

const phaseLine = /^(?:remote: )?([A-Z][A-Za-z ]+):\s+(?:(\d{1,3})%|\d+)/;

/** Takes stderr chunks; calls back for each new state of the progress; returns lines that are none. */
export function createProgressReader(onProgress: (progress: FetchProgress) => void): {
  take(chunk: Buffer): void;
  /** The last lines that were no progress: what git said when it failed. */
  messages(): string;
} {
  let rest = '';
  let last = '';
  const messages: string[] = [];
  function takeLine(line: string): void {
    const match = phaseLine.exec(line);
    if (match?.[1] === undefined) {
      if (line.trim() !== '') messages.push(line.trim().slice(0, 500));
      if (messages.length > 20) messages.shift();
      return;
    }
    const percent = match[2] === undefined ? undefined : Number(match[2]);
    const key = `${match[1]} ${percent ?? ''}`;
    if (key === last) return;
    last = key;
    onProgress({ phase: match[1], percent });
  }
  return {
    take(chunk) {
      const lines = (rest + chunk.toString('utf8')).split(/[\r\n]/);
      rest = (lines.pop() ?? '').slice(-1000);
      for (const line of lines) takeLine(line);
    },
    messages: () => [...messages, rest.trim()].filter((line) => line !== '').join('\n'),
  };
}
