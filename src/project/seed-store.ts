// The recorded tests of a project: one small JSON file each, named by what it holds, so that recording the same test
// twice adds nothing but a count.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import {
  either,
  listOf,
  matching,
  number,
  oneOf,
  optional,
  orNull,
  record,
  text,
  truth,
  upTo,
  whole,
} from "../support/shape.js";
import { type ProjectFolder, writeQuickly } from "./project-folder.js";
import { SEED_ENTRY_KINDS, type Seed, type SeedEntry } from "./seed.js";

export type SeedContent = Omit<Seed, "id" | "recorded">;

export function seedId(content: SeedContent): string {
  const { program, programContent, workingDirectory, umask, stdin, files, end } = content;
  const fixed = [
    program,
    programContent,
    content.arguments,
    content.environment,
    workingDirectory,
    umask,
    stdin,
    files,
    end,
    ...(content.tree === undefined ? [] : [content.tree.map(lastingPart)]),
    ...(content.varied === undefined ? [] : [{ varied: content.varied }]),
    ...(content.outputs === undefined ? [] : [{ outputs: content.outputs }]),
    ...(content.literals === undefined ? [] : [{ literals: content.literals }]),
  ];
  return createHash("sha256").update(JSON.stringify(fixed)).digest("hex").slice(0, 16);
}

/** What is the same when a test makes its files again: numbers and times are not, and a directory's size is its file system's business. */
function lastingPart({ kind, path, mode, size, links, to, isWhole }: SeedEntry): unknown {
  return [kind, path, mode, ...(kind === "directory" ? [] : [size, links]), to ?? "", isWhole === true];
}

/** Sizes and times that a program can be told. */
const LARGEST = Number.MAX_SAFE_INTEGER;
/** Without NUL, which no name has; without dots, which lead elsewhere. */
const PLAIN_PATH = /^(\/(?!\.{1,2}(\/|$))[^/\0]{1,255})+$/;

const FAILING_OUTPUT = either(
  oneOf("full", "closed"),
  record({ brokenAfter: upTo(LARGEST), isSignalIgnored: optional(truth) }),
);

/** A seed in a file may come from anybody. */
const SEED = record({
  id: matching(/^[0-9a-f]{1,64}$/),
  program: text,
  programContent: text,
  arguments: listOf(text),
  environment: listOf(text),
  varied: optional(listOf(matching(/^\w+$/))),
  literals: optional(
    listOf(
      record({
        name: matching(/^literal:/),
        content: text,
        least: optional(upTo(LARGEST)),
        most: optional(upTo(LARGEST)),
      }),
    ),
  ),
  workingDirectory: text,
  umask: number,
  stdin: either(
    record({ kind: oneOf("bytes"), content: text }),
    record({ kind: oneOf("terminal", "empty", "closed") }),
  ),
  outputs: optional(record({ stdout: optional(FAILING_OUTPUT), stderr: optional(FAILING_OUTPUT) })),
  files: listOf(record({ path: matching(/^\//), content: orNull(text), mode: number })),
  tree: optional(
    listOf(
      record({
        kind: oneOf(...SEED_ENTRY_KINDS),
        path: matching(PLAIN_PATH),
        mode: upTo(0o7777),
        size: upTo(LARGEST),
        links: upTo(LARGEST),
        inode: optional(upTo(LARGEST)),
        seconds: whole,
        nanoseconds: upTo(999_999_999),
        to: optional(matching(/^[^\0]{1,4095}$/)),
        isWhole: optional(truth),
      }),
    ),
  ),
  end: either(
    record({ kind: oneOf("exit"), code: number }),
    record({ kind: oneOf("signal"), signal: number }),
    record({ kind: oneOf("unknown") }),
  ),
  recorded: record({ at: text, milliseconds: number, times: number }),
});

export function isSeed(value: unknown): value is Seed {
  return SEED(value);
}

/** Longer than any command line; a link could lead anywhere. */
const SEED_FILE = { noLink: true, mostBytes: 0x1000_0000 };

/** Recorded tests, or inputs that a technique made of them. */
export type SeedFolder = "seeds" | "made";

export class SeedStore {
  constructor(
    readonly folder: ProjectFolder,
    private readonly name: SeedFolder = "seeds",
  ) {}

  /** True if it was not known. */
  add(seed: Seed): boolean {
    const path = this.path(seed.id);
    const known = existsSync(path) ? this.read(path) : null;
    const times = (known?.recorded.times ?? 0) + seed.recorded.times;
    writeQuickly(
      path,
      `${JSON.stringify({ ...seed, recorded: { ...seed.recorded, times } }, null, 1)}\n`,
      PRIVATE_FILE,
    );
    return known === null;
  }

  /** Files of the last `list` that are no seeds: cut short, or edited. */
  unreadable: readonly string[] = [];

  /** In the order in which they were recorded. */
  list(): Seed[] {
    const directory = this.folder.known(this.name);
    const seeds: Seed[] = [];
    const unreadable: string[] = [];
    for (const name of existsSync(directory) ? readdirSync(directory) : []) {
      if (!name.endsWith(".json")) continue;
      const seed = this.read(join(directory, name));
      if (seed !== null) seeds.push(seed);
      else unreadable.push(name);
    }
    this.unreadable = unreadable;
    return seeds.sort((a, b) => (a.recorded.at < b.recorded.at ? -1 : a.recorded.at > b.recorded.at ? 1 : 0));
  }

  /** Of all files that may be seeds, sorted; none of them is read. */
  ids(): string[] {
    const directory = this.folder.known(this.name);
    const names = existsSync(directory) ? readdirSync(directory) : [];
    return names.flatMap((name) => /^([0-9a-f]{1,64})\.json$/.exec(name)?.[1] ?? []).sort();
  }

  /** By its whole id; null if there is none, or if its file is no seed. */
  find(id: string): Seed | null {
    return /^[0-9a-f]{1,64}$/.test(id) ? this.read(this.folder.known(this.name, `${id}.json`)) : null;
  }

  /** What to tell of the last `list`; nothing if all was well. */
  get trouble(): string {
    const [first, ...more] = this.unreadable;
    if (first === undefined) return "";
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    return `note: .tangent/seeds/${first}${others} cannot be read and was passed over; record the tests again`;
  }

  remove(id: string): void {
    rmSync(this.path(id), { force: true });
  }

  private read(path: string): Seed | null {
    try {
      const value: unknown = JSON.parse(readRegularFile(path, SEED_FILE).toString());
      return isSeed(value) ? value : null;
    } catch {
      return null;
    }
  }

  private path(id: string): string {
    return this.folder.file(this.name, `${id}.json`);
  }
}
