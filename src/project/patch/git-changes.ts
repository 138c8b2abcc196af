// What has changed, asked from git: which two versions a user means, and the diff between them. Every way to say it ends in two versions
// (versions.ts makes source trees of them) and one `Changes`.

import { visible } from "../../support/visible-text.js";
import { placesOf } from "./changed-places.js";
import type { Changes } from "./changes.js";
import { commitOf, GitProblem, noCommits, type Repository, resolveCommit } from "./git.js";
import { DiffError, MOST_DIFF_BYTES, parseDiff } from "./parse-diff.js";

/** A side of a comparison: what a source tree can be made of. */
export type Version =
  | { readonly kind: "commit"; readonly revision: string }
  | { readonly kind: "index" | "work tree" }
  /** The work tree with other contents of some files; null: without the file. */
  | { readonly kind: "patched"; readonly files: ReadonlyMap<string, Buffer | null> }
  /** Before the first commit. */
  | { readonly kind: "nothing" };

export interface Comparison {
  readonly old: Version;
  readonly new: Version;
  readonly changes: Changes;
}

export type ChangeRequest =
  /** What the user has done since the main branch. */
  | { readonly kind: "own work" }
  | { readonly kind: "staged" }
  /** REV1..REV2, REV1...REV2 or REV. */
  | { readonly kind: "revisions"; readonly text: string };

/** In the order in which they are tried. */
const MAIN_BRANCHES = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
];

const DIFF_OPTIONS = [
  ...["--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", "--no-relative"],
  ...[
    "--find-renames",
    "-l2000",
    "--unified=3",
    "--inter-hunk-context=0",
    "--full-index",
    "--diff-algorithm=histogram",
  ],
  // What lies in a submodule's work tree is not looked at: git would start another git there, with that one's configuration.
  ...["--ignore-submodules=dirty", "--submodule=short", "--no-color-moved"],
];

/** Throws a GitProblem whose message is for the user. */
export function changesFromGit(repository: Repository, request: ChangeRequest): Comparison {
  switch (request.kind) {
    case "own work":
      return ownWork(repository);
    case "staged":
      return staged(repository);
    case "revisions":
      return ofRevisions(repository, request.text);
  }
}

function ownWork(repository: Repository): Comparison {
  const { git, workTree } = repository;
  if (workTree === null) {
    throw new GitProblem(
      "this repository is bare, so nobody works in it; name two versions: tangent patch REV1..REV2",
      true,
    );
  }
  const head = commitOf(git, "HEAD");
  if (head === null) throw new GitProblem(noCommits("the work tree"));
  const branch = MAIN_BRANCHES.find((name) => commitOf(git, name) !== null) ?? null;
  const base = branch === null ? head : mergeBase(repository, branch, "HEAD");
  const name = branch === null ? "HEAD" : shortName(repository, branch);
  if (base !== head) {
    const description = `the work tree against ${short(base)}, where it left ${visible(name)}`;
    return withUntracked(repository, compare(repository, { base, to: "work tree", description }));
  }
  const dirty = withUntracked(
    repository,
    compare(repository, { base, to: "work tree", description: "the work tree against HEAD" }),
  );
  if (hasChanges(dirty)) return dirty;
  const last = ofCommit(repository, head, "HEAD");
  const notes = [...dirty.changes.notes, "nothing is uncommitted, so this is the last commit"];
  return { ...last, changes: { ...last.changes, notes: [...notes, ...last.changes.notes] } };
}

function staged(repository: Repository): Comparison {
  if (repository.workTree === null) throw new GitProblem("--staged: this repository is bare and has no index", true);
  const base = commitOf(repository.git, "HEAD");
  const description = base === null ? "what is staged for the first commit" : "what is staged, against HEAD";
  return compare(repository, { base, to: "index", description });
}

function ofRevisions(repository: Repository, text: string): Comparison {
  const dots = text.includes("...") ? "..." : text.includes("..") ? ".." : null;
  if (dots === null) {
    if (/\.(diff|patch)$/.test(text) && commitOf(repository.git, text) === null) {
      throw new GitProblem(
        `${visible(text)} is no commit; if it is a file: tangent patch --diff ${visible(text)}`,
        true,
      );
    }
    return ofCommit(repository, resolveCommit(repository, text), text);
  }
  const [first, second, ...more] = text.split(dots).map((side) => side || "HEAD");
  if (more.length > 0) {
    throw new GitProblem(`${visible(text)} names more than two versions; compare two: REV1..REV2`, true);
  }
  const oldest = resolveCommit(repository, first);
  const newest = resolveCommit(repository, second);
  const base = dots === ".." ? oldest : mergeBase(repository, oldest, newest, `${first} and ${second}`);
  return compare(repository, { base, to: newest, description: visible(text) });
}

/** A commit against its first parent. */
function ofCommit(repository: Repository, commit: string, name: string): Comparison {
  const [, ...parents] = repository.git.text(["rev-list", "--parents", "-n", "1", commit, "--"]).trim().split(" ");
  if (parents.length === 0 && isShallow(repository)) {
    throw new GitProblem(
      `the commit before ${visible(name)} is not in this clone, which is shallow; ` +
        "get it: git fetch --unshallow (GitHub Actions: fetch-depth: 0)",
    );
  }
  const description = name === commit ? `commit ${short(commit)}` : `${visible(name)} (commit ${short(commit)})`;
  const compared = compare(repository, { base: parents[0] ?? null, to: commit, description });
  const note =
    parents.length > 1
      ? [
          `${visible(name)} is a merge of ${parents.length} commits: it is compared with the first, ${short(parents[0])}`,
        ]
      : parents.length === 0
        ? [`${visible(name)} is the first commit: all of its lines are new, and there is no old version`]
        : [];
  return { ...compared, changes: { ...compared.changes, notes: [...note, ...compared.changes.notes] } };
}

/** The commits of a range, oldest first; merges bring nothing of their own. */
export function commitsOf(repository: Repository, text: string): string[] {
  const dots = text.includes("...") ? "..." : "..";
  if (!text.includes("..")) {
    throw new GitProblem(`--each goes through a range of commits, and ${visible(text)} is none: REV1..REV2`, true);
  }
  const [first, second] = text.split(dots).map((side) => resolveCommit(repository, side || "HEAD"));
  const words = ["rev-list", "--reverse", "--topo-order", "--no-merges", `${first}..${second}`, "--"];
  return repository.git.text(words).split("\n").filter(Boolean);
}

/** Its first line, for people. */
export function subjectOf({ git }: Repository, commit: string): string {
  const words = ["log", "-1", "--no-color", "--no-show-signature", "--format=%s", commit, "--"];
  return git.text(words).split("\n")[0] ?? "";
}

interface Wanted {
  /** A commit; null: before the first one. */
  readonly base: string | null;
  /** A commit, or: */
  readonly to: "work tree" | "index" | (string & {});
  readonly description: string;
}

function compare({ git }: Repository, { base, to, description }: Wanted): Comparison {
  const from = base ?? emptyTree(git.text(["rev-parse", "--show-object-format"]).trim());
  const isCommit = to !== "work tree" && to !== "index";
  const sides = to === "index" ? ["--cached", from] : isCommit ? [from, to] : [from];
  const bytes = git.read(["diff", ...DIFF_OPTIONS, ...sides, "--"], { mostBytes: MOST_DIFF_BYTES });
  try {
    const { files, notes } = parseDiff(bytes);
    return {
      old: base === null ? { kind: "nothing" } : { kind: "commit", revision: base },
      new: isCommit ? { kind: "commit", revision: to } : { kind: to === "index" ? "index" : "work tree" },
      changes: { description, oldRevision: base, newRevision: isCommit ? to : null, files, notes },
    };
  } catch (error) {
    if (error instanceof DiffError) throw new GitProblem(`what git diff printed cannot be used: ${error.message}`);
    throw error;
  }
}

/** git knows it without having it. */
function emptyTree(format: string): string {
  return format === "sha256"
    ? "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    : "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
}

/** git diff says nothing of files that git does not know; a new source would be passed over in silence. */
function withUntracked({ git }: Repository, compared: Comparison): Comparison {
  const listed = git.text(["ls-files", "-z", "--others", "--exclude-standard"]);
  const sources = listed.split("\0").filter((name) => isCSource(name));
  if (sources.length === 0) return compared;
  const more = sources.length > 1 ? ` and ${sources.length - 1} more are` : " is";
  const note = `${visible(sources[0])}${more} new to git and not among the changes; to count: git add -N FILE`;
  return { ...compared, changes: { ...compared.changes, notes: [...compared.changes.notes, note] } };
}

function hasChanges({ changes }: Comparison): boolean {
  return changes.files.length > 0;
}

function mergeBase(repository: Repository, first: string, second: string, what?: string): string {
  const { status, stdout, stderr } = repository.git.ask(["merge-base", "--end-of-options", first, second]);
  const base = stdout.toString().trim().split("\n")[0];
  if (status === 0 && base !== "") return base;
  const names = visible(what ?? `${shortName(repository, first)} and ${second}`);
  if (isShallow(repository)) {
    throw new GitProblem(
      `where ${names} parted is not in this clone, which is shallow; ` +
        "get the rest: git fetch --unshallow (GitHub Actions: fetch-depth: 0)",
    );
  }
  if (status > 1) throw new GitProblem(`git merge-base failed: ${visible(stderr.trim())}`);
  throw new GitProblem(`${names} have no commit in common; name two versions: tangent patch REV1..REV2`);
}

function isShallow({ git }: Repository): boolean {
  return git.text(["rev-parse", "--is-shallow-repository"]).startsWith("true");
}

function shortName({ git }: Repository, reference: string): string {
  const { status, stdout } = git.ask(["rev-parse", "--abbrev-ref", "--end-of-options", reference]);
  const name = stdout.toString().trim().split("\n").pop() ?? "";
  return status === 0 && name !== "" ? name : reference.replace(/^refs\/(heads|remotes)\//, "");
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

/** Files whose lines become code: also those that a generator or a preprocessor makes C of. */
function isCSource(path: string): boolean {
  return /\.(c|h|y|l|inc|def|x|tbl|in\.h|h\.in|c\.in)$/i.test(path);
}

/** Only what is C, and below one of the folders if any are named; what is left out is told. */
export function selectedChanges(changes: Changes, folders: readonly string[]): Changes {
  const places = folders
    .map((folder) => folder.replace(/^(\.\/)+|\/+$/g, ""))
    .filter((folder) => folder !== "" && folder !== ".");
  const isBelow = (path: string): boolean =>
    places.length === 0 || places.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const nameOf = ({ newPath, oldPath }: Changes["files"][number]): string => newPath ?? oldPath ?? "";
  const outside = changes.files.filter((file) => !isBelow(nameOf(file)));
  const inside = changes.files.filter((file) => isBelow(nameOf(file)));
  const other = inside.filter((file) => !isCSource(nameOf(file)));
  const files = inside.filter((file) => isCSource(nameOf(file)));
  const deleted = files.filter(({ newPath }) => newPath === null);
  const notes = [...changes.notes];
  if (other.length > 0) notes.push(`${listed(other.map(nameOf))}: no C, so there is nothing to reach`);
  if (outside.length > 0)
    notes.push(`${listed(outside.map(nameOf))}: not below ${places.map(visible).join(", ")} (folders)`);
  if (deleted.length > 0) notes.push(`${listed(deleted.map(nameOf))}: deleted, so there is nothing to reach`);
  return { ...changes, files, notes };
}

const MOST_NAMES = 4;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map(visible).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Lines that programs could have code for: added ones, and those from which others were taken away. */
export function changedLines(changes: Changes): { readonly added: number; readonly places: number } {
  let added = 0;
  let places = 0;
  for (const file of changes.files) {
    const { lines, beside } = placesOf(file);
    added += lines.length;
    places += beside.filter(({ instead }) => instead.length === 0).length;
  }
  return { added, places };
}
