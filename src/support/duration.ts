// A time as a person writes it, on the command line and in tangent.toml: a number of seconds, or numbers with units from the largest to the
// smallest: 90, 30s, 1.5m, 7m30s, 1h 30min, 250ms. Only the last number may have a fraction: "1.5m30s" is no time that anybody means.

const UNITS: readonly { readonly names: readonly string[]; readonly ms: number }[] = [
  { names: ["h"], ms: 3_600_000 },
  { names: ["m", "min"], ms: 60_000 },
  { names: ["s"], ms: 1000 },
  { names: ["ms"], ms: 1 },
];

/** In milliseconds; null if it is no time. */
export function parseDuration(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^\d+(\.\d+)? ?[a-z]+( ?\d+(\.\d+)? ?[a-z]+)*$/.test(text)) return null;
  let sum = 0;
  let last = -1;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)];
  for (const [index, [, number, name]] of parts.entries()) {
    const unit = UNITS.findIndex(({ names }) => names.includes(name));
    if (unit <= last || (number.includes(".") && index < parts.length - 1)) return null;
    last = unit;
    sum += Number(number) * UNITS[unit].ms;
  }
  return sum;
}
