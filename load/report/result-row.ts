// One figure of a bench: what every bench returns, the table shows and the closing JSON line holds.

export type Bar = {
  /** What the figure must reach, as a person reads it: `>= 1.3x`, `< 3 s`. */
  readonly text: string;
  readonly met: boolean;
};

export type ResultRow = {
  readonly name: string;
  readonly ours: number | null;
  readonly peer: number | null;
  readonly unit: string;
  /** Ours divided by the peer's; where rounds are paired, the median of the rounds' own ratios. */
  readonly ratio: number | null;
  readonly bar?: Bar;
  /** The founding figure of published.json, in the same unit. */
  readonly published?: number | undefined;
};

/** A statement that must be true whatever the machine; one that is not makes the bench exit with 1. */
export type Statement = {
  readonly text: string;
  readonly holds: boolean;
  /** What was seen, for the person who reads a failure. */
  readonly seen: string;
};

export type BenchReport = {
  readonly rows: readonly ResultRow[];
  readonly statements: readonly Statement[];
  /** Sentences under the table: what was measured how, what was skipped. */
  readonly notes: readonly string[];
};

/** A bar of the form "the ratio is at least `least`". */
export function atLeastRatio(ratio: number, least: number): Bar {
  return { text: `>= ${least}x`, met: ratio >= least };
}

/** A bar of the form "the figure is below `most`". */
export function below(figure: number, most: number, unit: string): Bar {
  return { text: `< ${most} ${unit}`, met: figure < most };
}
