// Text that others have chosen (names of files and functions, arguments, sources, messages of a compiler) may hold anything:
// escapes that retitle a terminal, a newline that begins a line of a CI log with `::warning::`, marks that turn the
// direction of writing. Renderers make it visible where they put it into a line, because only they know where a line ends;
// what a command prints passes `safeOutput` besides, which lets through lines, colours and our own redrawing, nothing else.
// Escapes are those of JSON, so that a document that is printed stays one.

/** Control characters, ends of lines of Unicode, and what turns the direction of text. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const SHORT: { readonly [char: string]: string } = { "\n": "\\n", "\r": "\\r" };

function escaped(char: string): string {
  return SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One line that stays one: tabs stay, everything hidden is shown. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => (char === "\t" ? char : escaped(char)));
}

const ESCAPE = "\x1b";
/** Colours; with them the erasures and the cursor's movements of our own views. */
const COLOUR = new RegExp(`(${ESCAPE}\\[[0-9;]*m)`);
const OWN = new RegExp(`(${ESCAPE}\\[(?:\\d+A|[JK]|[0-9;]*m))`);

/** Lines of a report, each made visible and ended by a newline; colours stay if there are any. */
export function visibleLines(lines: readonly string[], colour = false): string {
  return lines.map((line) => `${colour ? outside(COLOUR, line, visible) : visible(line)}\n`).join("");
}

/** What CI systems take for a command when it begins a line, after any space that Unicode has. */
const COMMAND = /(^|[\n\r])([^\S\n\r]*)(?=::)/g;
/** What they take for one wherever it stands: GitHub's runner looks for the first, Azure's for the second. */
const ANYWHERE = /##(?=\[|vso\[)/g;

/** For everything that a command prints. */
export function safeOutput(text: string): string {
  const clean = outside(OWN, text, (part) =>
    part.replace(HIDDEN, (char) => (char === "\n" || char === "\t" || char === "\r" ? char : escaped(char))),
  );
  return clean.replace(COMMAND, "$1$2| ").replace(ANYWHERE, "# #");
}

/** Changes what is between the matches of a pattern, which has one group around all of it. */
function outside(pattern: RegExp, text: string, change: (part: string) => string): string {
  if (!text.includes(ESCAPE)) return change(text);
  return text
    .split(pattern)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}
