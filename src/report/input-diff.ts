// How a witness differs from the test it was made from, byte by byte, as rows that terminal, HTML and Markdown lay out each in
// its own way. Input objects keep their size, so bytes are compared at the same offset; a general alignment would say
// "one byte inserted" where the engine changed two, and cost more. Long inputs are shown around their changed bytes only.
// Invariant: rows are in order of offset and every changed byte is in a row, or counted in `hiddenChanges`.

import { placeOfLiteral } from "../support/literal-names.js";
import type { ResultInput } from "./campaign-result.js";
import { sourcePath } from "./source-path.js";

export interface Cell {
  readonly byte: number;
  readonly changed: boolean;
}

export type DiffRow =
  | { readonly kind: "same"; readonly offset: number; readonly cells: readonly Cell[] }
  | {
      readonly kind: "changed";
      readonly offset: number;
      readonly seed: readonly Cell[];
      readonly witness: readonly Cell[];
      /** Bytes of the row that are not shown, before and after. */
      readonly cutBefore: number;
      readonly cutAfter: number;
    }
  | { readonly kind: "gap"; readonly bytes: number };

export interface InputDifference {
  readonly name: string;
  /** For people: argument 1, standard input, file size.bin. */
  readonly label: string;
  readonly seed: Uint8Array;
  readonly witness: Uint8Array;
  readonly changedBytes: number;
  /** Both read as text. */
  readonly isText: boolean;
}

export interface DiffView {
  readonly rows: readonly DiffRow[];
  readonly hiddenChanges: number;
}

export interface DiffLimits {
  /** Rows with changes that are shown. */
  readonly changedRows: number;
  /** Rows shown before and after each changed one. */
  readonly context: number;
  /** Bytes of one row of text; a longer one is cut around its changed bytes. */
  readonly rowBytes: number;
}
const DEFAULT_DIFF_LIMITS: DiffLimits = { changedRows: 24, context: 1, rowBytes: 160 };

export const HEX_ROW = 16;
const NEWLINE = 0x0a;
/** Shown beside the first changed byte of a row that is cut. */
const CUT_CONTEXT = 32;

export function differenceOf(
  input: ResultInput,
  shownPath: (path: string) => string = (path) => path,
): InputDifference {
  const seed = Buffer.from(input.seed, "base64");
  const witness = Buffer.from(input.witness, "base64");
  let changedBytes = Math.abs(seed.length - witness.length);
  const common = Math.min(seed.length, witness.length);
  for (let at = 0; at < common; at++) if (seed[at] !== witness[at]) changedBytes++;
  return {
    name: input.name,
    label: labelOf(input.name, shownPath),
    seed,
    witness,
    changedBytes,
    isText: isText(seed) && isText(witness),
  };
}

function labelOf(name: string, shownPath: (path: string) => string = (path) => path): string {
  const argument = /^arg(\d+)$/.exec(name);
  if (argument !== null) return `argument ${Number(argument[1]) + 1}`;
  if (name === "stdin") return "standard input";
  if (name.startsWith("file:")) return `file ${shownPath(name.slice(5))}`;
  if (name.startsWith("env:")) return `environment variable ${name.slice(4)}`;
  const literal = placeOfLiteral(name);
  if (literal !== null) {
    const { file, line, argument } = literal;
    const place = `${sourcePath(file, shownPath)}:${line}`;
    if (argument === undefined) return `the literal at ${place}`;
    return `the number at ${place}, argument ${argument.argument} of ${argument.callee}`;
  }
  return name;
}

/** Mostly printable ASCII and the ends of lines; an empty input is text. */
function isText(bytes: Uint8Array): boolean {
  let other = 0;
  for (const byte of bytes) {
    const plain = (byte >= 0x20 && byte < 0x7f) || byte === NEWLINE || byte === 0x09 || byte === 0x0d;
    if (!plain) other++;
  }
  return other * 5 <= bytes.length;
}

/** Rows of sixteen bytes. */
export function hexRows(difference: InputDifference, limits: DiffLimits = DEFAULT_DIFF_LIMITS): DiffView {
  const { seed, witness } = difference;
  const size = Math.max(seed.length, witness.length);
  return view(difference, limits, (at) => Math.min(size, at + HEX_ROW));
}

/** Rows that end where both have a newline, so that both sides of a row lie side by side. */
export function textRows(difference: InputDifference, limits: DiffLimits = DEFAULT_DIFF_LIMITS): DiffView {
  const { seed, witness } = difference;
  const size = Math.max(seed.length, witness.length);
  return view(difference, limits, (from) => {
    let at = from;
    while (at < size && !(seed[at] === NEWLINE && witness[at] === NEWLINE)) at++;
    return Math.min(size, at + 1);
  });
}

function view({ seed, witness }: InputDifference, limits: DiffLimits, endOf: (at: number) => number): DiffView {
  const size = Math.max(seed.length, witness.length);
  const rows: DiffRow[] = [];
  // Rows that are the same and not shown yet: the last few become context if a changed one follows.
  let waiting: { readonly from: number; readonly to: number }[] = [];
  let gap = 0;
  let shown = 0;
  let contextLeft = 0;
  let hiddenChanges = 0;
  const closeGap = (): void => {
    if (gap > 0) rows.push({ kind: "gap", bytes: gap });
    gap = 0;
  };
  for (let from = 0; from < size; ) {
    const to = endOf(from);
    const changes = changesIn(seed, witness, from, to);
    if (changes > 0 && shown >= limits.changedRows) {
      hiddenChanges += changes;
      gap += to - from;
      contextLeft = 0;
    } else if (changes > 0) {
      closeGap();
      for (const row of waiting) rows.push(sameRow(seed, witness, row.from, row.to, limits.rowBytes));
      waiting = [];
      rows.push(changedRow(seed, witness, from, to, limits.rowBytes));
      shown++;
      contextLeft = limits.context;
    } else if (contextLeft > 0) {
      rows.push(sameRow(seed, witness, from, to, limits.rowBytes));
      contextLeft--;
    } else {
      waiting.push({ from, to });
      if (waiting.length > limits.context || shown >= limits.changedRows) {
        const { from: first, to: last } = waiting.shift() ?? { from, to };
        gap += last - first;
      }
    }
    from = to;
  }
  for (const { from, to } of waiting) gap += to - from;
  closeGap();
  return { rows, hiddenChanges };
}

function changesIn(seed: Uint8Array, witness: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (seed[at] !== witness[at]) count++;
  return count;
}

function cells(bytes: Uint8Array, other: Uint8Array, from: number, to: number): Cell[] {
  const made: Cell[] = [];
  for (let at = from; at < Math.min(to, bytes.length); at++) {
    made.push({ byte: bytes[at], changed: bytes[at] !== other[at] });
  }
  return made;
}

function sameRow(seed: Uint8Array, witness: Uint8Array, from: number, to: number, rowBytes: number): DiffRow {
  return { kind: "same", offset: from, cells: cells(seed, witness, from, Math.min(to, from + rowBytes)) };
}

function changedRow(seed: Uint8Array, witness: Uint8Array, from: number, to: number, rowBytes: number): DiffRow {
  let first = from;
  let last = to;
  if (to - from > rowBytes) {
    let change = from;
    while (seed[change] === witness[change]) change++;
    first = Math.max(from, change - CUT_CONTEXT);
    last = Math.min(to, first + rowBytes);
  }
  return {
    kind: "changed",
    offset: first,
    seed: cells(seed, witness, first, last),
    witness: cells(witness, seed, first, last),
    cutBefore: first - from,
    cutAfter: to - last,
  };
}
