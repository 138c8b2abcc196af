// A patch that somebody gives as a file. The work tree decides which side it is: if the patch can be applied to it, the work tree is the old
// version and what comes out the new one; if it can be taken back, it is applied already, and the work tree is the new version. No
// repository is needed, and no file of the user's is changed: the other version exists in memory until versions.ts writes it.

import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readRegularFile } from "../../support/regular-file.js";
import { visible } from "../../support/visible-text.js";
import type { ChangedFile, Hunk } from "./changes.js";
import { GitProblem } from "./git.js";
import type { Comparison } from "./git-changes.js";
import { DiffError, type ParsedDiff, parseDiff } from "./parse-diff.js";

/** Larger ones are no sources. */
const MOST_BYTES = 0x400_0000;

/** `root`: what the paths of the diff begin at. Throws a GitProblem whose message is for the user. */
export function changesFromDiff(root: string, name: string, bytes: Uint8Array): Comparison {
  const shown = name === "-" ? "the diff on standard input" : visible(name);
  const parsed = parsedDiff(bytes, shown);
  const forward = applied(root, parsed.files);
  const description = name === "-" ? "a diff" : shown;
  const common = { description, oldRevision: null, newRevision: null, notes: parsed.notes };
  if (forward.kind === "applied") {
    return {
      old: { kind: "work tree" },
      new: { kind: "patched", files: forward.contents },
      changes: { ...common, files: forward.files },
    };
  }
  const backward = applied(root, parsed.files.map(reversedFile));
  if (backward.kind === "applied") {
    return {
      old: { kind: "patched", files: backward.contents },
      new: { kind: "work tree" },
      changes: { ...common, files: backward.files.map(reversedFile) },
    };
  }
  throw new GitProblem(
    `${shown} fits neither before nor after the files below ${visible(root)}: ${forward.problem}; ` +
      "check out the version that it was made for, or make it again",
  );
}

function parsedDiff(bytes: Uint8Array, shown: string): ParsedDiff {
  let parsed: ParsedDiff;
  try {
    parsed = parseDiff(bytes);
  } catch (error) {
    if (error instanceof DiffError) throw new GitProblem(`${shown}: ${error.message}`, true);
    throw error;
  }
  if (parsed.files.length === 0 && parsed.notes.length === 0) {
    throw new GitProblem(
      `${shown} has no changes in it; a unified diff is needed, as git diff or diff -u make it`,
      true,
    );
  }
  return parsed;
}

type Applied =
  | {
      readonly kind: "applied";
      readonly contents: ReadonlyMap<string, Buffer | null>;
      /** With the lines at which the hunks really are. */
      readonly files: readonly ChangedFile[];
    }
  | { readonly kind: "no"; readonly problem: string };

function applied(root: string, files: readonly ChangedFile[]): Applied {
  const contents = new Map<string, Buffer | null>();
  const placed: ChangedFile[] = [];
  for (const file of files) {
    const { oldPath, newPath } = file;
    const before = oldPath === null ? null : contentOf(root, oldPath);
    if (oldPath !== null && before === null) return { kind: "no", problem: `there is no ${visible(oldPath)}` };
    if (oldPath === null && newPath !== null && contentOf(root, newPath) !== null) {
      return { kind: "no", problem: `${visible(newPath)} is there already` };
    }
    const after = applyHunks(before ?? Buffer.alloc(0), file.hunks);
    if (after.kind === "no") return { kind: "no", problem: `${visible(oldPath ?? newPath ?? "")}: ${after.problem}` };
    if (oldPath !== null && oldPath !== newPath) contents.set(oldPath, null);
    if (newPath !== null) contents.set(newPath, after.content);
    placed.push({ ...file, hunks: after.hunks });
  }
  return { kind: "applied", contents, files: placed };
}

/** Null if it is no regular file below the root. */
function contentOf(root: string, path: string): Buffer | null {
  const full = join(root, path);
  try {
    // A folder of the tree may be a link.
    if (relative(realpathSync(root), realpathSync(dirname(full))).startsWith("..")) return null;
    if (!lstatSync(full).isFile()) return null;
    return readRegularFile(full, { noLink: true, mostBytes: MOST_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

type Patched =
  | { readonly kind: "applied"; readonly content: Buffer; readonly hunks: readonly Hunk[] }
  | { readonly kind: "no"; readonly problem: string };

/** Where the hunk says, or as near to it as its lines are found. Ends of lines do not matter; new lines get their neighbours'. */
function applyHunks(before: Buffer, hunks: readonly Hunk[]): Patched {
  const text = before.toString("latin1");
  const lines = text === "" ? [] : text.split("\n");
  const endsWithNewline = lines.length > 0 && lines[lines.length - 1] === "";
  if (endsWithNewline) lines.pop();
  const usesReturns = lines.filter((line) => line.endsWith("\r")).length * 2 > lines.length;
  const bare = lines.map((line) => Buffer.from(line.replace(/\r$/, ""), "latin1").toString("utf8"));
  const result: string[] = [];
  const placed: Hunk[] = [];
  let done = 0;
  let moved = 0;
  for (const hunk of hunks) {
    const old = hunk.lines.flatMap(({ kind, text: line }) => (kind === "added" ? [] : [line]));
    if (hunk.lines.some(({ kind, text: line }) => kind === "added" && line.includes("\ufffd"))) {
      return { kind: "no", problem: `the new lines at ${hunk.newStart} are not UTF-8, and would be changed` };
    }
    // A hunk without old lines stands behind the line that it names.
    const wanted = hunk.oldStart - (old.length === 0 ? 0 : 1) + moved;
    const at = placeOf(bare, old, wanted, done);
    if (at === null) return { kind: "no", problem: `the lines at ${hunk.oldStart} are others` };
    moved += at - wanted;
    result.push(...lines.slice(done, at));
    const newStart = result.length + 1;
    let from = at;
    for (const { kind, text: line } of hunk.lines) {
      if (kind === "added") result.push(`${asBytes(line)}${usesReturns ? "\r" : ""}`);
      else if (kind === "context") result.push(lines[from++]);
      else from++;
    }
    const isEmpty = hunk.lines.every(({ kind }) => kind === "removed");
    placed.push({
      ...hunk,
      oldStart: old.length === 0 ? at : at + 1,
      newStart: isEmpty ? newStart - 1 : newStart,
    });
    done = from;
  }
  result.push(...lines.slice(done));
  const end = result.length === 0 || (!endsWithNewline && done < lines.length) ? "" : "\n";
  return { kind: "applied", content: Buffer.from(result.join("\n") + end, "latin1"), hunks: placed };
}

/** The place nearest to the wanted one at which the lines are found, not before `least`. */
function placeOf(lines: readonly string[], old: readonly string[], wanted: number, least: number): number | null {
  const fits = (at: number): boolean =>
    at >= least && at + old.length <= lines.length && old.every((line, index) => lines[at + index] === line);
  if (old.length === 0) return wanted >= least && wanted <= lines.length ? wanted : null;
  for (let distance = 0; distance <= lines.length; distance++) {
    if (fits(wanted - distance)) return wanted - distance;
    if (fits(wanted + distance)) return wanted + distance;
  }
  return null;
}

/** One character a byte, as the file is compared. */
function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function reversedFile({ oldPath, newPath, hunks }: ChangedFile): ChangedFile {
  return { oldPath: newPath, newPath: oldPath, hunks: hunks.map(reversedHunk) };
}

function reversedHunk({ oldStart, newStart, heading, lines }: Hunk): Hunk {
  const turned = { context: "context", added: "removed", removed: "added" } as const;
  return {
    oldStart: newStart,
    newStart: oldStart,
    heading,
    lines: lines.map(({ kind, text }) => ({ kind: turned[kind], text })),
  };
}
