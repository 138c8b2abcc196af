// Source trees of two versions side by side, to be built: .tangent/patch/old and .tangent/patch/new. Only files whose content is another
// than at the last time are written, so that make builds little; all that are written at one time get one time stamp, so that
// make sees no order where there is none (configure and configure.ac).
// What was written is noted in the state folder, not beside the tree: the list decides what is removed.
// Invariant: nothing outside of the tree is written or removed, and no link in it leads out.

import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PRIVATE_FILE } from "../../support/private-modes.js";
import { readRegularFile } from "../../support/regular-file.js";
import { mapOf, record, text } from "../../support/shape.js";
import { visible } from "../../support/visible-text.js";
import { makeRealFolders } from "../build-copy.js";
import { type ProjectFolder, writeSafely } from "../project-folder.js";
import type { ProjectState } from "../state-folder.js";
import type { Version } from "./git-changes.js";
import { isSafePath } from "./parse-diff.js";
import { listVersion, readEntries, type VersionEntry, type VersionSources } from "./version-entries.js";

export type Side = "old" | "new";

export interface CheckedOut {
  readonly directory: string;
  /** Of all files with their names and contents. */
  readonly identity: string;
  /** Contents by path, as git names them. */
  readonly files: ReadonlyMap<string, string>;
  readonly written: number;
  readonly removed: number;
  readonly notes: readonly string[];
}

export interface CheckOutPlace {
  readonly folder: ProjectFolder;
  readonly state: ProjectState;
  readonly side: Side;
}

/** Brings the tree of that side to a version. Throws a GitProblem whose message is for the user. */
export function checkOutVersion(sources: VersionSources, version: Version, place: CheckOutPlace): CheckedOut {
  const { entries, notes } = listVersion(sources, version);
  let directory = place.folder.directory("patch", place.side);
  const known = readList(place, directory);
  if (known.size === 0) {
    // What lies there is not of our making.
    rmSync(directory, { recursive: true, force: true });
    directory = place.folder.directory("patch", place.side);
  }
  const wanted = new Map(entries.map((entry) => [entry.path, markOf(entry)]));
  const left = entries.filter((entry) => isInPlace(directory, entry, known));
  const missing = entries.filter((entry) => !isInPlace(directory, entry, known));
  // From here on until the end the list claims only what stays: a run that is killed writes the rest again.
  writeList(place, directory, new Map(left.map((entry) => [entry.path, markOf(entry)])));
  const gone = [...known.keys()].filter((path) => !wanted.has(path));
  for (const path of gone) removeOne(directory, path);
  const told = [...notes];
  const made = new Set<string>();
  const now = new Date();
  for (const [entry, bytes] of readEntries(missing)) {
    makeRealFolders(directory, Buffer.from(dirname(entry.path)).toString("latin1"), made);
    const note = writeOne(directory, entry, bytes, now);
    if (note !== null) told.push(note);
  }
  writeList(place, directory, wanted);
  const hash = createHash("sha256");
  for (const [path, mark] of wanted) hash.update(`${path}\0${mark}\n`);
  return {
    directory,
    identity: hash.digest("hex"),
    files: new Map(entries.map(({ path, content }) => [path, content])),
    written: missing.length,
    removed: gone.length,
    notes: told,
  };
}

/** What makes a file another one. */
function markOf({ kind, content }: VersionEntry): string {
  return `${kind} ${content}`;
}

/** A build may write over what it was given; that is the build's business. */
function isInPlace(directory: string, entry: VersionEntry, known: ReadonlyMap<string, string>): boolean {
  if (known.get(entry.path) !== markOf(entry)) return false;
  const status = lstatSync(join(directory, entry.path), { throwIfNoEntry: false });
  // A link that leads out was never made.
  return entry.kind === "link" ? status?.isFile() !== true : status?.isFile() === true;
}

/** A note if it was not written. */
function writeOne(directory: string, entry: VersionEntry, bytes: Buffer, time: Date): string | null {
  const path = join(directory, entry.path);
  rmSync(path, { recursive: true, force: true });
  if (entry.kind === "link") {
    const target = bytes.toString();
    if (!staysInside(entry.path, target)) {
      return `the symbolic link ${visible(entry.path)} is left out: it leads out of the tree, to ${visible(target)}`;
    }
    symlinkSync(target, path);
    return null;
  }
  writeFileSync(path, bytes, { flag: "wx" });
  chmodSync(path, entry.kind === "executable" ? 0o755 : 0o644);
  utimesSync(path, time, time);
  return null;
}

/**
 * Up first, then down: `folder/../..` could go up from wherever another link has led. Folders of the tree are no links where
 * something lies below them, so going up from the link's own folder is what it looks like.
 */
function staysInside(path: string, target: string): boolean {
  if (target === "" || target.startsWith("/") || target.includes("\0")) return false;
  const names = target.split("/").filter((name) => name !== "" && name !== ".");
  const ups = names.findIndex((name) => name !== "..");
  const count = ups < 0 ? names.length : ups;
  const depth = path.split("/").length - 1;
  const below = names.slice(count);
  return count <= depth && !below.includes("..") && !below.some((name) => /^\.git$/i.test(name));
}

function removeOne(directory: string, path: string): void {
  if (!isSafePath(path) || !isReached(directory, path)) return;
  rmSync(join(directory, path), { recursive: true, force: true });
  // Folders that are empty now.
  for (let at = dirname(path); at !== "."; at = dirname(at)) {
    try {
      rmdirSync(join(directory, at));
    } catch {
      return;
    }
  }
}

/** Through folders only, not through links. */
function isReached(directory: string, path: string): boolean {
  const names = path.split("/").slice(0, -1);
  return names.every((_, index) => {
    const at = join(directory, ...names.slice(0, index + 1));
    return lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
  });
}

const LIST = record({ directory: text, files: mapOf(text) });

function listPath({ state, side }: CheckOutPlace): string {
  return state.file(`patch-${side}.files`);
}

function readList(place: CheckOutPlace, directory: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(readRegularFile(listPath(place)).toString());
    if (!LIST(value)) return new Map();
    const list = value as { readonly directory: string; readonly files: Readonly<Record<string, string>> };
    return list.directory === directory ? new Map(Object.entries(list.files)) : new Map();
  } catch {
    return new Map();
  }
}

function writeList(place: CheckOutPlace, directory: string, files: ReadonlyMap<string, string>): void {
  const path = listPath(place);
  mkdirSync(dirname(path), { recursive: true });
  writeSafely(path, JSON.stringify({ directory, files: Object.fromEntries(files) }), PRIVATE_FILE);
}
