// What --resume needs to know about how an exploration was started, kept beside what it has explored: the program and its plan,
// so that `tangent explore --resume DIR` is all one has to type. Limits are those of the new command line: the old time
// limit is usually the reason why there is something to resume. They count from now on.
// The plan names a compiler and its flags, so it is sealed: a folder that came with a repository, or from another machine, is
// continued only with a program that the user names.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_FILE } from "../engine/exploration-files.js";
import type { EngineLimits } from "../engine/options.js";
import { KINDS, type KindName } from "../findings/kinds.js";
import { costOf, MOST_INPUT_BYTES } from "../inputs/symbolic-inputs.js";
import { CHECK_POLICIES, EXPLORATION_MODES } from "../path/frontier.js";
import { isSealed, sealOf } from "../project/state-folder.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import {
  bytes,
  either,
  listOf,
  mapOf,
  matching,
  number,
  oneOf,
  optional,
  orNull,
  record,
  text,
  truth,
  upTo,
} from "../support/shape.js";
import type { ExplorePlan } from "../techniques/explore.js";

/** Below the run's folder. */
export const RESUME_FOLDER = "resume";
const PLAN_FILE = "plan.json";
const SEAL_FILE = "plan.seal";

export interface SavedPlan {
  readonly program: string;
  /** Compiler and flags, for programs given as source. */
  readonly clang: string | null;
  readonly flags: readonly string[];
  readonly plan: ExplorePlan;
}

export type SavedResult =
  | { readonly kind: "saved"; readonly saved: SavedPlan }
  | { readonly kind: "failed"; readonly message: string };

/** Of something that is input. */
const size = upTo(MOST_INPUT_BYTES);
/** Names of files are those of a folder's own files. */
const FILE_NAME = /^(?!\.{1,2}$)[^/\0]+$/;
const SAVED = record({
  program: text,
  clang: orNull(text),
  flags: listOf(text),
  plan: record({
    program: text,
    workingDirectory: matching(/^\//),
    environment: listOf(text),
    heapBytes: number,
    inputs: record({
      words: listOf(
        either(
          record({ kind: oneOf("fixed"), bytes }),
          record({ kind: oneOf("symbolic"), length: size }),
          record({ kind: oneOf("several"), least: size, most: size, length: size }),
        ),
      ),
      stdin: orNull(size),
      files: listOf(record({ name: matching(FILE_NAME), size })),
      environment: listOf(record({ name: matching(/^\w+$/), length: size })),
    }),
    seeds: listOf(listOf(record({ name: text, occurrence: number, bytes }))),
    mode: oneOf(...EXPLORATION_MODES),
    checks: oneOf(...CHECK_POLICIES),
    joins: truth,
    searcher: text,
    randomSeed: number,
    tries: truth,
    limits: mapOf(orNull(number)),
    silentAssumptions: optional(truth),
    storeCells: optional(number),
    stopAtFirst: either(truth, oneOf(...(Object.keys(KINDS) as KindName[]))),
    solver: record({}),
  }),
});

function isSavedPlan(value: unknown): value is SavedPlan {
  return SAVED(value) && costOf((value as SavedPlan).plan.inputs) <= MOST_INPUT_BYTES;
}

/** Bytes are hexadecimal under this name; limits without end are null. */
const HEX = "$hex";

export function writePlan(folder: string, saved: SavedPlan, env: NodeJS.ProcessEnv): void {
  const plan = JSON.stringify(saved, (_key, value: unknown) =>
    value instanceof Uint8Array || isBuffer(value) ? { [HEX]: hexOf(value) } : value,
  );
  const text = `${plan}\n`;
  writeFileSync(join(folder, RESUME_FOLDER, PLAN_FILE), text, { mode: PRIVATE_FILE });
  writeFileSync(join(folder, RESUME_FOLDER, SEAL_FILE), `${sealOf(text, env)}\n`, { mode: PRIVATE_FILE });
}

/** Whether this user wrote the plan on this machine, so that what it names may be used. */
export function isPlanOurs(folder: string, env: NodeJS.ProcessEnv): boolean {
  try {
    const text = textIn(join(folder, RESUME_FOLDER, PLAN_FILE));
    return isSealed(text, textIn(join(folder, RESUME_FOLDER, SEAL_FILE)).trim(), env);
  } catch {
    return false;
  }
}

export function readPlan(folder: string): SavedResult {
  const path = join(folder, RESUME_FOLDER, PLAN_FILE);
  try {
    const saved = JSON.parse(textIn(path), (_key, value: unknown) => {
      if (typeof value !== "object" || value === null || !(HEX in value)) return value;
      return new Uint8Array(Buffer.from(String(value[HEX]), "hex"));
    }) as unknown;
    if (!isSavedPlan(saved))
      return { kind: "failed", message: `${folder}: its ${PLAN_FILE} is no plan of an exploration` };
    return { kind: "saved", saved };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "failed", message: `${folder} holds no exploration to resume: ${reason}` };
  }
}

/** Anybody may have made the folder. */
function textIn(path: string): string {
  return readRegularFile(path, { noLink: true }).toString();
}

/** Time and paths of an exploration so far, as its statistics say. */
export function progressOf(folder: string): {
  readonly timeMs: number;
  readonly paths: number;
  readonly complete: boolean;
} {
  try {
    const { timeMs, paths, complete } = JSON.parse(textIn(join(folder, "statistics.json")));
    return { timeMs: Number(timeMs), paths: Number(paths), complete: complete === true };
  } catch {
    return { timeMs: 0, paths: 0, complete: false };
  }
}

/** Whether an exploration has kept its paths as it went, to be gone on with. */
export function isKept(folder: string): boolean {
  return existsSync(join(folder, RESUME_FOLDER, JOURNAL_FILE));
}

export function resumedPlan(
  saved: ExplorePlan,
  given: Pick<ExplorePlan, "limits" | "stopAtFirst" | "solver" | "roots">,
  searcher: string | null,
  before: { readonly timeMs: number; readonly paths: number },
): ExplorePlan {
  const limits: Partial<EngineLimits> = {
    ...given.limits,
    timeMs: (given.limits.timeMs ?? Number.POSITIVE_INFINITY) + before.timeMs,
    paths: (given.limits.paths ?? Number.POSITIVE_INFINITY) + before.paths,
  };
  const { stopAtFirst, solver } = given;
  // With the seeds: a snapshot says which are still to be run, and before the first snapshot those in the journal are known ground.
  const roots = given.roots === undefined ? {} : { roots: given.roots };
  return { ...saved, ...roots, limits, stopAtFirst, solver, searcher: searcher ?? saved.searcher };
}

/** What JSON.stringify is handed in place of a Buffer, whose own toJSON comes first. */
function isBuffer(value: unknown): value is { readonly type: "Buffer"; readonly data: readonly number[] } {
  return typeof value === "object" && value !== null && "type" in value && value.type === "Buffer" && "data" in value;
}

function hexOf(value: Uint8Array | { readonly data: readonly number[] }): string {
  return Buffer.from(value instanceof Uint8Array ? value : value.data).toString("hex");
}
