// How far something is, on stderr: a bar that redraws itself on a terminal, a line for each new phase elsewhere.

import type { Terminal } from '#entry/commands/command.ts';
import { makePrintable } from '#entry/commands/render-table.ts';

export type Progress = { readonly phase: string; readonly percent: number | null };

export type ProgressDisplay = {
  show(progress: Progress): void;
  /** Takes the bar away, so that what is printed next has the line. */
  clear(): void;
};

const barCells = 30;

export function createProgressDisplay(terminal: Terminal): ProgressDisplay {
  const { isTTY = false, columns = 80 } = terminal;
  let lastText = '';
  let lastPhase = '';
  return {
    show(progress) {
      if (!isTTY) {
        const phase = nameOf(progress);
        if (phase !== lastPhase) terminal.write(`${phase}\n`);
        lastPhase = phase;
        return;
      }
      const text = Array.from(renderProgress(progress))
        .slice(0, columns - 1)
        .join('');
      if (text !== lastText) terminal.write(`\r\x1b[K${text}`);
      lastText = text;
    },
    clear() {
      if (isTTY && lastText !== '') terminal.write('\r\x1b[K');
      lastText = '';
    },
  };
}

/** `Receiving objects [######------] 45 %`, or without a bar while nobody knows how much there is. */
export function renderProgress(progress: Progress): string {
  const { percent } = progress;
  const name = nameOf(progress);
  if (percent === null) return `${name} …`;
  const filled = Math.round((Math.min(100, Math.max(0, percent)) / 100) * barCells);
  return `${name} [${'#'.repeat(filled)}${'-'.repeat(barCells - filled)}] ${Math.round(percent)} %`;
}

function nameOf({ phase }: Progress): string {
  return makePrintable(phase).replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
