// "Did you mean": the known name that a typo most likely stands for. Pure.

/** `; did you mean visibility?`, or nothing when no known name is near. */
export function suggestName(typo: string, known: Iterable<string>): string {
  const folded = typo.toLowerCase();
  const farthest = Math.max(1, Math.floor(typo.length / 3));
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    if (Math.abs(name.length - typo.length) > farthest) continue;
    const distance = editDistance(folded, name.toLowerCase());
    if (distance <= farthest && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best === undefined ? '' : `; did you mean ${best.name}?`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
