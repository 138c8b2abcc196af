// Where a statement begins of which a line is only a part: the second line of a call has no code of its own, and counts with the first.
// Looked up in the text, roughly: a line continues the one before it, unless that ends a statement, a block, a label or a directive.

/** Lines looked back over, at the most. */
const LONGEST_STATEMENT = 60;

/** By line, from 1: the line on which its statement begins, for those that continue one. */
export function statementStarts(source: string, lines: readonly number[]): Map<number, number> {
  const all = withoutComments(source).split("\n");
  const starts = new Map<number, number>();
  for (const line of lines) {
    const start = startOf(all, line);
    if (start !== null && start !== line) starts.set(line, start);
  }
  return starts;
}

function startOf(all: readonly string[], line: number): number | null {
  const text = all[line - 1]?.trim() ?? "";
  if (text === "" || text.startsWith("#") || /^[{}]+;?$/.test(text)) return null;
  let start = line;
  for (let at = line - 1; at > 0 && line - at < LONGEST_STATEMENT; at--) {
    const before = all[at - 1].trim();
    if (before === "") continue;
    if (before.startsWith("#") || /[;{}:]$/.test(before)) return start;
    start = at;
  }
  return start;
}

/** Comments become blanks, line by line; texts and characters stay. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/g, (part) =>
    part.startsWith("/") ? part.replace(/[^\n]/g, " ") : part,
  );
}
