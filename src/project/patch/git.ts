// Calling git on a repository that may be hostile. A repository's own configuration can name programs for nearly everything: hooks, a
// monitor of the file system, external diffs, converters, filters of files, pagers, transports. None of them is started: each is
// switched off by name, in the environment, which wins over every file. No shell is between us and git, and what comes from the
// user or the repository is never taken for an option.

import { resolve } from "node:path";
import { runChild } from "../../support/child-process.js";
import { visible } from "../../support/visible-text.js";

/** What could not be done, in words for the user. */
export class GitProblem extends Error {
  constructor(
    message: string,
    /** The command line is wrong, not the world. */
    readonly isUsage = false,
  ) {
    super(message);
  }
}

export interface GitAnswer {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitCall {
  readonly input?: string;
  /** A longer answer is an error: nobody reads it. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 0x1000_0000;

/** Of the user's own variables, those that do not say which repository it is or what git is to start. */
const KEPT = new Set(["GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"]);

/** What a configuration could start when we only read. */
const OFF: readonly (readonly [key: string, value: string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.alternateRefsCommand", ""],
  ["core.quotePath", "true"],
  ["diff.external", ""],
  ["log.showSignature", "false"],
  ["submodule.recurse", "false"],
];

export class Git {
  private filters: readonly string[] | null = null;

  /** `directory`: somewhere in the repository. */
  constructor(
    readonly directory: string,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Whatever its status is. Throws a GitProblem if there is no git, or if its answer is too long. */
  ask(words: readonly string[], call: GitCall = {}): GitAnswer {
    this.filters ??= this.namesOfFilters();
    return this.start(words, call, this.filters);
  }

  /** What it printed; throws a GitProblem if it failed. */
  read(words: readonly string[], call: GitCall = {}): Buffer {
    const { status, stdout, stderr } = this.ask(words, call);
    if (status !== 0) throw new GitProblem(failure(words[0], stderr));
    return stdout;
  }

  text(words: readonly string[], call: GitCall = {}): string {
    return this.read(words, call).toString();
  }

  /** A filter that cleans a file before it is compared is a program, named by the configuration. */
  private namesOfFilters(): string[] {
    const words = ["config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|smudge|process|required)$"];
    const { status, stdout } = this.start(words, {}, []);
    return status === 0 ? stdout.toString().split("\0").filter(Boolean) : [];
  }

  private start(words: readonly string[], call: GitCall, filters: readonly string[]): GitAnswer {
    const settings = [...OFF, ...filters.map((key) => [key, key.endsWith(".required") ? "false" : ""] as const)];
    const ended = runChild("git", ["--no-pager", "--literal-pathspecs", ...words], {
      cwd: this.directory,
      env: { ...cleaned(this.env), ...asVariables(settings) },
      input: call.input ?? "",
      maxBuffer: call.mostBytes ?? MOST_BYTES,
    });
    const { error } = ended as { readonly error?: NodeJS.ErrnoException };
    if (error?.code === "ENOENT") {
      throw new GitProblem("git is not installed, or not in PATH; install it, or give the patch with --diff FILE");
    }
    if (error?.code === "ENOBUFS") {
      const size = Math.round((call.mostBytes ?? MOST_BYTES) / 0x10_0000);
      throw new GitProblem(`git ${words[0]} printed more than ${size} MB; compare versions that differ less`);
    }
    if (error !== undefined) throw error;
    return { status: ended.status ?? 128, stdout: ended.stdout, stderr: ended.stderr.toString() };
  }
}

/** The user's environment without what would lead git elsewhere. */
function cleaned(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || KEPT.has(name));
  return {
    ...Object.fromEntries(kept),
    // In a hook of `git commit -a` the index is another file.
    ...(env.GIT_INDEX_FILE ? { GIT_INDEX_FILE: resolve(env.GIT_INDEX_FILE) } : {}),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // A partial clone would fetch what it lacks, from wherever its configuration says, by whatever program.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_ATTR_NOSYSTEM: "1",
    LC_ALL: "C",
    LANGUAGE: "",
  };
}

function asVariables(settings: readonly (readonly [key: string, value: string])[]): NodeJS.ProcessEnv {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: `${settings.length}`, ...Object.fromEntries(pairs) };
}

/** What a partial clone lacks is not fetched. */
const LACKS = /promisor remote|transport '.*' not allowed|lazy fetching disabled/;

/** What git says, without its own name for the severity; its first lines are enough. */
function failure(command: string, stderr: string): string {
  if (LACKS.test(stderr)) {
    return (
      `git ${command} needs files that are not in this clone, which is partial (--filter), and nothing is fetched here; ` +
      "get them: git fetch --refetch --no-filter"
    );
  }
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const said = lines.slice(0, 3).map((line) => visible(line.replace(/^(fatal|error): /, "")));
  return `git ${command} failed: ${said.length === 0 ? "it did not say why" : said.join("; ")}`;
}

export interface Repository {
  readonly git: Git;
  /** The top of its work tree; null if it is bare. */
  readonly workTree: string | null;
}

/** Throws a GitProblem if there is none. */
export function openRepository(directory: string, env: NodeJS.ProcessEnv): Repository {
  const git = new Git(directory, env);
  const { status, stdout, stderr } = git.ask(["rev-parse", "--is-bare-repository", "--is-inside-work-tree"]);
  const where = visible(directory);
  if (status !== 0) {
    if (stderr.includes("dubious ownership")) {
      throw new GitProblem(
        `the repository at ${where} belongs to another user, so git does not read it; ` +
          `if you trust it: git config --global --add safe.directory ${where}`,
      );
    }
    if (stderr.includes("not a git repository")) {
      throw new GitProblem(
        `${where} is not in a git repository, so there is nothing to compare with; ` +
          "go to your checkout, or give the patch itself: tangent patch --diff FILE",
      );
    }
    throw new GitProblem(failure("rev-parse", stderr));
  }
  const [isBare, isInside] = stdout.toString().split("\n");
  if (isBare === "true") return { git, workTree: null };
  if (isInside !== "true") {
    throw new GitProblem(`${where} is inside of a .git directory; go to the work tree beside it`);
  }
  const workTree = git.text(["rev-parse", "--show-toplevel"]).replace(/\n$/, "");
  return { git: new Git(workTree, env), workTree };
}

/** The commit that a revision of the user's names. */
export function resolveCommit({ git }: Repository, revision: string): string {
  const found = commitOf(git, revision);
  if (found !== null) return found;
  const shown = visible(revision);
  if (isUnborn(git)) throw new GitProblem(noCommits(shown));
  const isShallow = git.text(["rev-parse", "--is-shallow-repository"]).startsWith("true");
  const advice = isShallow
    ? "this clone is shallow and may lack it: git fetch --unshallow"
    : "`git log --oneline` shows those there are; a branch of a server may have to be fetched first (git fetch)";
  throw new GitProblem(`there is no commit ${shown} in this repository; ${advice}`, true);
}

export function noCommits(what: string): string {
  return `this repository has no commits yet, so ${what} cannot be compared with anything; commit once, then change something`;
}

/** Null if nothing of that name is a commit. */
export function commitOf(git: Git, revision: string): string | null {
  if (revision === "" || revision.startsWith("-") || revision.includes("\0")) return null;
  const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { status, stdout } = git.ask(words);
  const hash = stdout.toString().trim();
  return status === 0 && /^[0-9a-f]{40,64}$/.test(hash) ? hash : null;
}

function isUnborn(git: Git): boolean {
  return commitOf(git, "HEAD") === null;
}
