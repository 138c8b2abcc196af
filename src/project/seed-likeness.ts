// When two recorded invocations are one test: if they are the same but for names that are new each time the tests run. Tests work in
// directories that mktemp makes, put process numbers into names, and run in the project or in the copy it was built in; taken by the
// letter, every recording would be new, and a suite that does one thing in a hundred directories a hundred tests.
//
// Nor does it matter in which directory below the project, or of those for temporary files, a test runs: suites make one for each test, and
// all of them begin and end with the same few commands. What lies in it counts, by its name from there.
//
// A name that may vary gets a number in the order in which such names are met, everywhere: in words, variables, paths, links, and in the
// contents of files and standard input. So the same name in two places stays the same name. Numbers that are nobody's name are left alone: `-n 1000` is
// not `-n 2000`. A seed's id says nothing of this: it is of what was recorded, to the letter.

import { createHash } from "node:crypto";
import type { BlobStore } from "./blob-store.js";
import { FOLDER_NAME } from "./project-folder.js";
import type { BlobName, Seed, SeedEntry } from "./seed.js";
import type { SeedContent } from "./seed-store.js";

/** Where programs make files that are new each time. */
const TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm"];
/** What varies in a name: numbers of processes and times, and what mktemp puts in the place of XXXXXX. */
const VARIABLE = /\d{3,}|(?<=[._-]|^tmp)(?=[a-z]*[A-Z\d])(?=[A-Z]*[a-z\d])[A-Za-z\d_]{4,16}(?=\.|$)/g;
/** A shell sets them, whatever the test is about. */
const OF_THE_SHELL = /^(_|SHLVL|OLDPWD)=/;
/** A path may follow anything (`-o/tmp/x`) but a part of a path: /home/tmp is another place. */
const BEFORE_PATH = "(?<!/[^/\\s:;,\"'=]*)";
/** Larger contents are not looked into. */
const MOST_BYTES = 0x1_0000;
const MOST_NAMES = 2000;

/** The same for invocations that are one test. `root`: the project's; `temporary`: TMPDIR, if the user has one. */
export function likenessOf(content: SeedContent, blobs: BlobStore, root: string, temporary = ""): string {
  return new Likeness(content, blobs, root, temporary).hash();
}

class Likeness {
  private readonly numbers = new Map<string, number>();
  private readonly roots: RegExp;
  private readonly temporary: RegExp;
  private readonly names: RegExp | null;
  /** The directory it runs in; null if that is a place by itself, such as the project. */
  private readonly here: RegExp | null;

  constructor(
    private readonly content: SeedContent,
    private readonly blobs: BlobStore,
    root: string,
    temporary: string,
  ) {
    const top = escaped(Buffer.from(root).toString("latin1"));
    this.roots = new RegExp(`${BEFORE_PATH}${top}(?:/${escaped(FOLDER_NAME)}/build)?(?![\\w.-])`, "g");
    const places = [...TEMPORARY, ...(/^\/./.test(temporary) ? [temporary.replace(/\/+$/, "")] : [])];
    this.temporary = new RegExp(`${BEFORE_PATH}(${places.map(escaped).join("|")})/([^/\\s:;,"'=<>]+)`, "g");
    this.names = namesOf(content);
    const isBelow = [Buffer.from(root).toString("latin1"), ...places].some((place) =>
      content.workingDirectory.startsWith(`${place}/`),
    );
    this.here = isBelow
      ? new RegExp(`${BEFORE_PATH}${escaped(content.workingDirectory)}(?![^/\\s:;,"'=<>])`, "g")
      : null;
  }

  hash(): string {
    const { content } = this;
    const told = [
      content.programContent,
      // Words first: they say which name is which.
      content.arguments.map((word) => this.plain(word)),
      this.plain(content.program),
      this.plain(content.workingDirectory),
      content.environment.filter((variable) => !OF_THE_SHELL.test(variable)).map((variable) => this.plain(variable)),
      content.umask,
      content.stdin.kind === "bytes"
        ? [this.plainContent(content.stdin.content), content.stdin.regularFile === true]
        : content.stdin.kind,
      content.files.map((file) => [this.plain(file.path), file.mode, this.plainContent(file.content)]),
      content.end,
      this.tree(),
      ...(content.outputs === undefined ? [] : [content.outputs]),
    ];
    return createHash("sha256").update(JSON.stringify(told)).digest("hex");
  }

  /** By their plain names: the order is that of names which vary. */
  private tree(): string[] {
    const known = new Set(this.content.files.filter(({ content }) => content !== null).map(({ path }) => path));
    return (this.content.tree ?? [])
      .map(({ kind, path, mode, size, links, to = "", isWhole = false }: SeedEntry) => {
        // How long a content is says its content.
        const measures = kind === "directory" ? [] : [known.has(path) ? 0 : size, links];
        const length = kind === "link" ? [] : measures;
        return JSON.stringify([this.plain(path), kind, mode, length, this.plain(to), isWhole]);
      })
      .sort();
  }

  private plain(text: string): string {
    const placed = (this.here === null ? text : text.replace(this.here, "<here>"))
      .replace(this.roots, "<root>")
      .replace(this.temporary, (_, place: string, name: string) => `${place}/${this.numbered(name)}`);
    if (this.names === null) return placed;
    return placed.replace(this.names, (name) => name.replace(VARIABLE, (part) => this.numbered(part)));
  }

  private numbered(name: string): string {
    const number = this.numbers.get(name) ?? this.numbers.size;
    this.numbers.set(name, number);
    return `<${number}>`;
  }

  /** The content's name, or that of what it is without names that vary. */
  private plainContent(name: BlobName | null): string | null {
    const bytes = name === null || (this.names === null && this.numbers.size === 0) ? null : this.blobs.get(name);
    if (bytes === null || bytes.length > MOST_BYTES) return name;
    const text = Buffer.from(bytes).toString("latin1");
    const plain = this.plain(text);
    return plain === text ? name : createHash("sha256").update(plain).digest("hex");
  }
}

/** Names of what the program looked at, or variables name, as far as they may vary, wherever they stand by themselves. */
function namesOf({ files, tree = [], workingDirectory, environment }: SeedContent): RegExp | null {
  const names = new Set<string>();
  const named = environment.flatMap((variable) => /=(\.{0,2}\/[^:;,\s]*)$/.exec(variable)?.[1] ?? []);
  const seen = [...files, ...tree].map(({ path }) => path);
  for (const path of [workingDirectory, ...named, ...seen]) {
    for (const name of path.split("/")) if (name.search(VARIABLE) >= 0) names.add(name);
    if (names.size >= MOST_NAMES) break;
  }
  if (names.size === 0) return null;
  // The longest first: one may be the beginning of another.
  const sorted = [...names].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return new RegExp(`(?<![A-Za-z\\d])(?:${sorted.map(escaped).join("|")})(?![A-Za-z\\d])`, "g");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Ages of what a test makes are the same whenever it runs. */
const OF_THE_TEST_SECONDS = 3600;

/** Seeds that are known, by what they are like. */
export class AlikeSeeds {
  private readonly known = new Map<string, Seed>();

  constructor(
    seeds: readonly Seed[],
    private readonly blobs: BlobStore,
    private readonly root: string,
    private readonly temporary: string,
  ) {
    for (const seed of seeds) this.known.set(this.likeness(seed), seed);
  }

  /** The seed that this one is again, with the time at which it was; the seed itself if there is none, which is known from now on. */
  asKnown(seed: Seed): Seed {
    const likeness = this.likeness(seed);
    const known = this.known.get(likeness);
    if (known === undefined || known.id === seed.id) {
      this.known.set(likeness, seed);
      return seed;
    }
    const again = movedTo(known, seed);
    this.known.set(likeness, again);
    return again;
  }

  private likeness(seed: Seed): string {
    return likenessOf(seed, this.blobs, this.root, this.temporary);
  }
}

/** Times are no part of a seed's id. */
function movedTo(known: Seed, { recorded }: Seed): Seed {
  const before = Date.parse(known.recorded.at) / 1000;
  const shift = Math.round(Date.parse(recorded.at) / 1000 - before);
  const { tree } = known;
  if (tree === undefined || !Number.isFinite(shift)) return { ...known, recorded };
  const moved = tree.map((entry): SeedEntry => {
    const isOfTheTest = entry.kind !== "missing" && entry.seconds >= before - OF_THE_TEST_SECONDS;
    return isOfTheTest ? { ...entry, seconds: entry.seconds + shift } : entry;
  });
  return { ...known, tree: moved, recorded };
}
