// Inputs from wherever people keep them: .ktest files of KLEE's or ours, raw files, and folders of either: a run's folder,
// a finding's, a libFuzzer corpus, an AFL output directory (queue/id:*). A raw file is standard input, or the first
// symbolic file where there is one; what a test has beyond that (arguments) only a .ktest can say.

import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { InputValue } from "../inputs/input-value.js";
import { fileObjectName, NO_INPUTS, STDIN_NAME, type SymbolicInputs } from "../inputs/symbolic-inputs.js";
import { readRegularFile } from "../support/regular-file.js";
import { fromKlee } from "./klee-objects.js";
import { decodeKTest, isKTest } from "./ktest.js";

export interface GivenSeed {
  /** Where it came from. */
  readonly path: string;
  readonly content:
    | { readonly kind: "raw"; readonly bytes: Uint8Array }
    | {
        readonly kind: "ktest";
        /** As its arguments name it. */
        readonly program: string;
        readonly inputs: SymbolicInputs;
        readonly objects: readonly InputValue[];
      };
}

export interface SeedsResult {
  readonly seeds: readonly GivenSeed[];
  /** One message for each file that could not be used. */
  readonly problems: readonly string[];
}

/** Larger ones are no tests of a program's logic, and each byte is a variable. */
const MOST_SEED_BYTES = 1 << 20;

const FINDING_INPUT = "input.ktest";

export function readSeeds(paths: readonly string[]): SeedsResult {
  const seeds: GivenSeed[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    const files = filesOf(path);
    if (typeof files === "string") problems.push(files);
    else for (const file of files) readSeed(file, seeds, problems);
  }
  return { seeds, problems };
}

function readSeed(path: string, seeds: GivenSeed[], problems: string[]): void {
  let bytes: Uint8Array;
  try {
    const { size } = statSync(path);
    if (size > MOST_SEED_BYTES) {
      problems.push(`${path}: ${size} bytes are too many for a seed (at most ${MOST_SEED_BYTES})`);
      return;
    }
    bytes = readRegularFile(path);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    return;
  }
  if (!isKTest(bytes) && !path.endsWith(".ktest")) {
    seeds.push({ path, content: { kind: "raw", bytes } });
    return;
  }
  const decoded = decodeKTest(bytes);
  if (decoded.kind === "corrupt") {
    problems.push(`${path}: ${decoded.message}`);
    return;
  }
  const meaning = fromKlee(decoded.ktest);
  if (meaning.kind === "wrong") {
    problems.push(`${path}: ${meaning.problem}`);
    return;
  }
  const { inputs, objects } = meaning;
  seeds.push({ path, content: { kind: "ktest", program: Buffer.from(meaning.program).toString(), inputs, objects } });
}

/** The files that a path stands for, or why there are none. */
function filesOf(path: string): readonly string[] | string {
  let entries: Dirent[];
  try {
    if (!statSync(path).isDirectory()) return [path];
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? `${path}: there is no such file` : message;
  }
  // AFL++ has a folder per instance below its output directory.
  for (const queue of ["queue", "default/queue"]) {
    if (statSync(join(path, queue), { throwIfNoEntry: false })?.isDirectory()) return filesOf(join(path, queue));
  }
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  const chosen = [
    names.filter((name) => name.endsWith(".ktest")),
    names.filter((name) => name.startsWith("id:")),
    names.filter((name) => name !== "README.txt"),
  ].find((list) => list.length > 0);
  // The findings of an exploration have a folder each.
  const inside = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name, FINDING_INPUT));
  const found = inside.filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
  if (chosen === undefined && found.length > 0) return found.sort();
  if (chosen === undefined) return `${path}: the folder has no file to use as input`;
  return chosen.sort().map((name) => join(path, name));
}

/** What seeds alone say about a program's input, if the user has said nothing: see `tangent help explore`. */
export function inputsOfSeeds(seeds: readonly GivenSeed[]): SymbolicInputs {
  for (const { content } of seeds) if (content.kind === "ktest") return content.inputs;
  const stdin = seeds.reduce(
    (most, { content }) => Math.max(most, content.kind === "raw" ? content.bytes.length : 0),
    0,
  );
  return stdin === 0 ? NO_INPUTS : { ...NO_INPUTS, stdin };
}

/** The seed as values of input objects; null if the program takes nothing that a raw file could be. */
export function valuesOfSeed(seed: GivenSeed, inputs: SymbolicInputs): readonly InputValue[] | null {
  const { content } = seed;
  if (content.kind === "ktest") return content.objects;
  // A file of its own name comes first: --sym-files makes A, and a corpus may hold an A and a B.
  const file = inputs.files.find(({ name }) => name === basename(seed.path)) ?? inputs.files[0];
  const name = file !== undefined ? fileObjectName(file.name) : inputs.stdin !== null ? STDIN_NAME : null;
  return name === null ? null : [{ name, occurrence: 0, bytes: content.bytes }];
}
