// A part of a whole in percent, as every report writes it.

export function percentOf(part: number, all: number): string {
  if (all === 0) return "–";
  const value = (part * 100) / all;
  // 99.96 is not 100.
  return `${(part === all ? 100 : Math.min(99.9, value)).toFixed(value >= 99.95 && part === all ? 0 : 1)}\u00a0%`;
}
