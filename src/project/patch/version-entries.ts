// What files a version of the sources has: of a commit or the index as git stores them, of the work tree as the disk has them. Contents are
// named as git names blobs, whatever they come from, so that a file which is the same in two versions has one name in both.
// Nothing is converted on the way: filters are programs that the repository's configuration names.

import { createHash } from "node:crypto";
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { readRegularFile } from "../../support/regular-file.js";
import { visible } from "../../support/visible-text.js";
import { filesWithoutGit } from "../build-copy.js";
import { commitOf, Git, GitProblem, type Repository } from "./git.js";
import type { Version } from "./git-changes.js";
import { isSafePath } from "./parse-diff.js";

export interface VersionEntry {
  /** Below the tree; safe (parse-diff.ts). */
  readonly path: string;
  readonly kind: "file" | "executable" | "link";
  /** As git names it. */
  readonly content: string;
  readonly source:
    | { readonly kind: "blob"; readonly git: Git }
    | { readonly kind: "disk"; readonly path: string }
    | { readonly kind: "bytes"; readonly bytes: Buffer };
}

/** Where versions come from: a repository, or only a folder if a diff was given for it. */
export interface VersionSources {
  readonly repository: Repository | null;
  /** The work tree, or that folder. */
  readonly root: string | null;
}

export interface ListedVersion {
  readonly entries: readonly VersionEntry[];
  readonly notes: readonly string[];
}

/** Submodules in submodules. */
const MOST_DEPTH = 6;

export function listVersion(sources: VersionSources, version: Version): ListedVersion {
  const lister = new Lister(sources);
  switch (version.kind) {
    case "nothing":
      break;
    case "commit":
      if (sources.repository !== null) lister.commit(sources.repository.git, version.revision, "", 0);
      break;
    case "index":
      if (sources.repository !== null) lister.index(sources.repository.git);
      break;
    case "work tree":
      lister.workTree();
      break;
    case "patched":
      lister.workTree();
      for (const [path, bytes] of version.files) lister.replace(path, bytes);
  }
  const entries = [...lister.entries.values()]
    .filter(({ path }) => !hasFileAbove(path, lister.entries))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { entries, notes: lister.notes };
}

/** In a tree that git would not make, a file or a link may have files below it: they would be written through the link. */
function hasFileAbove(path: string, entries: ReadonlyMap<string, VersionEntry>): boolean {
  const names = path.split("/");
  return names.some((_, index) => index > 0 && entries.has(names.slice(0, index).join("/")));
}

class Lister {
  readonly entries = new Map<string, VersionEntry>();
  readonly notes: string[] = [];
  /** What names of contents are made with. */
  private readonly format: string;

  constructor(private readonly sources: VersionSources) {
    const { repository } = sources;
    this.format = repository === null ? "sha1" : repository.git.text(["rev-parse", "--show-object-format"]).trim();
  }

  /** `prefix`: where the (sub)module lies, with a slash at its end. */
  commit(git: Git, revision: string, prefix: string, depth: number): void {
    const listed = git.read(["ls-tree", "-r", "-z", "--full-tree", revision, "--"]).toString("latin1");
    for (const record of listed.split("\0")) {
      const match = /^(\d+) (?:blob|commit|tree) ([0-9a-f]+)\t(.*)$/s.exec(record);
      if (match !== null) this.stored(git, match[1], match[2], prefix, match[3], depth);
    }
  }

  index(git: Git): void {
    const listed = git.read(["ls-files", "-s", "-z"]).toString("latin1");
    for (const record of listed.split("\0")) {
      const match = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(record);
      if (match === null) continue;
      if (match[3] !== "0") {
        throw new GitProblem(
          `a merge is under way and ${visible(match[4])} has conflicts; finish it first (git status)`,
        );
      }
      this.stored(git, match[1], match[2], "", match[4], 0);
    }
  }

  workTree(): void {
    const { repository, root } = this.sources;
    if (root === null)
      throw new GitProblem("the repository is bare and has no work tree; name commits: REV1..REV2", true);
    if (repository === null) for (const name of filesWithoutGit(root)) this.onDisk(root, textOf(name));
    else this.checkedOut(repository.git, root, "", 0);
  }

  replace(path: string, bytes: Buffer | null): void {
    const known = this.entries.get(path);
    if (bytes === null) this.entries.delete(path);
    else {
      const kind = known?.kind === "executable" ? "executable" : "file";
      this.add({ path, kind, content: this.nameOf(bytes), source: { kind: "bytes", bytes } });
    }
  }

  /** As a tree or the index says it. Names are one character a byte here. */
  private stored(git: Git, mode: string, hash: string, prefix: string, name: string, depth: number): void {
    const path = `${prefix}${textOf(name)}`;
    if (mode === "160000") this.submodule(path, hash, depth);
    else {
      const kind = mode === "120000" ? "link" : mode === "100755" ? "executable" : "file";
      this.add({ path, kind, content: hash, source: { kind: "blob", git } });
    }
  }

  /** From the submodule's own checkout, if it is there and has that commit. */
  private submodule(path: string, hash: string, depth: number): void {
    const git = this.submoduleAt(path);
    if (git !== null && depth < MOST_DEPTH && commitOf(git, hash) !== null) {
      this.commit(git, hash, `${path}/`, depth + 1);
    } else {
      this.notes.push(
        `the submodule ${visible(path)} is left out: commit ${hash.slice(0, 12)} of it is not here; ` +
          "if the build needs it: git submodule update --init",
      );
    }
  }

  /** Only one that keeps its commits in this work tree or this repository: a link could lead to any other of the user's. */
  private submoduleAt(path: string): Git | null {
    const { repository, root } = this.sources;
    if (repository === null || root === null || !isSafePath(path) || !existsSync(join(root, path, ".git"))) return null;
    const git = new Git(join(root, path), repository.git.env);
    const answer = git.ask(["rev-parse", "--absolute-git-dir"]);
    if (answer.status !== 0) return null;
    const own = repository.git.text(["rev-parse", "--path-format=absolute", "--git-common-dir"]).trim();
    const below = (folder: string, inner: string): boolean =>
      !relative(realpathSync(folder), realpathSync(inner)).startsWith("..");
    const isOurs = (inner: string): boolean => below(root, inner) || below(own, inner);
    return isOurs(answer.stdout.toString().trim()) && below(root, join(root, path)) ? git : null;
  }

  private checkedOut(git: Git, folder: string, prefix: string, depth: number): void {
    const listed = git.read(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).toString("latin1");
    for (const name of new Set(listed.split("\0").filter(Boolean))) {
      const path = textOf(name);
      const status = lstatSync(join(folder, path), { throwIfNoEntry: false });
      if (status?.isDirectory() !== true) this.onDisk(folder, path, prefix);
      else {
        const full = `${prefix}${path.replace(/\/$/, "")}`;
        const inner = depth < MOST_DEPTH ? this.submoduleAt(full) : null;
        if (inner !== null) this.checkedOut(inner, join(folder, path), `${full}/`, depth + 1);
      }
    }
  }

  private onDisk(folder: string, name: string, prefix = ""): void {
    const path = `${prefix}${name}`;
    const full = join(folder, name);
    const status = lstatSync(full, { throwIfNoEntry: false });
    if (status === undefined) {
      // Known to git, but deleted; or its name is no UTF-8, which is told.
      if (!isSafePath(path)) this.leaveOut(path);
      return;
    }
    if (status.isSymbolicLink()) {
      const bytes = Buffer.from(readlinkSync(full));
      this.add({ path, kind: "link", content: this.nameOf(bytes), source: { kind: "bytes", bytes } });
    } else if (status.isFile()) {
      const content = this.nameOf(readRegularFile(full, { noLink: true }));
      const kind = (status.mode & 0o100) !== 0 ? "executable" : "file";
      this.add({ path, kind, content, source: { kind: "disk", path: full } });
    }
  }

  private nameOf(bytes: Buffer): string {
    return createHash(this.format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  }

  private add(entry: VersionEntry): void {
    if (isSafePath(entry.path)) this.entries.set(entry.path, entry);
    else this.leaveOut(entry.path);
  }

  private leaveOut(path: string): void {
    this.notes.push(`${visible(path)} is left out: a file of that name is not written`);
  }
}

/** Of a name with one character a byte. */
function textOf(name: string): string {
  return Buffer.from(name, "latin1").toString("utf8");
}

/** At a time, in memory. */
const BATCH_BYTES = 0x400_0000;

/** The contents of entries, each with its entry, in any order. */
export function* readEntries(entries: readonly VersionEntry[]): Generator<readonly [VersionEntry, Buffer]> {
  const byGit = new Map<Git, VersionEntry[]>();
  for (const entry of entries) {
    const { source } = entry;
    if (source.kind === "bytes") yield [entry, source.bytes];
    else if (source.kind === "disk") yield [entry, readRegularFile(source.path, { noLink: true })];
    else byGit.set(source.git, [...(byGit.get(source.git) ?? []), entry]);
  }
  for (const [git, stored] of byGit) yield* readBlobs(git, stored);
}

function* readBlobs(git: Git, entries: readonly VersionEntry[]): Generator<readonly [VersionEntry, Buffer]> {
  const asked = (some: readonly VersionEntry[]): string => some.map(({ content }) => `${content}\n`).join("");
  const sizes = git
    .text(["cat-file", "--batch-check=%(objecttype) %(objectsize)"], { input: asked(entries) })
    .split("\n");
  let batch: VersionEntry[] = [];
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const match = /^blob (\d+)$/.exec(sizes[index]);
    if (match === null) {
      throw new GitProblem(
        `what ${visible(entry.path)} holds is not in this clone (${entry.content.slice(0, 12)}); ` +
          "if it is a partial clone, check that version out once, or clone without --filter",
      );
    }
    if (batch.length > 0 && bytes + Number(match[1]) > BATCH_BYTES) {
      yield* readBatch(git, batch, bytes);
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += Number(match[1]);
  }
  if (batch.length > 0) yield* readBatch(git, batch, bytes);
}

function* readBatch(
  git: Git,
  entries: readonly VersionEntry[],
  bytes: number,
): Generator<readonly [VersionEntry, Buffer]> {
  const input = entries.map(({ content }) => `${content}\n`).join("");
  // Each object has a line before it.
  const answer = git.read(["cat-file", "--batch"], { input, mostBytes: bytes + entries.length * 200 + 1000 });
  let at = 0;
  for (const entry of entries) {
    const end = answer.indexOf(10, at);
    const size = Number(/ blob (\d+)$/.exec(answer.toString("latin1", at, end))?.[1] ?? Number.NaN);
    if (end < 0 || Number.isNaN(size)) throw new GitProblem(`git cat-file does not give ${visible(entry.path)}`);
    yield [entry, answer.subarray(end + 1, end + 1 + size)];
    at = end + 1 + size + 1;
  }
}
