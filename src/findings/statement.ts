// The statement at a position of a C source, as it is known again after edits elsewhere: its tokens, without white space, comments and line
// numbers; how many equal ones the function has before it; and, of an access to memory, what it goes through.
//
//   v = p[0];            An over-read of a word that is put together of bytes fails at each of them in turn. So numbers, members and steps are
//   v |= p[1] << 8;      no part of what an access goes through (`p[]` here), and statements in a row that go through the same are one
//   v |= p[2] << 16;     place, the first.
//
// Nothing is preprocessed: directives are passed over, both branches of an #if count, and a macro is its name. Braces that do not match in
// such branches cost nothing, as reading begins at the function's own first line.
// Invariant: the answer depends on nothing outside of the function's text.

export interface SourceText {
  readonly text: string;
  /** Where the function begins that the position is in; 1 if that is not known. */
  readonly firstLine: number;
}

export interface Position {
  readonly line: number;
  /** Counted in bytes, as compilers do; 0 if it is not known. */
  readonly column: number;
}

export interface Statement {
  readonly text: string;
  /** 1 for the first of its text in the function. */
  readonly ordinal: number;
  /** Of the token at the position, from 0. */
  readonly token: number;
}

export interface AccessStatement extends Omit<Statement, "token"> {
  /** What the access goes through. */
  readonly through: string;
}

/** A function of so many tokens is made by a machine, and an initialiser may be longer still. */
const MOST_TOKENS = 200_000;
/** Tokens on either side of the position that are told of a long statement. */
const MOST_AROUND = 100;
/** Statements in a row. */
const MOST_IN_A_ROW = 64;

export function statementAt(source: SourceText, position: Position): Statement | null {
  const found = locate(source, position);
  if (found === null) return null;
  const { reading, at, index } = found;
  const { from, to } = reading.statements[index];
  return {
    text: joined(reading.tokens.slice(Math.max(from, at - MOST_AROUND), Math.min(to, at + MOST_AROUND))),
    ordinal: ordinalOf(reading, index),
    token: at - from,
  };
}

export function accessAt(source: SourceText, position: Position): AccessStatement | null {
  const found = locate(source, position);
  if (found === null) return null;
  const { reading, at } = found;
  const { tokens, statements } = reading;
  const through = withoutConstants(expressionAt(tokens, statements[found.index], at));
  const index = firstInARow(reading, found.index, through);
  const { from, to } = statements[index];
  const middle = index === found.index ? at : from;
  return {
    text: joined(tokens.slice(Math.max(from, middle - MOST_AROUND), Math.min(to, middle + MOST_AROUND))),
    ordinal: ordinalOf(reading, index),
    through: joined(through),
  };
}

// ------------------------------------------------------------------ reading

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Reading {
  readonly tokens: readonly string[];
  readonly statements: readonly Span[];
}

const TOKEN = new RegExp(
  [
    "\\\\\\r?\\n", // a line that goes on
    "\\/\\/[^\\n]*",
    "\\/\\*[^]*?(?:\\*\\/|(?![^]))",
    "^[ \\t]*#(?:[^\\n\\\\]|\\\\[^])*", // a directive
    '"(?:[^"\\\\\\n]|\\\\[^])*"?',
    "'(?:[^'\\\\\\n]|\\\\[^])*'?",
    "[A-Za-z_$][\\w$]*",
    "\\.?\\d(?:[eEpP][+-]|[\\w.])*",
    "->|\\+\\+|--|<<=|>>=|\\.\\.\\.|<<|>>|[-+*/%&|^<>=!]=|&&|\\|\\||[^\\s]",
  ].join("|"),
  "gm",
);
const IS_NO_TOKEN = /^(?:\\\r?\n|\/\/|\/\*|[ \t]*#)/;
const WORD = /^[A-Za-z_$]/;
const NUMBER = /^\.?\d/;
const HEADED = new Set(["if", "while", "for", "switch"]);

/** The tokens from the function's first line to the end of the statement at the position, and where that is; null if it has no token there. */
function locate(
  { text, firstLine }: SourceText,
  { line, column }: Position,
): { readonly reading: Reading; readonly at: number; readonly index: number } | null {
  const wanted = offsetOf(text, line, column);
  const start = offsetOf(text, firstLine <= line ? firstLine : 1, 0);
  if (wanted === null || start === null) return null;
  const splitter = new Splitter();
  const pattern = new RegExp(TOKEN);
  pattern.lastIndex = start;
  let at = -1;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [token] = match;
    if (IS_NO_TOKEN.test(token)) continue;
    if (at < 0 && match.index + token.length > wanted) at = splitter.tokens.length;
    if (splitter.tokens.length >= MOST_TOKENS) return null;
    splitter.add(token);
    if (at >= 0 && splitter.begins > at) break;
  }
  if (at < 0) return null;
  splitter.end();
  const index = splitter.statements.findLastIndex(({ from, to }) => from <= at && at < to);
  return index < 0 ? null : { reading: splitter, at, index };
}

function offsetOf(text: string, line: number, column: number): number | null {
  let start = 0;
  for (let n = 1; n < line; n++) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return null;
  }
  if (column < 2) return start;
  const newline = text.indexOf("\n", start);
  const bytes = Buffer.from(text.slice(start, newline < 0 ? text.length : newline));
  return start + bytes.subarray(0, column - 1).toString().length;
}

/** Makes statements of tokens: they end at semicolons, braces and colons of labels; what stands in the head of an `if` or a loop is one of its own. */
class Splitter implements Reading {
  readonly tokens: string[] = [];
  readonly statements: Span[] = [];
  /** Where the present statement begins. */
  begins = 0;
  /** What is open: brackets, "=" for the brace of an initialiser, and "{" for that of a block. */
  private readonly open: string[] = [];

  add(token: string): void {
    const { tokens, open, begins } = this;
    const before = tokens.at(-1);
    tokens.push(token);
    const isInside = open.length > 0 && open[open.length - 1] !== "{";
    if (token === "(" || token === "[") open.push(token);
    else if (token === ")" || token === "]") {
      if (isInside) open.pop();
      const isWhole = open.length === 0 || open[open.length - 1] === "{";
      if (isInside && isWhole && HEADED.has(tokens[begins])) this.end();
    } else if (token === "{") {
      const isValue = before === "=" || before === "]" || (isInside && before !== "(" && before !== ")");
      open.push(isValue ? "=" : "{");
      if (!isValue) this.end();
    } else if (token === "}") {
      const closed = open.pop();
      if (closed !== "=") this.end();
    } else if (isInside) return;
    else if (token === ";" || (token === ":" && this.isLabel())) this.end();
    else if ((token === "else" || token === "do") && begins === tokens.length - 1) this.end();
  }

  private isLabel(): boolean {
    const first = this.tokens[this.begins];
    return first === "case" || first === "default" || this.tokens.length - this.begins === 2;
  }

  end(): void {
    if (this.tokens.length > this.begins) this.statements.push({ from: this.begins, to: this.tokens.length });
    this.begins = this.tokens.length;
  }
}

/** A blank only where two words would become one. */
function joined(tokens: readonly string[]): string {
  let text = "";
  for (const token of tokens) text += /[\w$]$/.test(text) && /^[\w$]/.test(token) ? ` ${token}` : token;
  return text.replace(/[;{]$/, "");
}

function ordinalOf({ tokens, statements }: Reading, index: number): number {
  const { from, to } = statements[index];
  const isEqual = (other: Span): boolean => {
    if (other.to - other.from !== to - from) return false;
    for (let n = 0; n < to - from; n++) if (tokens[other.from + n] !== tokens[from + n]) return false;
    return true;
  };
  return 1 + statements.slice(0, index).filter(isEqual).length;
}

// --------------------------------------------------------- what an access goes through

const CLOSING: { readonly [opening: string]: string } = { "(": ")", "[": "]", "{": "}" };
const OPENING: { readonly [closing: string]: string } = { ")": "(", "]": "[", "}": "{" };
const PREFIX = new Set(["*", "&", "-", "+", "!", "~", "++", "--"]);
const ASSIGNS = new Set(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]);
const ENDS_LEFT_SIDE = new Set([",", ";", "?", ":", "&&", "||", ...ASSIGNS]);

/** The operand whose position it is: compilers say where it begins, where its last member's name stands, or where it is assigned to. */
function expressionAt(tokens: readonly string[], { from, to }: Span, at: number): readonly string[] {
  if (ASSIGNS.has(tokens[at])) {
    let begin = at;
    while (begin > from && !ENDS_LEFT_SIDE.has(tokens[begin - 1]) && CLOSING[tokens[begin - 1]] === undefined) {
      begin = OPENING[tokens[begin - 1]] === undefined ? begin - 1 : matchingBefore(tokens, begin - 1, from);
    }
    return tokens.slice(begin, at);
  }
  let begin = at;
  while (begin - 1 > from && (tokens[begin - 1] === "->" || tokens[begin - 1] === ".")) {
    begin -= 2;
    while (begin > from && OPENING[tokens[begin]] !== undefined) {
      begin = matchingBefore(tokens, begin, from);
      if (begin > from && (WORD.test(tokens[begin - 1]) || OPENING[tokens[begin - 1]] !== undefined)) begin--;
      else break;
    }
  }
  let end = begin;
  while (end < to && PREFIX.has(tokens[end])) end++;
  // A cast, or a pointer that was computed.
  while (end < to && tokens[end] === "(") {
    end = behindMatching(tokens, end, to);
    while (end < to && (tokens[end] === "*" || tokens[end] === "&") && tokens[end - 1] === ")") end++;
  }
  if (end < to && (WORD.test(tokens[end]) || NUMBER.test(tokens[end]) || /^["']/.test(tokens[end]))) end++;
  for (;;) {
    if (tokens[end] === "(" || tokens[end] === "[") end = behindMatching(tokens, end, to);
    else if (tokens[end] === "->" || tokens[end] === ".") end += 2;
    else if (tokens[end] === "++" || tokens[end] === "--") end++;
    else break;
    if (end >= to) break;
  }
  return tokens.slice(begin, Math.max(begin + 1, Math.min(end, to)));
}

/** Of a bracket that closes: where it opens, no further back than `from`. */
function matchingBefore(tokens: readonly string[], closing: number, from: number): number {
  let depth = 0;
  for (let at = closing; at >= from; at--) {
    if (OPENING[tokens[at]] !== undefined) depth++;
    else if (CLOSING[tokens[at]] !== undefined && --depth === 0) return at;
  }
  return from;
}

function behindMatching(tokens: readonly string[], opening: number, to: number): number {
  let depth = 0;
  for (let at = opening; at < to; at++) {
    if (CLOSING[tokens[at]] !== undefined) depth++;
    else if (OPENING[tokens[at]] !== undefined && --depth === 0) return at + 1;
  }
  return to;
}

/** Without numbers and what adds them, members' names and steps. */
function withoutConstants(tokens: readonly string[]): readonly string[] {
  const left: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === "->" || token === ".") at++;
    else if (token === "++" || token === "--") continue;
    else if (NUMBER.test(token)) {
      if (left.at(-1) === "+" || left.at(-1) === "-") left.pop();
    } else left.push(token);
  }
  return left;
}

function firstInARow(reading: Reading, index: number, through: readonly string[]): number {
  const { tokens, statements } = reading;
  const pointer = through.find((token) => WORD.test(token));
  if (pointer === undefined) return index;
  let first = index;
  for (let at = index - 1; at >= Math.max(0, index - MOST_IN_A_ROW); at--) {
    const statement = withoutConstants(tokens.slice(statements[at].from, statements[at].to));
    if (isStep(statement, pointer)) continue;
    if (isSet(statement, pointer) || !contains(statement, through)) break;
    first = at;
  }
  return first;
}

/** `p++;`, `p += 2;` */
function isStep(statement: readonly string[], pointer: string): boolean {
  const text = statement.join(" ");
  return text === `${pointer} ;` || text === `${pointer} += ;`;
}

/** Then it leads elsewhere. */
function isSet(statement: readonly string[], pointer: string): boolean {
  return statement.some((token, at) => token === pointer && statement[at + 1] === "=" && statement[at - 1] !== "*");
}

function contains(statement: readonly string[], part: readonly string[]): boolean {
  for (let at = 0; at + part.length <= statement.length; at++) {
    if (part.every((token, n) => statement[at + n] === token)) return true;
  }
  return false;
}
