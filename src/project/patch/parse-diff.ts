// A unified diff as `Changes` have it: what git prints, and what people send by mail. A diff may come from anybody, so nothing in it is
// believed: paths are made safe (none leads out of the tree), counts are checked, and sizes are bounded.
// Invariant: a hunk's lines are exactly those its header counts; text that does not keep to it is refused with its line.

import { visible } from "../../support/visible-text.js";
import type { ChangedFile, DiffLine, Hunk } from "./changes.js";

/** More was not written by people, and no reviewer reads it. */
export const MOST_DIFF_BYTES = 0x400_0000;
const MOST_LINES = 2_000_000;

export interface ParsedDiff {
  readonly files: readonly ChangedFile[];
  readonly notes: readonly string[];
}

export class DiffError extends Error {}

/** Throws a DiffError that names the line. */
export function parseDiff(bytes: Uint8Array): ParsedDiff {
  if (bytes.length > MOST_DIFF_BYTES) {
    throw new DiffError(`it has ${bytes.length} bytes, and at most ${MOST_DIFF_BYTES} are read; split it`);
  }
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1").split("\n");
  if (lines.length > MOST_LINES) throw new DiffError(`it has more than ${MOST_LINES} lines; split it`);
  return new DiffParser(lines).parse();
}

/** Of one file, while its header is read. */
interface Header {
  oldPath: string | null;
  newPath: string | null;
  isNew: boolean;
  isDeleted: boolean;
  isBinary: boolean;
  isRenamed: boolean;
  oldMode: string | null;
  newMode: string | null;
}

const SUBMODULE = "160000";
const LINK = "120000";

class DiffParser {
  private readonly files: ChangedFile[] = [];
  private readonly notes: string[] = [];
  private at = 0;

  constructor(private readonly lines: readonly string[]) {}

  parse(): ParsedDiff {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at];
      if (line.startsWith("diff --git ")) this.gitFile(line);
      else if (line.startsWith("diff --cc ") || line.startsWith("diff --combined ")) {
        throw this.wrong("it is the combined diff of a merge; make one against a single parent: git diff OLD NEW");
      } else if (line.startsWith("--- ") && this.lines[this.at + 1]?.startsWith("+++ ")) this.plainFile();
      else this.at++;
    }
    return { files: this.files, notes: this.notes };
  }

  private gitFile(first: string): void {
    const names = namesOfGitLine(withoutEnd(first).slice("diff --git ".length));
    const header: Header = {
      oldPath: names?.[0] ?? null,
      newPath: names?.[1] ?? null,
      isNew: false,
      isDeleted: false,
      isBinary: false,
      isRenamed: false,
      oldMode: null,
      newMode: null,
    };
    this.at++;
    while (this.at < this.lines.length && this.headerLine(header)) this.at++;
    this.finish(header);
  }

  /** False if it is none of the header's. */
  private headerLine(header: Header): boolean {
    const line = withoutEnd(this.lines[this.at]);
    const [, word = "", rest = ""] =
      /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to) (.*)$/.exec(line) ??
      [];
    switch (word) {
      case "old mode":
        header.oldMode = rest;
        return true;
      case "new mode":
        header.newMode = rest;
        return true;
      case "new file mode":
        header.isNew = true;
        header.newMode = rest;
        return true;
      case "deleted file mode":
        header.isDeleted = true;
        header.oldMode = rest;
        return true;
      case "rename from":
        header.oldPath = unquoted(rest);
        header.isRenamed = true;
        return true;
      case "rename to":
        header.newPath = unquoted(rest);
        return true;
      case "copy from":
      case "copy to":
        throw this.wrong("it copies files, which is not understood; make it again without: git diff --no-renames");
    }
    const index = /^index [0-9a-f]+\.\.[0-9a-f]+(?: (\d+))?$/.exec(line);
    if (index !== null) {
      header.oldMode ??= index[1] ?? null;
      header.newMode ??= index[1] ?? null;
      return true;
    }
    if (/^(similarity|dissimilarity) index /.test(line)) return true;
    if (line.startsWith("Binary files ") || line === "GIT binary patch") {
      header.isBinary = true;
      return true;
    }
    if (line.startsWith("--- ")) {
      const path = sideOf(line.slice(4));
      if (path === null) header.isNew = true;
      else header.oldPath = path;
      return true;
    }
    if (line.startsWith("+++ ")) {
      const path = sideOf(line.slice(4));
      if (path === null) header.isDeleted = true;
      else header.newPath = path;
      return true;
    }
    return false;
  }

  /** Without git's header, as diff -u makes it. */
  private plainFile(): void {
    const oldPath = sideOf(withoutEnd(this.lines[this.at]).slice(4));
    const newPath = sideOf(withoutEnd(this.lines[this.at + 1]).slice(4));
    this.at += 2;
    const isNew = oldPath === null || (this.lines[this.at] ?? "").startsWith("@@ -0,0 ");
    const isDeleted = newPath === null || /^@@ -\S+ \+0,0 /.test(this.lines[this.at] ?? "");
    const [oldName, newName] = sameName(oldPath ?? newPath ?? "", newPath ?? oldPath ?? "");
    this.finish({
      oldPath: oldName,
      newPath: newName,
      isNew,
      isDeleted: isDeleted && !isNew,
      isBinary: false,
      isRenamed: false,
      oldMode: null,
      newMode: null,
    });
  }

  private finish(header: Header): void {
    const hunks = this.hunks();
    const oldPath = header.isNew ? null : header.oldPath;
    const newPath = header.isDeleted ? null : header.newPath;
    const name = newPath ?? oldPath;
    if (name === null) throw this.wrong("a file's name cannot be made out");
    const shown = visible(name);
    const unsafe = [oldPath, newPath].find((path) => path !== null && !isSafePath(path)) ?? null;
    if (unsafe !== null && (unsafe.startsWith("/") || unsafe.split("/").includes(".."))) {
      throw this.wrong(`the path ${visible(unsafe)} leads out of the tree; nothing of this diff was used`);
    }
    if (unsafe !== null) {
      this.notes.push(
        `${shown} is left out: names that are not UTF-8, or that git or tangent keep for themselves, are not used`,
      );
      return;
    }
    if (header.oldMode === SUBMODULE || header.newMode === SUBMODULE) {
      this.notes.push(`${shown} is a submodule: what changed inside of it is not looked at`);
      return;
    }
    if (header.isBinary) {
      this.notes.push(`${shown} is a binary file: it has no lines to be covered`);
      // Whoever reads tests from it must know that it has changed.
      this.files.push({ oldPath, newPath, hunks: [] });
      return;
    }
    if (header.oldMode === LINK || header.newMode === LINK) {
      this.notes.push(`${shown} is a symbolic link: what it leads to is not looked at`);
      return;
    }
    if (hunks.length > 0 || header.isRenamed || header.isNew || header.isDeleted) {
      this.files.push({ oldPath, newPath, hunks });
      if (hunks.length === 0 && header.isRenamed) this.notes.push(`${shown} was only renamed: no line changed`);
      return;
    }
    if (header.oldMode !== header.newMode) this.notes.push(`${shown}: only its mode has changed`);
  }

  private hunks(): Hunk[] {
    const hunks: Hunk[] = [];
    for (; this.at < this.lines.length; ) {
      const match = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/.exec(
        withoutEnd(this.lines[this.at]),
      );
      if (match === null) return hunks;
      const [, oldStart, oldCount = "1", newStart, newCount = "1", heading] = match;
      const begins = this.at++;
      const lines = this.hunkLines(Number(oldCount), Number(newCount), begins);
      hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), heading: utf8(heading), lines });
    }
    return hunks;
  }

  private hunkLines(oldCount: number, newCount: number, begins: number): DiffLine[] {
    const found: DiffLine[] = [];
    let oldLeft = oldCount;
    let newLeft = newCount;
    while (oldLeft > 0 || newLeft > 0) {
      const line = this.lines[this.at];
      // The last piece of a text that ends with a newline is no line.
      const isEnd = line === undefined || (line === "" && this.at === this.lines.length - 1);
      const sign = isEnd ? "" : line === "" || line === "\r" ? " " : line[0];
      if (sign === "\\") {
        this.at++;
        continue;
      }
      if (sign === " ") {
        oldLeft--;
        newLeft--;
      } else if (sign === "-") oldLeft--;
      else if (sign === "+") newLeft--;
      else
        throw this.wrong("this hunk ends before all the lines that its header counts; the diff was cut short", begins);
      if (oldLeft < 0 || newLeft < 0) throw this.wrong("this hunk has other lines than its header counts", begins);
      const kind = sign === "+" ? "added" : sign === "-" ? "removed" : "context";
      found.push({ kind, text: utf8(withoutEnd(line.slice(1))) });
      this.at++;
    }
    // "\ No newline at end of file"
    while (this.lines[this.at]?.startsWith("\\ ")) this.at++;
    return found;
  }

  private wrong(problem: string, at = Math.min(this.at, this.lines.length - 1)): DiffError {
    return new DiffError(`line ${at + 1}: ${problem}`);
  }
}

function withoutEnd(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}

/** `--- a/x.c<tab>2011-01-01`; null for /dev/null. */
function sideOf(text: string): string | null {
  const name = text.startsWith('"') ? unquoted(text.slice(0, text.lastIndexOf('"') + 1)) : utf8(text.split("\t")[0]);
  const plain = name.trimEnd();
  return plain === "/dev/null" ? null : withoutPrefix(plain);
}

/** git's a/ and b/, and those of its option mnemonicPrefix. */
function withoutPrefix(path: string): string {
  return /^[abciwo]\//.test(path) ? path.slice(2) : path;
}

/** `diff -ru old-1.0/x.c new-1.1/x.c` names the directories too: what both have in common at the end is the file. */
function sameName(oldPath: string, newPath: string): readonly [oldPath: string, newPath: string] {
  if (oldPath === newPath) return [oldPath, newPath];
  const oldNames = oldPath.replace(/\.orig$/, "").split("/");
  const newNames = newPath.split("/");
  const [first, ...oldRest] = oldNames;
  const [second, ...newRest] = newNames;
  if (first !== second && oldRest.length > 0 && oldRest.join("/") === newRest.join("/")) {
    return [oldRest.join("/"), newRest.join("/")];
  }
  return oldNames.join("/") === newPath ? [newPath, newPath] : [oldPath, newPath];
}

/** The two names in git's first line, which says nothing of where one ends: with no rename they are the same. */
function namesOfGitLine(text: string): readonly [string, string] | null {
  if (text.startsWith('"') || text.endsWith('"')) {
    const parts = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|.+)$/.exec(text);
    return parts === null ? null : [withoutPrefix(unquoted(parts[1])), withoutPrefix(unquoted(parts[2]))];
  }
  const middle = (text.length - 1) / 2;
  const first = text.slice(0, middle);
  const second = text.slice(middle + 1);
  if (Number.isInteger(middle) && text[middle] === " " && withoutPrefix(first) === withoutPrefix(second)) {
    return [utf8(withoutPrefix(first)), utf8(withoutPrefix(second))];
  }
  return null;
}

const ESCAPES: { readonly [char: string]: number } = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/** `"\303\244.c"` as git quotes it, in octal a byte; a name without quotes is as it is. */
export function unquoted(text: string): string {
  const match = /^"((?:[^"\\]|\\.)*)"$/.exec(text);
  if (match === null) return utf8(text);
  const bytes: number[] = [];
  const inner = match[1];
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] !== "\\") {
      bytes.push(inner.charCodeAt(at));
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(inner.slice(at + 1, at + 4));
    if (octal !== null) {
      bytes.push(Number.parseInt(octal[0], 8));
      at += 3;
    } else bytes.push(ESCAPES[inner[++at]] ?? inner.charCodeAt(at));
  }
  return Buffer.from(bytes).toString("utf8");
}

/** Relative, below the tree, and nothing of git's or ours. */
export function isSafePath(path: string): boolean {
  if (path === "" || path.startsWith("/") || path.includes("\0") || path.includes("\ufffd")) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && !isReserved(name));
}

function isReserved(name: string): boolean {
  return /^\.git$/i.test(name) || name === ".tangent";
}
