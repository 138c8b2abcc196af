// Building out of tree: the sources are copied to .tangent/build and built there, so that the user's own build stays as it
// is, whatever the build system. An out-of-tree configure would do for some of them, but refuses to work beside a tree
// that is configured already, and plain makefiles know nothing of the kind.
//
// What a build has made must not come along, or make would take a native object for up to date. In a git work tree git
// knows what is a source; elsewhere objects, archives, executables and what configure writes are left out.
// Names of files are one character a byte here: some are no UTF-8, and a test suite may need just these.
// Invariant: nothing outside of .tangent/build is written, also where a link that an earlier copy brought, or that came with
// the repository, stands in the way.

import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { contentHash } from "./content-hash.js";
import { Git, GitProblem } from "./patch/git.js";
import { isSafePath } from "./patch/parse-diff.js";
import { type ProjectFolder, writeSafely } from "./project-folder.js";
import type { ProjectState } from "./state-folder.js";

const LEFT_OUT =
  /^(\.git|\.tangent|\.tangent-moved-.*|\.hg|\.svn|node_modules|CMakeFiles|autom4te\.cache|\.deps|\.libs|meson-private)$/;
const MADE =
  /\.(o|lo|a|la|so|obj|gcda|gcno)$|^(config\.(status|log|cache)|CMakeCache\.txt|build\.ninja|libtool|stamp-h\d*)$/;

/** Times are kept to about a millisecond only. */
const TIME_STEP_MS = 2;

/** A path as the file system takes it, of a folder and a name in it. */
function placeOf(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, "latin1")]);
}

export interface CopyResult {
  readonly directory: string;
  readonly copied: number;
  readonly files: number;
}

/** Brings the copy up to date: what is new or has changed is copied, with its time; what an earlier copy brought and is gone is removed. */
export function copySources(folder: ProjectFolder, state: ProjectState | null = null): CopyResult {
  const directory = folder.directory("build");
  const names = sourcesBelow(folder.root);
  if (state !== null) removeGone(directory, names, state);
  const copied = copyTree({ from: folder.root, to: directory }, names);
  return { directory, copied, files: names.length };
}

/** Names of what is a source there. */
export function sourcesBelow(root: string): string[] {
  return gitFiles(root) ?? filesWithoutGit(root);
}

/** Of the names and contents of all sources, and of what else matters. */
export function identityOfTree(root: string, more = ""): string {
  const hash = createHash("sha256").update(more);
  for (const name of sourcesBelow(root)) hash.update(`\0${name}\0${contentHash(placeOf(root, name)) ?? ""}`);
  return hash.digest("hex");
}

interface CopiedTree {
  readonly from: string;
  readonly to: string;
}

/** Gives how many had to be copied. */
export function copyTree({ from, to }: CopiedTree, names: readonly string[]): number {
  let copied = 0;
  const made = new Set<string>();
  for (const name of names) {
    makeRealFolders(to, dirname(name), made);
    const kind = copyOne(placeOf(from, name), placeOf(to, name));
    if (kind !== null) copied++;
    // It may be in the place of a folder, and an index that somebody made names more below it.
    if (kind === "link") made.clear();
  }
  return copied;
}

/** Names of the last copy's files, in the state folder: what they say is removed. */
const LIST = "build-copy.files";

function removeGone(directory: string, names: readonly string[], state: ProjectState): void {
  const known = new Set(names);
  for (const name of namesOfLastCopy(state)) {
    const parts = name.split("/");
    if (known.has(name) || name.startsWith("/") || parts.includes("..") || parts.includes("")) continue;
    const isReal = parts.slice(0, -1).every((_, index) => {
      const above = lstatSync(placeOf(directory, parts.slice(0, index + 1).join("/")), { throwIfNoEntry: false });
      return above?.isDirectory() === true;
    });
    const there = isReal ? lstatSync(placeOf(directory, name), { throwIfNoEntry: false }) : undefined;
    if (there !== undefined && !there.isDirectory()) unlinkSync(placeOf(directory, name));
  }
  writeSafely(state.file(LIST), Buffer.from(names.join("\0"), "latin1"), PRIVATE_FILE);
}

function namesOfLastCopy(state: ProjectState): string[] {
  try {
    const path = state.known(LIST);
    return path === null ? [] : readFileSync(path, "latin1").split("\0");
  } catch {
    return [];
  }
}

/** As many names as memory holds. */
const MOST_BYTES_OF_NAMES = 1 << 28;

/** Tracked files, and new ones that are not ignored; null outside of git. An index that somebody made may name any path. */
function gitFiles(root: string): string[] | null {
  if (!existsSync(join(root, ".git"))) return null;
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  try {
    const listed = new Git(root, process.env).read(words, { mostBytes: MOST_BYTES_OF_NAMES }).toString("latin1");
    return listed.split("\0").filter((name) => isSafePath(name) && !LEFT_OUT.test(name.split("/")[0]));
  } catch (error) {
    if (error instanceof GitProblem) return null;
    throw error;
  }
}

/** Sources below a folder that git knows nothing of: what does not look as if a build had made it. */
export function filesWithoutGit(root: string): string[] {
  const names: string[] = [];
  const pending = [""];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = readdirSync(placeOf(root, at), { withFileTypes: true, encoding: "latin1" });
    const here = new Set(entries.map(({ name }) => name));
    // A folder that cmake or meson has built in; sources are not kept there.
    if (at !== "" && (here.has("CMakeCache.txt") || here.has("meson-private"))) continue;
    for (const entry of entries) {
      const name = at === "" ? entry.name : `${at}/${entry.name}`;
      if (LEFT_OUT.test(entry.name) || MADE.test(entry.name)) continue;
      // Written by configure or cmake.
      if (entry.name === "Makefile" && (here.has("Makefile.in") || here.has("CMakeCache.txt"))) continue;
      if (here.has(`${entry.name}.in`) && entry.name.endsWith(".h") && here.has("config.status")) continue;
      if (entry.isDirectory()) pending.push(name);
      else if (entry.isSymbolicLink() || (entry.isFile() && !isElf(placeOf(root, name)))) names.push(name);
    }
  }
  return names.sort();
}

function isElf(path: Buffer): boolean {
  const start = Buffer.alloc(4);
  try {
    const file = openSync(path, "r");
    readSync(file, start, 0, 4, 0);
    closeSync(file);
  } catch {
    return false;
  }
  return start.readUInt32BE(0) === 0x7f454c46;
}

/** Folders of the copy are folders: a link in the place of one is replaced. */
export function makeRealFolders(directory: string, below: string, made: Set<string>): void {
  if (below === "." || made.has(below)) return;
  makeRealFolders(directory, dirname(below), made);
  const path = placeOf(directory, below);
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status !== undefined && !status.isDirectory()) unlinkSync(path);
  mkdirSync(path, { recursive: true });
  made.add(below);
}

/** What was copied; null if nothing had to be. */
function copyOne(from: Buffer, to: Buffer): "link" | "file" | null {
  let status: ReturnType<typeof lstatSync>;
  try {
    status = lstatSync(from);
  } catch {
    // Tracked by git, but deleted.
    return null;
  }
  if (status.isDirectory()) return null;
  const known = lstatSync(to, { throwIfNoEntry: false }) ?? null;
  if (status.isSymbolicLink()) {
    const target = readlinkSync(from, "buffer");
    if (known?.isSymbolicLink() && readlinkSync(to, "buffer").equals(target)) return null;
    rmSync(to, { recursive: true, force: true });
    symlinkSync(target, to);
    return "link";
  }
  // A build may write over what it was given; then the times differ, and that is the build's business.
  const isFile = known?.isFile() === true;
  if (isFile && known.mtimeMs >= status.mtimeMs - TIME_STEP_MS && known.size === status.size) return null;
  if (!status.isFile()) return null;
  if (known !== null && !isFile) rmSync(to, { recursive: true, force: true });
  copyFileSync(from, to);
  chmodSync(to, status.mode & 0o777);
  utimesSync(to, status.atime, status.mtime);
  return "file";
}
