// A text as its grammar might see it, though nobody knows the grammar: what stands in brackets or quotes, elements of markup with all that they
// enclose, and fields (what lies between spaces, commas and semicolons, with brackets and quotes kept whole). A piece in the place of
// another one of the same kind and shape mostly makes a text that is read to its end; two pieces of one shape in a row are a list, which
// may be longer.
//
// One pass over the text, however it is nested; brackets that do not match are signs like others.

export interface TextPiece {
  readonly from: number;
  readonly to: number;
  /** "element", the bracket or quote of a group, or "field" with the bracket that it stands in. */
  readonly kind: string;
  /** Of a field: `w` for words, `0` for numbers, a bracket or quote for a group; signs are themselves. Empty for the others. */
  readonly shape: string;
  /** What stands before the next piece, if that has the same shape. */
  readonly separator: string | null;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const CLOSERS = new Set(CLOSING.values());
const LONGEST_QUOTE = 1024;
const LONGEST_TAG = 2048;
const LONGEST_SHAPE = 24;
const LONGEST_SEPARATOR = 8;
const MOST_PIECES = 4096;

interface Field {
  readonly from: number;
  readonly to: number;
  readonly shape: string;
}

/** A bracket that is open, or the whole text. */
class Container {
  readonly fields: Field[] = [];
  private from = -1;
  private shape = "";

  constructor(
    readonly opener: string,
    readonly start: number,
  ) {}

  add(at: number, sign: string): void {
    if (this.from < 0) this.from = at;
    if (this.shape.length < LONGEST_SHAPE) this.shape += sign;
  }

  end(at: number): void {
    if (this.from >= 0) this.fields.push({ from: this.from, to: at, shape: this.shape });
    this.from = -1;
    this.shape = "";
  }
}

/** What is farther out is closed by nobody: else texts of nothing but brackets take long. */
const MOST_LEFT_OPEN = 64;

/** -1 if there is none. */
function lastOf<T>(list: readonly T[], isWanted: (one: T) => boolean): number {
  for (let n = list.length - 1; n >= Math.max(0, list.length - MOST_LEFT_OPEN); n--) if (isWanted(list[n])) return n;
  return -1;
}

export function piecesIn(text: string): readonly TextPiece[] {
  return new PieceReader(text).read();
}

class PieceReader {
  private readonly pieces: TextPiece[] = [];
  private readonly open: Container[] = [new Container("", 0)];
  private readonly elements: { readonly name: string; readonly from: number }[] = [];

  constructor(private readonly text: string) {}

  read(): readonly TextPiece[] {
    const { text, pieces } = this;
    for (let at = 0; at < text.length && pieces.length < MOST_PIECES; ) at = this.step(at);
    while (this.open.length > 0) this.close(text.length);
    return pieces.slice(0, MOST_PIECES);
  }

  /** Where to go on. */
  private step(at: number): number {
    const { text } = this;
    const sign = text[at];
    const inside = this.open[this.open.length - 1];
    if (/[\s,;]/.test(sign)) inside.end(at);
    else if (sign === '"' || sign === "'") return this.quoted(at);
    else if (CLOSING.has(sign)) {
      inside.add(at, sign);
      this.open.push(new Container(sign, at));
    } else if (CLOSERS.has(sign)) this.closeBracket(at);
    else if (sign === "<" && this.isTag(at)) {
      inside.end(at);
      this.open.push(new Container("<", at));
    } else if (inside.opener === "<" && /^[/?]?>/.test(text.slice(at, at + 2))) return this.closeTag(at);
    else return this.run(at);
    return at + 1;
  }

  /** A word or number as a whole; any other sign by itself. */
  private run(at: number): number {
    const word = /[A-Za-z_]\w*|\d[\d.]*|./sy;
    word.lastIndex = at;
    const [run] = word.exec(this.text) ?? [this.text[at]];
    this.open[this.open.length - 1].add(at, /^[A-Za-z_]/.test(run) ? "w" : /^\d/.test(run) ? "0" : run);
    return at + run.length;
  }

  private quoted(at: number): number {
    const { text } = this;
    const quote = text[at];
    const end = text.indexOf(quote, at + 1);
    const isApostrophe = quote === "'" && /\w/.test(text[at - 1] ?? "");
    if (end < 0 || end - at > LONGEST_QUOTE || isApostrophe || text.slice(at, end).includes("\n")) return this.run(at);
    this.open[this.open.length - 1].add(at, quote);
    this.pieces.push({ from: at, to: end + 1, kind: quote, shape: "", separator: null });
    return end + 1;
  }

  private closeBracket(at: number): void {
    const { open } = this;
    const opened = lastOf(open, ({ opener }) => CLOSING.get(opener) === this.text[at]);
    if (opened < 0) {
      this.run(at);
      return;
    }
    while (open.length > opened + 1) this.close(at);
    const { start, opener } = open[opened];
    this.close(at);
    this.pieces.push({ from: start, to: at + 1, kind: opener, shape: "", separator: null });
  }

  private isTag(at: number): boolean {
    if (!/[A-Za-z/!?]/.test(this.text[at + 1] ?? "")) return false;
    const end = this.text.indexOf(">", at);
    if (end < 0 || end - at > LONGEST_TAG) return false;
    const other = this.text.indexOf("<", at + 1);
    return other < 0 || other > end;
  }

  private closeTag(at: number): number {
    const { text, open, elements, pieces } = this;
    const { start } = open[open.length - 1];
    const end = text.indexOf(">", at) + 1;
    this.close(at);
    const [, name] = /^<\/?([^\s/>]*)/.exec(text.slice(start, end)) ?? ["", ""];
    let from: number | null = start;
    if (text[start + 1] === "/") {
      const opened = lastOf(elements, (element) => element.name === name);
      from = opened < 0 ? null : elements[opened].from;
      if (opened >= 0) elements.length = opened;
    } else if (text[at] === ">" && text[start + 1] !== "!" && text[start + 1] !== "?") {
      elements.push({ name, from: start });
      from = null;
    }
    if (from !== null) pieces.push({ from, to: end, kind: "element", shape: "", separator: null });
    return end;
  }

  /** The innermost. */
  private close(at: number): void {
    const inside = this.open.pop();
    if (inside === undefined) return;
    inside.end(at);
    const { fields, opener } = inside;
    fields.forEach(({ from, to, shape }, n) => {
      const next = fields[n + 1];
      const between = next?.shape === shape ? this.text.slice(to, next.from) : "";
      const separator = between !== "" && between.length <= LONGEST_SEPARATOR ? between : null;
      this.pieces.push({ from, to, kind: `field${opener}`, shape, separator });
    });
  }
}
