// A witness as a shell script that any POSIX sh runs: it lays out the test's files and directories below a fresh directory, each at its own
// absolute path there, goes to where the test was and runs the program. Words that name such a path are led to the copy, so that
// nothing of the user's is read or written by its name; links that would lead out of the directory are left out. Exported as a
// regression test.

import { dirname, normalize } from "node:path";
import type { InputValue } from "../inputs/input-value.js";
import { isSystemFile } from "../inputs/system-files.js";
import { surroundingsOf, type TestInput, withValues } from "../inputs/test-input.js";
import { movedRoots, pathsIn, plainTree } from "../inputs/tree-paths.js";
import type { FailingOutput, FailingOutputs } from "../vm/files/stream-shape.js";
import type { GivenEntry } from "../vm/given-entry.js";
import { printfFormat, quoted, shellAssignment } from "./shell-words.js";

/** Paths are absolute, one character a byte, without dots: no name leads out of the directory that they are laid out in. */
export interface WitnessFiles {
  /** argv without the program's name. */
  readonly words: readonly Uint8Array[];
  readonly stdin: Uint8Array | null;
  readonly outputs: FailingOutputs;
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** What lies where, parents first; links all stay inside. */
  readonly tree: readonly Laid[];
}

type Laid = Exclude<GivenEntry, { readonly kind: "missing" }>;

export function witnessFiles(test: TestInput, witness: readonly InputValue[]): WitnessFiles {
  const around = surroundingsOf(withValues(test, witness));
  // What is the system's stays where it is.
  const own = test.given.directories ?? [];
  const isOwn = (path: string): boolean => !isSystemFile(`${path}/`, own);
  const { entries, links } = plainTree(test.given.tree ?? []);
  const tree = entries.filter((entry): entry is Laid => {
    // What $(...) gives has no newline at its end.
    if (entry.kind === "missing" || !isOwn(entry.path) || entry.path.endsWith("\n")) return false;
    return entry.kind !== "link" || links.staysInside(entry.path, entry.to);
  });
  const given = (test.given.files ?? []).filter(({ path }) => isOwn(path));
  const files = [...given, ...around.files.map(({ name, bytes }) => ({ path: name, bytes }))];
  return {
    words: around.words.map(({ bytes }) => bytes),
    stdin: around.stdin,
    outputs: test.given.outputs ?? {},
    files: files.map(({ path, bytes }) => ({ path: links.resolved(path, true) ?? normalize(`/${path}`), bytes })),
    tree,
  };
}

export interface ScriptParts {
  /** Up to the directory: `#!`, comments, the program's variable; must set `program`. */
  readonly head: readonly string[];
  /** How the program is started, before its words: "$program". */
  readonly start: string;
  /** After the run; `status` is set. */
  readonly tail: readonly string[];
  /** Name of the folder beside the script with contents too long for it. */
  readonly dataFolder: string;
  /** Contents that are longer lie there; 1024 bytes if nothing is said. */
  readonly inlineBytes?: number;
}

export interface WitnessScript {
  readonly text: string;
  /** What must lie in the data folder. */
  readonly data: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Longer contents are files beside the script. */
const INLINE_BYTES = 1024;

/** `from`: the working directory, as text. */
export function renderScript(witness: WitnessFiles, from: string, parts: ScriptParts): WitnessScript {
  const { words, stdin, outputs, files, tree } = witness;
  const { inlineBytes = INLINE_BYTES } = parts;
  const cwd = normalize(`/${Buffer.from(from).toString("latin1")}`);
  const data: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  const lines = [...parts.head];
  const write = (bytes: Uint8Array, target: string): void => {
    if (bytes.length <= inlineBytes) lines.push(`printf '${printfFormat(bytes)}' >"$work"${target} || exit 99`);
    else {
      const name = dataName(data.length, target);
      data.push({ name, bytes });
      lines.push(`cp "$here"/${quoted(parts.dataFolder)}/${name} "$work"${target} || exit 99`);
    }
  };
  lines.push(
    'here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 99',
    "work=$(mktemp -d) || exit 99",
    'trap \'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"\' EXIT',
  );
  const folders = [cwd, ...[...files, ...tree].map(({ path }) => dirname(path))];
  for (const { kind, path } of tree) if (kind === "directory") folders.push(path);
  const places = [...new Set(folders)].sort().map((path) => `"$work"${shellPath(path)}`);
  for (let at = 0; at < places.length; at += WORDS_A_LINE) {
    lines.push(`mkdir -p ${places.slice(at, at + WORDS_A_LINE).join(" ")} || exit 99`);
  }
  for (const { path, bytes } of files) write(bytes, shellPath(path));
  const written = new Set(files.map(({ path }) => path));
  const shared = new Map<number, string>();
  for (const entry of tree) {
    if (entry.kind === "file" && entry.inode !== undefined && written.has(entry.path)) {
      shared.set(entry.inode, entry.path);
    }
  }
  for (const entry of tree) {
    const other = entry.kind === "file" && entry.inode !== undefined ? shared.get(entry.inode) : undefined;
    if (other !== undefined && other !== entry.path) {
      lines.push(`ln -f "$work"${shellPath(other)} "$work"${shellPath(entry.path)} || exit 99`);
      continue;
    }
    if (entry.kind === "file" && entry.inode !== undefined) shared.set(entry.inode, entry.path);
    lines.push(...entryLines(entry, written.has(entry.path)));
  }
  if (stdin !== null) write(stdin, "/.stdin");
  // The last first: a mode may forbid to go further down.
  for (const entry of [...tree].reverse()) lines.push(...attributeLines(entry));
  const roots = movedRoots(
    cwd,
    [...files, ...tree].map(({ path }) => path),
  );
  for (const [index, word] of words.entries()) lines.push(...wordLines(`word${index}`, word, roots));
  const streams = [
    `<${stdin === null ? "/dev/null" : '"$work"/.stdin'}`,
    ...redirected(">", outputs.stdout),
    ...redirected("2>", outputs.stderr),
  ];
  lines.push(
    `cd "$work"${shellPath(cwd)} || exit 99`,
    `${parts.start}${words.map((_, index) => ` "$word${index}"`).join("")} ${streams.join(" ")}`,
    "status=$?",
    ...parts.tail,
    "",
  );
  return { text: lines.join("\n"), data };
}

const WORDS_A_LINE = 100;

/** A plain file name, each another one; what it will be is seen in it. */
function dataName(index: number, target: string): string {
  const plain = target.replace(/^.*\//, "").replace(/[^A-Za-z0-9._-]|^[._-]+/g, "");
  return `${index}${plain === "" ? "" : `-${plain.slice(0, 60)}`}`;
}

function redirected(operator: string, output: FailingOutput | undefined): string[] {
  // When a reader leaves is a matter of chance.
  if (output === undefined || typeof output === "object") return [];
  return [output === "full" ? `${operator}/dev/full` : `${operator}&-`];
}

/** Names need not be text: those that are not printable are made by printf. */
function shellPath(path: string): string {
  return /^[\x20-\x7e]*$/.test(path) ? quoted(path) : `"$(printf '${printfFormat(Buffer.from(path, "latin1"))}')"`;
}

/** What is neither a directory nor a file with content. */
function entryLines(entry: Laid, isWritten: boolean): string[] {
  const place = `"$work"${shellPath(entry.path)}`;
  switch (entry.kind) {
    case "file":
      if (isWritten) return [];
      return [`dd if=/dev/null of=${place} bs=1 seek=${entry.size} count=0 2>/dev/null || exit 99`];
    case "link": {
      const target = `${entry.to.startsWith("/") ? '"$work"' : ""}${shellPath(entry.to)}`;
      return [`ln -s -- ${target} ${place} || exit 99`];
    }
    case "fifo":
      return [`mkfifo ${place} || exit 99`];
    default:
      return [];
  }
}

/** Times before modes. Nobody's rights come with a test. */
function attributeLines(entry: Laid): string[] {
  if (entry.kind === "socket" || entry.kind === "character" || entry.kind === "block") return [];
  const place = `"$work"${shellPath(entry.path)}`;
  const time = entry.modified === undefined ? null : isoTime(entry.modified);
  const touch = time === null ? [] : [`touch ${entry.kind === "link" ? "-h " : ""}-d ${time} ${place} 2>/dev/null`];
  if (entry.kind === "link") return touch;
  const mode = entry.mode & 0o1777;
  const usual = entry.kind === "directory" ? 0o755 : 0o644;
  return mode === usual ? touch : [...touch, `chmod ${mode.toString(8)} ${place} || exit 99`];
}

/** In UTC, as touch takes it; null if no calendar has it. */
function isoTime(seconds: number): string | null {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) || seconds < 0 ? null : `${date.toISOString().slice(0, 19)}Z`;
}

/** Before each absolute path of the test comes the directory. */
function wordLines(name: string, word: Uint8Array, roots: readonly string[]): string[] {
  const at = pathsIn(Buffer.from(word).toString("latin1"), roots);
  if (at.length === 0) return [shellAssignment(name, word)];
  const lines = [shellAssignment(name, word.subarray(0, at[0]))];
  for (const [index, start] of at.entries()) {
    lines.push(shellAssignment("path", word.subarray(start, at[index + 1])), `${name}=$${name}$work$path`);
  }
  return lines;
}
