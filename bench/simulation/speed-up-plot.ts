// Speed-up over workers as SVG, both axes in powers of ten: a straight line is what more machines ought to be worth.

export interface SpeedUp {
  readonly name: string;
  readonly colour: string;
  /** [workers, speed-up]. */
  readonly points: readonly (readonly [number, number])[];
  /** Measured: marks instead of a line. */
  readonly isMeasured?: boolean;
}

const WIDTH = 640;
const HEIGHT = 460;
const LEFT = 60;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 130;
const DECADES = 3;

export function speedUpPlot(title: string, series: readonly SpeedUp[]): string {
  const x = (value: number): number => LEFT + (Math.log10(value) / DECADES) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number =>
    HEIGHT - BOTTOM - (Math.log10(Math.max(0.5, value)) / DECADES) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(WIDTH / 2, 22, title, 'text-anchor="middle" font-size="15"'),
    text(14, TOP - 6, "times as fast as one worker", ""),
  ];
  for (let decade = 0; decade <= DECADES; decade++) {
    const value = 10 ** decade;
    const [across, up] = [at(x(value)), at(y(value))];
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${up}" y2="${up}" stroke="#ddd"/>`);
    parts.push(`<line x1="${across}" x2="${across}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#ddd"/>`);
    parts.push(text(LEFT - 6, y(value) + 4, value.toLocaleString("en"), 'text-anchor="end"'));
    parts.push(text(x(value), HEIGHT - BOTTOM + 18, value.toLocaleString("en"), 'text-anchor="middle"'));
  }
  parts.push(text((LEFT + WIDTH) / 2, HEIGHT - BOTTOM + 36, "workers", 'text-anchor="middle"'));
  const most = 10 ** DECADES;
  parts.push(`<path d="M${at(x(1))} ${at(y(1))}L${at(x(most))} ${at(y(most))}" stroke="#999" stroke-dasharray="4 4"/>`);
  series.forEach(({ name, colour, points, isMeasured }, index) => {
    const places = points.map(([workers, factor]) => [at(x(workers)), at(y(factor))] as const);
    const row = HEIGHT - BOTTOM + 58 + 17 * Math.floor(index / 2);
    const column = LEFT + (index % 2) * ((WIDTH - LEFT) / 2);
    if (isMeasured === true) {
      for (const [px, py] of [...places, [at(column + 12), at(row)] as const]) {
        parts.push(`<circle cx="${px}" cy="${py}" r="4" fill="none" stroke="${colour}" stroke-width="2"/>`);
      }
    } else {
      const line = places.map(([px, py]) => `${px} ${py}`).join("L");
      parts.push(`<path d="M${line}" fill="none" stroke="${colour}" stroke-width="2"/>`);
      parts.push(
        `<line x1="${column}" x2="${column + 24}" y1="${row}" y2="${row}" stroke="${colour}" stroke-width="3"/>`,
      );
    }
    parts.push(text(column + 30, row + 4, name, ""));
  });
  return `${[...parts, "</svg>"].join("\n")}\n`;
}

function at(value: number): string {
  return value.toFixed(1);
}

function text(x: number, y: number, content: string, attributes: string): string {
  const escaped = content.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter] ?? letter);
  return `<text x="${at(x)}" y="${at(y)}" ${attributes}>${escaped}</text>`;
}
