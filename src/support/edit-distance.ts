// How far two words are from each other, as slips of the hand count: a letter too many, one too few, another one, or two of them in the wrong
// order. Words that people type are compared so with the names that there are.

/** Slips from one to the other; more than `limit` if it is more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2] + 1 : changed;
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1, swapped));
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

const MOST_SLIPS = 2;
const SHORTEST = 3;

/** The one name that is meant, most likely; null if none is near, or several are as near. In a short word a slip is more of it. */
export function nearName(word: string, names: readonly string[]): string | null {
  if (word.length < SHORTEST) return null;
  const most = Math.min(MOST_SLIPS, Math.floor(word.length / 2));
  const near = [...new Set(names)]
    .map((name) => ({ name, slips: editDistance(word, name, most) }))
    .filter(({ slips }) => slips <= most)
    .sort((one, other) => one.slips - other.slips);
  const [first, second] = near;
  return first === undefined || first.slips === second?.slips ? null : first.name;
}
