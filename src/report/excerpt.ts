// A few lines of source around a position, with a caret under the column. Sources are read when a report is written and
// may be gone or changed by then (sources.ts); no excerpt is better than an exception.

/**
 * The line with `context` lines before it, numbered, and a caret; empty if there is no such line. With `tabWidth`, tabs become blanks:
 * after a number they would not reach as far as in the file.
 */
export function excerpt(source: string, line: number, column: number, context = 2, tabWidth = 0): string[] {
  const shown = (text: string): string => (tabWidth === 0 ? text : withoutTabs(text, tabWidth));
  const lines = source.split("\n");
  if (line < 1 || line > lines.length) return [];
  const first = Math.max(1, line - context);
  const width = String(line).length;
  const result: string[] = [];
  for (let number = first; number <= line; number++) {
    result.push(`${String(number).padStart(width)} | ${shown(lines[number - 1].replace(/\r$/, ""))}`);
  }
  if (column > 0) {
    // Tabs stay tabs, so that the caret stands under the column whatever their width.
    const before = shown(lines[line - 1].slice(0, column - 1).replace(/[^\t]/g, " "));
    result.push(`${" ".repeat(width)} | ${before}^`);
  }
  return result;
}

function withoutTabs(text: string, width: number): string {
  let result = "";
  for (const char of text) result += char === "\t" ? " ".repeat(width - (result.length % width)) : char;
  return result;
}
