// Moves of what is around a program: entries of directories added and removed, their kinds, modes, sizes and times. Of two
// directories among the operands, one gets what the other has, or loses it.

import type { Invocation, TreeEntry } from "../invocation.js";
import { parentOf } from "./invocation-key.js";
import { type Draft, MOVE_LIMITS } from "./move.js";
import { type MoveContext, operandTexts } from "./pool.js";
import { bytesOf, shown } from "./shown-text.js";
import {
  childrenOf,
  entryAt,
  freshPath,
  isBelow,
  nameOf,
  ownEntries,
  pathOf,
  relativePath,
  withEntries,
  withEntry,
} from "./tree.js";

const MOST_DIRECTORIES = 6;
const MOST_CHANGED = 12;
const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;
const FUTURE = 4_102_444_800;
const LINES = bytesOf("added\nlines\n");
/** Shared by all that have it, so that it is made and looked at once. */
const ZEROS = new Uint8Array(MOVE_LIMITS.fileBytes);
const PAGE = new Uint8Array(4096);

const file = (path: string, bytes = LINES, mode = FILE_MODE): TreeEntry => ({ kind: "file", path, bytes, mode });
const directory = (path: string): TreeEntry => ({ kind: "directory", path, mode: DIRECTORY_MODE, isWhole: true });

interface Added {
  readonly words: string;
  readonly name: string;
  readonly entries: (path: string) => readonly TreeEntry[];
}
const ADDED: readonly Added[] = [
  { words: "a file", name: "added", entries: (path) => [file(path)] },
  { words: "an empty file", name: "added-empty", entries: (path) => [file(path, new Uint8Array(0))] },
  { words: "an empty directory", name: "added-directory", entries: (path) => [directory(path)] },
  {
    words: "a directory with a directory and files in it",
    name: "added-tree",
    entries: (path) => [directory(path), file(`${path}/one`), directory(`${path}/deep`), file(`${path}/deep/two`)],
  },
  { words: "a hidden file", name: ".added", entries: (path) => [file(path)] },
  { words: "a link to nothing", name: "added-link", entries: (path) => [{ kind: "link", path, to: "nothing" }] },
  {
    words: "a link to the directory itself",
    name: "added-cycle",
    entries: (path) => [{ kind: "link", path, to: "." }],
  },
  { words: "a link to itself", name: "added-loop", entries: (path) => [{ kind: "link", path, to: nameOf(path) }] },
  { words: "an executable file", name: "added-program", entries: (path) => [file(path, LINES, 0o755)] },
  { words: "an unreadable file", name: "added-unreadable", entries: (path) => [file(path, LINES, 0)] },
  {
    words: "an unreadable directory",
    name: "added-closed",
    entries: (path) => [{ kind: "directory", path, mode: 0, isWhole: true }],
  },
  { words: "a fifo", name: "added-fifo", entries: (path) => [{ kind: "fifo", path, mode: FILE_MODE }] },
  { words: "a socket", name: "added-socket", entries: (path) => [{ kind: "socket", path, mode: FILE_MODE }] },
  { words: "a file with a blank in its name", name: "added name", entries: (path) => [file(path)] },
  { words: "a file with a newline in its name", name: "added\nname", entries: (path) => [file(path)] },
  { words: "a file with a quote in its name", name: "added'\"name", entries: (path) => [file(path)] },
  { words: "a file whose name is not ASCII", name: "added-\xc3\xa9\xff", entries: (path) => [file(path)] },
  { words: "a file whose name begins with a dash", name: "-added", entries: (path) => [file(path)] },
  { words: "a file with a long name", name: `added-${"x".repeat(240)}`, entries: (path) => [file(path)] },
  {
    words: "a file that is 1 MiB of zeros",
    name: "added-large",
    entries: (path) => [file(path, ZEROS)],
  },
];

export function* directoryMoves(context: MoveContext): Generator<Draft> {
  const { from } = context;
  const own = ownEntries(from, operandTexts(context));
  const directories = directoriesOf(context, own);
  yield* twoSides(context);
  for (const path of directories) yield* additions(from, path);
  const inside = own.filter(({ kind }) => kind !== "directory").slice(0, MOST_CHANGED);
  for (const entry of inside) yield* changes(from, entry);
  for (const path of directories) {
    if (path === from.workingDirectory) continue;
    yield* changes(from, entryAt(from, path) ?? { kind: "directory", path, mode: DIRECTORY_MODE, isWhole: false });
  }
}

/** Those that operands name, those that are in the tree, those around what operands name, and the working directory. */
function directoriesOf(context: MoveContext, own: readonly TreeEntry[]): readonly string[] {
  const { from } = context;
  const named = operandTexts(context).map((text) => pathOf(from, text));
  const known = own.filter(({ kind }) => kind === "directory").map(({ path }) => path);
  const around = own.slice(0, MOST_CHANGED).map(({ path }) => parentOf(path));
  const inside = around.filter((path) => isBelow(path, from.workingDirectory));
  const all = [...named.filter((path) => known.includes(path)), ...known, from.workingDirectory, ...inside];
  return [...new Set(all)].slice(0, MOST_DIRECTORIES);
}

function* additions(from: Invocation, parent: string): Generator<Draft> {
  const where = parent === from.workingDirectory ? "the working directory" : shown(relativePath(from, parent));
  for (const { words, name, entries } of ADDED) {
    const path = freshPath(from, parent, name);
    yield {
      kind: "directory",
      step: `${words}, ${shown(nameOf(path))}, added to ${where}`,
      make: () => withEntries(from, entries(path)),
    };
  }
}

/** What may become of something that is there. */
function* changes(from: Invocation, entry: TreeEntry): Generator<Draft> {
  const { path } = entry;
  const name = shown(relativePath(from, path));
  const become = (words: string, changed: TreeEntry): Draft => ({
    kind: "directory",
    step: `${name} ${words}`,
    make: () => withEntry(from, changed),
  });
  yield become("removed", { kind: "missing", path });
  if (entry.kind === "file" || entry.kind === "directory") {
    yield become("made unreadable", { ...entry, mode: 0 });
    yield become("made a file of the future", { ...entry, modified: FUTURE });
    yield become("made a file of 1970", { ...entry, modified: 0 });
    yield become("made setuid and setgid", { ...entry, mode: entry.mode | 0o6111 });
    yield become("made sticky and open to all", { ...entry, mode: 0o1777 });
    yield become("made writable only", { ...entry, mode: 0o222 });
  }
  if (entry.kind === "file") {
    yield become("made a file of no bytes", { ...entry, bytes: new Uint8Array(0) });
    yield become("made 1 MiB of zeros", { ...entry, bytes: ZEROS });
    yield become("made 4096 zeros", { ...entry, bytes: PAGE });
  }
  if (entry.kind === "directory") {
    const emptied = from.tree.filter((other) => !isBelow(other.path, path) && other.path !== path);
    yield {
      kind: "directory",
      step: `${name} emptied`,
      make: () => ({ ...from, tree: [...emptied, { ...entry, isWhole: true }] }),
    };
  } else yield become("made a directory", directory(path));
  if (entry.kind !== "file") yield become("made a file", file(path));
  yield become("made a link to nothing", { kind: "link", path, to: "nothing" });
  yield become("made a link to itself", { kind: "link", path, to: nameOf(path) });
  yield become("made a fifo", { kind: "fifo", path, mode: FILE_MODE });
  yield become("made a socket", { kind: "socket", path, mode: FILE_MODE });
}

/** Two directories among the operands: what both have is taken from one, what one has is given to the other. */
function* twoSides(context: MoveContext): Generator<Draft> {
  const { from } = context;
  const sides = operandTexts(context)
    .map((text) => pathOf(from, text))
    .filter((path) => entryAt(from, path)?.kind === "directory");
  const [first, second] = new Set(sides);
  if (first === undefined || second === undefined) return;
  for (const [here, there] of [
    [first, second],
    [second, first],
  ]) {
    const name = shown(relativePath(from, there));
    for (const child of childrenOf(from, here).slice(0, MOST_CHANGED)) {
      const path = `${there}/${nameOf(child.path)}`;
      const other = entryAt(from, path);
      if (other === null || other.kind === "missing") {
        yield {
          kind: "directory",
          step: `${shown(nameOf(child.path))} given to ${name} too`,
          make: () => withEntries(from, copies(from, child, path)),
        };
      } else {
        yield {
          kind: "directory",
          step: `${shown(nameOf(child.path))} taken away from ${name} only`,
          make: () => withEntry(from, { kind: "missing", path }),
        };
        if (other.kind !== child.kind) continue;
        yield {
          kind: "directory",
          step: `${shown(nameOf(child.path))} made the same in ${name}`,
          make: () => withEntries(from, copies(from, child, path)),
        };
      }
    }
    const fresh = freshPath(from, there, "only-here");
    for (const [words, entry] of [
      ["a file", file(fresh)],
      ["a directory", directory(fresh)],
    ] as const) {
      yield {
        kind: "directory",
        step: `${words} that is only in ${name}, ${shown(nameOf(fresh))}, added`,
        make: () => withEntry(from, entry),
      };
    }
  }
  const path = freshPath(from, first, "both");
  const twin = `${second}/${nameOf(path)}`;
  yield {
    kind: "directory",
    step: `${shown(nameOf(path))} made a file in one directory and a directory in the other`,
    make: () => withEntries(from, [file(path), directory(twin)]),
  };
}

/** An entry and what is below it, under another path. */
function copies(from: Invocation, entry: TreeEntry, to: string): readonly TreeEntry[] {
  const below = from.tree.filter(({ path, kind }) => isBelow(path, entry.path) && kind !== "missing");
  return [entry, ...below].map((old) => ({ ...old, path: `${to}${old.path.slice(entry.path.length)}` }));
}
