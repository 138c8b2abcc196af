// An invocation laid out on the real disk, in an empty scratch directory, so that its program can be run natively: everything of its tree
// that is not the system's lies below `scratch` at its own absolute path, the program is started in its working directory there,
// and words and variables that name such a path are led to the copy.
//
// What is laid out may come from anybody. Nothing is written outside of the scratch directory: names are resolved before, real directories and
// files are made first and never through a link, links come last and only those that stay inside. What was left out is told.

import * as fs from "node:fs";
import { join } from "node:path";
import type { Invocation, TreeEntry, TreeStatus } from "../inputs/invocation.js";
import { isSystemFile } from "../inputs/system-files.js";
import { movedRoots, pathsIn, plainTree, type TreeLinks } from "../inputs/tree-paths.js";
import { runChild } from "../support/child-process.js";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import type { FailingOutput, FailingOutputs } from "../vm/files/stream-shape.js";
import type { NativeInputKind } from "./start-natively.js";

export interface StagedInvocation {
  /** argv[0]. */
  readonly name: Uint8Array;
  /** argv without the program's name. */
  readonly words: readonly Uint8Array[];
  /** NAME=value each. */
  readonly environment: readonly Uint8Array[];
  /** Where to start it, absolute. */
  readonly directory: string;
  /** A file with its standard input; null: it has none. */
  readonly stdin: string | null;
  readonly stdinKind: NativeInputKind;
  readonly outputs: FailingOutputs;
  readonly umask: number;
  /** What is not as the invocation has it, for people. */
  readonly notes: readonly string[];
}

/**
 * `scratch`: absolute, empty, nobody else's. `root`: the project's directory, whose files are laid out even where the system's lie.
 * `now`: when the test runs, milliseconds since 1970; its young files are as old then as they were.
 */
export function stageInvocation(
  invocation: Invocation,
  scratch: string,
  root?: string,
  now: number = Date.now(),
): StagedInvocation {
  return new Stage(invocation, scratch, root, now).lay();
}

/** Removes it, whatever modes its directories have. */
export function removeStaged(scratch: string): void {
  const open = (folder: Buffer): void => {
    if (!fs.lstatSync(folder).isDirectory()) return;
    fs.chmodSync(folder, PRIVATE_FOLDER);
    for (const name of fs.readdirSync(folder, "buffer")) open(Buffer.concat([folder, SLASH, name]));
  };
  if (!fs.existsSync(scratch)) return;
  open(Buffer.from(scratch));
  fs.rmSync(scratch, { recursive: true, force: true });
}

/** When the reader of a pipe leaves is a matter of chance: here it has left before the program starts. */
function stagedOutputs({ stdout, stderr }: FailingOutputs): FailingOutputs {
  const staged = (output: FailingOutput): FailingOutput =>
    typeof output === "object" ? { ...output, brokenAfter: 0 } : output;
  return {
    ...(stdout === undefined ? {} : { stdout: staged(stdout) }),
    ...(stderr === undefined ? {} : { stderr: staged(stderr) }),
  };
}

const SLASH = Buffer.from("/");
/** Contents that are taken from the disk. */
const MOST_COPIED = 64 << 20;
const LARGEST_SIZE = 2 ** 40;
/** Younger files were made by the test: they are as old when it runs again. Older ones have times that somebody chose. */
const OF_THE_TEST_SECONDS = 30 * 86_400;
const MOST_NOTES = 20;

type Laid = Exclude<TreeEntry, { readonly kind: "missing" }>;

class Stage {
  private readonly tree: string;
  private readonly links: TreeLinks;
  private readonly entries: readonly Laid[];
  private readonly roots: readonly string[];
  private readonly notes: string[] = [];
  /** Files of several names, by the number that they have in common. */
  private readonly shared = new Map<number, Buffer>();
  private readonly workingDirectory: string;

  constructor(
    private readonly invocation: Invocation,
    private readonly scratch: string,
    root: string | undefined,
    private readonly now: number,
  ) {
    this.tree = join(scratch, "tree");
    const { entries, links, dropped } = plainTree(invocation.tree);
    this.links = links;
    for (const path of dropped) this.note(path, "leads out of its tree");
    this.workingDirectory = links.resolved(invocation.workingDirectory, true) ?? "/";
    const own = [this.workingDirectory, ...(root === undefined ? [] : [Buffer.from(root).toString("latin1")])];
    this.entries = entries.filter((entry): entry is Laid => {
      return entry.kind !== "missing" && !isSystemFile(`${entry.path}/`, own);
    });
    this.roots = movedRoots(
      this.workingDirectory,
      this.entries.map(({ path }) => path),
    );
  }

  lay(): StagedInvocation {
    const { invocation } = this;
    fs.mkdirSync(this.tree, { recursive: true, mode: PRIVATE_FOLDER });
    this.makeDirectory(this.workingDirectory);
    for (const entry of this.entries) {
      if (entry.kind === "directory") this.attempt(entry.path, () => this.makeDirectory(entry.path));
    }
    // Those with content first: of a file with several names only one may have been opened.
    const ordered = [...this.entries].sort((a, b) => Number(b.kind === "file") - Number(a.kind === "file"));
    const laid = new Set(
      ordered.filter((entry) => entry.kind !== "link" && this.attempt(entry.path, () => this.make(entry))),
    );
    for (const entry of this.entries) if (entry.kind === "link") this.makeLink(entry);
    // What is deepest first: a mode may forbid to go further down.
    for (const entry of this.entries.filter((one) => laid.has(one)).reverse())
      this.attempt(entry.path, () => this.settle(entry));
    const { stdin } = invocation;
    const input = stdin.kind === "bytes" ? join(this.scratch, "stdin") : null;
    if (input !== null && stdin.kind === "bytes")
      fs.writeFileSync(input, stdin.bytes, { mode: PRIVATE_FILE, flag: "wx" });
    return {
      name: this.moved(invocation.program),
      words: invocation.arguments.map((word) => this.moved(Buffer.from(word).toString("latin1"))),
      environment: invocation.environment.map((variable) => this.moved(variable)),
      directory: this.place(this.workingDirectory).toString(),
      stdin: input,
      stdinKind: stdin.kind === "closed" ? "closed" : stdin.kind === "bytes" && !stdin.regularFile ? "pipe" : "file",
      outputs: stagedOutputs(invocation.outputs ?? {}),
      umask: invocation.umask,
      notes: this.notes,
    };
  }

  /** Where a path of the tree lies now. */
  private place(path: string): Buffer {
    return Buffer.concat([Buffer.from(this.tree), Buffer.from(path === "/" ? "" : path, "latin1")]);
  }

  private moved(text: string): Buffer {
    const pieces: Buffer[] = [];
    let done = 0;
    for (const at of pathsIn(text, this.roots)) {
      pieces.push(Buffer.from(text.slice(done, at), "latin1"), Buffer.from(this.tree));
      done = at;
    }
    return Buffer.concat([...pieces, Buffer.from(text.slice(done), "latin1")]);
  }

  /** One after the other: a file in the place of a directory is an error, and a link cannot be there yet. */
  private makeDirectory(path: string): void {
    for (let end = path.indexOf("/", 1); ; end = path.indexOf("/", end + 1)) {
      const folder = this.place(end < 0 ? path : path.slice(0, end));
      if (path !== "/" && !fs.existsSync(folder)) fs.mkdirSync(folder, { mode: PRIVATE_FOLDER });
      if (end < 0) return;
    }
  }

  private make(entry: Laid): void {
    const { path } = entry;
    this.makeDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
    const place = this.place(path);
    if (entry.kind === "file" || entry.kind === "sized") {
      const other = entry.inode === undefined ? undefined : this.shared.get(entry.inode);
      if (other !== undefined) {
        fs.linkSync(other, place);
        return;
      }
      if (entry.inode !== undefined) this.shared.set(entry.inode, place);
    }
    switch (entry.kind) {
      case "file":
        fs.writeFileSync(place, entry.bytes, { mode: PRIVATE_FILE, flag: "wx" });
        return;
      case "sized":
        this.makeSized(place, entry.path, entry.size);
        return;
      case "fifo": {
        // Node has no function for it. The path is absolute, so that it is no option.
        const made = runChild("mkfifo", ["-m", "600", place.toString()], { stdio: "ignore" });
        if (made.status !== 0) throw new Error("mkfifo failed");
        return;
      }
      case "socket":
      case "character":
      case "block":
        throw new Error(`a ${entry.kind === "socket" ? "socket" : "device"} is not made`);
    }
  }

  private makeSized(place: Buffer, path: string, size: number): void {
    const file = fs.openSync(place, "wx", PRIVATE_FILE);
    try {
      const bytes = contentOnDisk(path, size);
      if (bytes !== null) fs.writeFileSync(file, bytes);
      else fs.ftruncateSync(file, Math.min(size, LARGEST_SIZE));
    } finally {
      fs.closeSync(file);
    }
  }

  private makeLink({ path, to, ...time }: Extract<Laid, { readonly kind: "link" }>): void {
    if (to === "" || to.includes("\0") || !this.links.staysInside(path, to)) {
      this.note(path, "a link that leads out of its tree is not made");
      return;
    }
    this.attempt(path, () => {
      const place = this.place(path);
      this.makeDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
      fs.symlinkSync(to.startsWith("/") ? this.place(to) : Buffer.from(to, "latin1"), place);
      const seconds = this.timeOf(time);
      if (seconds !== null) fs.lutimesSync(place, seconds, seconds);
    });
  }

  /** Never of a link: all of these were made here, and links after them. */
  private settle(entry: Laid): void {
    if (entry.kind === "link") return;
    const place = this.place(entry.path);
    const seconds = this.timeOf(entry);
    if (seconds !== null) fs.utimesSync(place, seconds, seconds);
    // Neither another user's rights nor another group's come with a test.
    fs.chmodSync(place, entry.mode & 0o1777);
  }

  private timeOf({ modified, nanoseconds }: TreeStatus): number | null {
    if (modified === undefined) return null;
    const { startTimeMs } = this.invocation;
    const time = modified + (nanoseconds ?? 0) / 1e9;
    if (startTimeMs === undefined || modified < startTimeMs / 1000 - OF_THE_TEST_SECONDS) return time;
    return time + (this.now - startTimeMs) / 1000;
  }

  private attempt(path: string, act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.note(path, error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  private note(path: string, why: string): void {
    if (this.notes.length < MOST_NOTES) this.notes.push(`${path}: ${why}`);
  }
}

function contentOnDisk(path: string, size: number): Buffer | null {
  try {
    const bytes = readRegularFile(Buffer.from(path, "latin1").toString(), { noLink: true, mostBytes: MOST_COPIED });
    return bytes.length === size ? bytes : null;
  } catch {
    return null;
  }
}
