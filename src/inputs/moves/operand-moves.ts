// Operands that name other kinds of things: standard input, a device, nothing, a directory, a file that is empty, binary, unreadable
// or a link. What they name is added to the tree.

import type { Invocation, InvocationInput, TreeEntry } from "../invocation.js";
import { withArguments } from "./command-line.js";
import type { Draft } from "./move.js";
import { type MoveContext, operandTexts } from "./pool.js";
import { bytesOf, shown } from "./shown-text.js";
import {
  entryAt,
  type FileEntry,
  freshPath,
  isFile,
  nameOf,
  ownEntries,
  pathOf,
  relativePath,
  withEntries,
} from "./tree.js";

interface Kind {
  /** "an empty file". */
  readonly words: string;
  readonly name: string;
  /** What is to be there; the first is the operand. Null: it cannot be made here. */
  readonly entries: (path: string, file: FileEntry | null, from: Invocation) => readonly TreeEntry[] | null;
}

const BINARY = bytesOf("\x7fELF\x00\x01\x02\xff\xfe\x00a\nb\x00\n");
const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

const directory = (path: string): TreeEntry => ({ kind: "directory", path, mode: DIRECTORY_MODE, isWhole: true });
const regular = (path: string, bytes: Uint8Array, mode = FILE_MODE): TreeEntry => ({ kind: "file", path, bytes, mode });

const KINDS: readonly Kind[] = [
  { words: "a missing file", name: "made-missing", entries: (path) => [{ kind: "missing", path }] },
  { words: "an empty directory", name: "made-directory", entries: (path) => [directory(path)] },
  {
    words: "a directory with the file in it",
    name: "made-parent",
    entries: (path, file) =>
      file === null ? null : [directory(path), { ...file, path: `${path}/${nameOf(file.path)}` }],
  },
  { words: "an empty file", name: "made-empty", entries: (path) => [regular(path, new Uint8Array(0))] },
  {
    words: "a copy of the file without a last newline",
    name: "made-unended",
    entries: (path, file) => [regular(path, withoutNewline(file?.bytes ?? bytesOf("a\nb")))],
  },
  { words: "a binary file", name: "made-binary", entries: (path) => [regular(path, BINARY)] },
  { words: "a file with one line", name: "made-line", entries: (path) => [regular(path, bytesOf("a\n"))] },
  {
    words: "a copy of the file",
    name: "made-copy",
    entries: (path, file) => (file === null ? null : [{ ...file, path }]),
  },
  {
    words: "a symbolic link to the file",
    name: "made-link",
    entries: (path, file) => (file === null ? null : [{ kind: "link", path, to: file.path }]),
  },
  {
    words: "a symbolic link to the working directory",
    name: "made-upward-link",
    entries: (path, _, from) => [{ kind: "link", path, to: from.workingDirectory }],
  },
  {
    words: "a symbolic link to nothing",
    name: "made-dangling",
    entries: (path) => [{ kind: "link", path, to: "made-nothing" }],
  },
  {
    words: "a symbolic link to itself",
    name: "made-loop",
    entries: (path) => [{ kind: "link", path, to: nameOf(path) }],
  },
  { words: "an unreadable file", name: "made-unreadable", entries: (path) => [regular(path, bytesOf("a\n"), 0)] },
  {
    words: "an unreadable directory",
    name: "made-closed",
    entries: (path) => [{ kind: "directory", path, mode: 0, isWhole: true }],
  },
  { words: "a fifo", name: "made-fifo", entries: (path) => [{ kind: "fifo", path, mode: FILE_MODE }] },
  { words: "a socket", name: "made-socket", entries: (path) => [{ kind: "socket", path, mode: FILE_MODE }] },
  {
    words: "a file whose name has a blank and a newline",
    name: "made name\nof two lines",
    entries: (path, file) => [regular(path, file?.bytes ?? bytesOf("a\n"))],
  },
  {
    words: "a file whose name is not ASCII",
    name: "made-\xc3\xa9\xff",
    entries: (path, file) => [regular(path, file?.bytes ?? bytesOf("a\n"))],
  },
];

/** Names that mean something without being made. */
const NAMES = ["-", "/dev/null", "/dev/full", "", ".", "/"];
const MOST_OPERANDS = 4;

export function* operandMoves(context: MoveContext): Generator<Draft> {
  const { from, line } = context;
  const { texts } = line;
  const operands = line.operands.slice(0, MOST_OPERANDS);
  const replaced = (at: number, text: string, words: string, entries: () => readonly TreeEntry[] | null): Draft => ({
    kind: "operand",
    step: `${shown(texts[at])} replaced by ${words}`,
    make: () => {
      const added = entries();
      const made = added === null ? null : withEntries(from, added);
      return made === null ? null : withArguments(made, texts.with(at, text));
    },
  });
  const named = NAMES.map((name) => operands.map((at) => replaced(at, name, shown(name), () => [])));
  yield* named.slice(0, 3).flat();
  yield* throughPipes(context);
  for (const kind of KINDS) {
    const path = freshPath(from, from.workingDirectory, kind.name);
    const text = relativePath(from, path);
    for (const at of operands) {
      const entry = entryAt(from, pathOf(from, texts[at]));
      yield replaced(at, text, `${kind.words}, ${shown(text)}`, () =>
        kind.entries(path, isFile(entry) ? entry : null, from),
      );
    }
    if (operands.length > 0) continue;
    const known = ownEntries(from, operandTexts(context)).find(isFile) ?? null;
    yield {
      kind: "operand",
      step: `${kind.words}, ${shown(text)}, given as an operand`,
      make: () => {
        const entries = kind.entries(path, known, from);
        const made = entries === null ? null : withEntries(from, entries);
        return made === null ? null : withArguments(made, [...texts, text]);
      },
    };
  }
  yield* named.slice(3).flat();
}

/**
 * What names a file, as an operand, an option's value or behind an option's `=`, made `-`: the file comes through a pipe, or standard
 * input is closed.
 */
function* throughPipes({ from, line }: MoveContext): Generator<Draft> {
  const { texts } = line;
  for (const [at, text] of texts.entries()) {
    const option = /^--[^=]+=/.exec(text)?.[0] ?? "";
    const entry = entryAt(from, pathOf(from, text.slice(option.length)));
    if (!isFile(entry)) continue;
    const instead = (words: string, stdin: InvocationInput): Draft => ({
      kind: "operand",
      step: `${shown(text)} made ${shown(`${option}-`)}, and ${words}`,
      make: () => withArguments({ ...from, stdin }, texts.with(at, `${option}-`)),
    });
    yield instead("what the file holds given through a pipe", {
      kind: "bytes",
      bytes: entry.bytes,
      regularFile: false,
    });
    yield instead("standard input closed", { kind: "closed" });
  }
}

function withoutNewline(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
}
