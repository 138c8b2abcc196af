// Numbers that another one may well become: its neighbours, twice as much, its negative, and ten times or a tenth of it, because what is
// measured is often of another order than a test thinks of.

export function numbersNear(text: string): readonly string[] {
  const own = Number(text);
  if (!Number.isFinite(own)) return [];
  return [own + 1, own - 1, 2 * own, -own, 10 * own, own / 10, own / 100].map(shown);
}

/** Integers stay what they are; of others no more digits than a person would write. */
function shown(number: number): string {
  return Number.isInteger(number) ? `${number}` : `${Number(number.toPrecision(6))}`;
}
