// Curves over time as SVG, by hand: axes with round numbers, a line a series, a legend. A library would bring more
// than the two hundred points of a curve need.

export interface Series {
  readonly name: string;
  readonly colour: string;
  /** [seconds, value], times increasing. */
  readonly points: readonly (readonly [number, number])[];
}

const WIDTH = 640;
const HEIGHT = 400;
const LEFT = 70;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 70;

export function renderPlot(title: string, yLabel: string, series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points);
  const xEnd = Math.max(1, ...all.map(([x]) => x));
  const yStep = roundStep(Math.max(1, ...all.map(([, y]) => y)) / 5);
  const yEnd = yStep * Math.ceil(Math.max(1, ...all.map(([, y]) => y)) / yStep);
  const xStep = roundStep(xEnd / 6);
  const x = (value: number): number => LEFT + (value / xEnd) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / yEnd) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(WIDTH / 2, 22, title, 'text-anchor="middle" font-size="15"'),
  ];
  for (let value = 0; value <= yEnd; value += yStep) {
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y(value))}" y2="${at(y(value))}" stroke="#ddd"/>`);
    parts.push(text(LEFT - 6, y(value) + 4, value.toLocaleString("en"), 'text-anchor="end"'));
  }
  for (let value = 0; value <= xEnd; value += xStep) {
    parts.push(text(x(value), HEIGHT - BOTTOM + 18, `${Number(value.toFixed(2))} s`, 'text-anchor="middle"'));
  }
  parts.push(text(14, TOP - 12, yLabel, ""));
  series.forEach(({ name, colour, points }, index) => {
    parts.push(`<path d="${staircase(points, xEnd, x, y)}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    const column = LEFT + (index % 2) * ((WIDTH - LEFT) / 2);
    const row = HEIGHT - 30 + Math.floor(index / 2) * 18;
    parts.push(
      `<line x1="${column}" x2="${column + 24}" y1="${row}" y2="${row}" stroke="${colour}" stroke-width="3"/>`,
    );
    parts.push(text(column + 30, row + 4, name, ""));
  });
  return `${[...parts, "</svg>"].join("\n")}\n`;
}

/** What is covered stays covered until the next point. */
function staircase(
  points: Series["points"],
  xEnd: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  if (points.length === 0) return "";
  const [first, ...rest] = points;
  const steps = rest.map(([time, value]) => `H${at(x(time))}V${at(y(value))}`);
  return `M${at(x(first[0]))} ${at(y(first[1]))}${steps.join("")}H${at(x(xEnd))}`;
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
}

function at(value: number): string {
  return value.toFixed(1);
}

function text(x: number, y: number, content: string, attributes: string): string {
  const escaped = content.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter] ?? letter);
  return `<text x="${at(x)}" y="${at(y)}" ${attributes}>${escaped}</text>`;
}
