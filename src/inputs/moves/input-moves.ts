// Moves of what a program reads: standard input and files. Files that the operands name come first, and two of them are also
// compared with each other: programs that read two look for what they share.

import type { Invocation, TreeEntry } from "../invocation.js";
import { changed, contentEdits, linesOf, otherCase } from "./content-edits.js";
import type { Draft } from "./move.js";
import { type Content, type MoveContext, operandTexts } from "./pool.js";
import { bytesOf, shown, textOf } from "./shown-text.js";
import { type FileEntry, isFile, ownEntries, relativePath, withEntries, withEntry } from "./tree.js";

const MOST_FILES = 8;
const MOST_TAKEN = 8;
/** Longer files are not edited by lines. */
const LONGEST_EDITED = 262_144;

function filesOf(context: MoveContext): readonly FileEntry[] {
  return ownEntries(context.from, operandTexts(context)).filter(isFile).slice(0, MOST_FILES);
}

export function* fileMoves(context: MoveContext): Generator<Draft> {
  const { from, pool } = context;
  const files = filesOf(context);
  const name = ({ path }: TreeEntry): string => shown(relativePath(from, path));
  yield* pairMoves(from, files, name);
  for (const file of files) {
    if (file.bytes.length > LONGEST_EDITED) continue;
    const donors = [...files.filter((other) => other !== file).map(contentOf), ...pool.files];
    for (const { step, make } of contentEdits(file.bytes, donors)) {
      yield {
        kind: "file",
        step: step(name(file)),
        make: () => withEntry(from, { ...file, bytes: make(file.bytes) }),
      };
    }
    for (const content of pool.files.slice(0, MOST_TAKEN)) {
      yield {
        kind: "file",
        step: `${name(file)} given what ${shown(content.name)} of another test holds`,
        make: () => withEntry(from, { ...file, bytes: content.bytes }),
      };
    }
  }
}

function* pairMoves(
  from: Invocation,
  files: readonly FileEntry[],
  name: (entry: TreeEntry) => string,
): Generator<Draft> {
  for (const [n, a] of files.slice(0, 3).entries()) {
    for (const b of files.slice(n + 1, 3)) {
      yield {
        kind: "file",
        step: `what ${name(a)} and ${name(b)} hold exchanged`,
        make: () =>
          withEntries(from, [
            { ...a, bytes: b.bytes },
            { ...b, bytes: a.bytes },
          ]),
      };
      const likened = (words: string, change: (bytes: Uint8Array) => Uint8Array): Draft => ({
        kind: "file",
        step: `${name(b)} made equal to ${name(a)}${words}`,
        make: () => withEntry(from, { ...b, bytes: change(a.bytes) }),
      });
      yield likened("", (bytes) => bytes);
      for (const [words, change] of DIFFERENCES) yield likened(words, change);
    }
  }
}

const byLine =
  (which: (lines: readonly string[]) => number, change: (line: string) => string) =>
  (bytes: Uint8Array): Uint8Array => {
    const lines = linesOf(textOf(bytes));
    const at = which(lines);
    lines[at] = change(lines[at] ?? "");
    return bytesOf(lines.join(""));
  };
const first = (): number => 0;
const middle = (lines: readonly string[]): number => lines.length >> 1;
const last = (lines: readonly string[]): number => Math.max(0, lines.length - 1);

const DIFFERENCES: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  [" but for one line in the middle", byLine(middle, changed)],
  [" but for its first line", byLine(first, changed)],
  [" but for its last line", byLine(last, changed)],
  [" but for a line more", byLine(middle, (line) => `added\n${line}`)],
  [" but for an empty line more", byLine(middle, (line) => `\n${line}`)],
  [" but for a line less", byLine(middle, () => "")],
  [" but for the case of a line", byLine(middle, otherCase)],
  [" but for blanks at the end of a line", byLine(middle, (line) => line.replace(/\n?$/, "  \n"))],
  [" but for the blanks of a line", byLine(middle, (line) => ` ${line.replaceAll(" ", "   ")}`)],
  [" but for a tab", byLine(middle, (line) => `\t${line}`)],
  [" but for a carriage return", byLine(middle, (line) => line.replace(/\n?$/, "\r\n"))],
  [" but for the last newline", (bytes) => (bytes.at(-1) === 10 ? bytes.slice(0, -1) : bytesOf(`${textOf(bytes)}\n`))],
  [" but for its last byte", (bytes) => (bytes.length === 0 ? bytesOf("a") : bytes.slice(0, -1))],
];

const BINARY = bytesOf("\x00\x01\x02\xff\xfe\x00a\n\x80\x00\n");

export function* stdinMoves(context: MoveContext): Generator<Draft> {
  const { from, pool } = context;
  const { stdin } = from;
  const given = (step: string, bytes: () => Uint8Array, regularFile = false): Draft => ({
    kind: "stdin",
    step,
    make: () => ({ ...from, stdin: { kind: "bytes", bytes: bytes(), regularFile } }),
  });
  const files = filesOf(context);
  if (stdin.kind === "bytes" && stdin.bytes.length <= LONGEST_EDITED) {
    const donors = [...files.map(contentOf), ...pool.files];
    for (const { step, make } of contentEdits(stdin.bytes, donors)) {
      yield given(step("standard input"), () => make(stdin.bytes), stdin.regularFile);
    }
    const other = stdin.regularFile ? "made a pipe" : "made a regular file";
    yield given(`standard input ${other}`, () => stdin.bytes, !stdin.regularFile);
  }
  for (const file of files) {
    const name = shown(relativePath(from, file.path));
    yield given(`standard input given what ${name} holds`, () => file.bytes);
    yield given(`standard input made the file ${name}`, () => file.bytes, true);
  }
  for (const bytes of pool.stdins.slice(0, MOST_TAKEN)) {
    yield given("standard input taken from another test", () => bytes);
  }
  for (const kind of ["empty", "closed", "terminal"] as const) {
    yield { kind: "stdin", step: STDIN_KINDS[kind], make: () => ({ ...from, stdin: { kind } }) };
  }
  yield given("standard input made a line", () => bytesOf("a\n"));
  yield given("standard input made binary", () => BINARY);
}

const STDIN_KINDS = {
  empty: "standard input made /dev/null",
  closed: "standard input closed",
  terminal: "standard input made a terminal at which nobody types",
} as const;

function contentOf({ path, bytes }: FileEntry): Content {
  return { name: path.slice(path.lastIndexOf("/") + 1), bytes };
}
