// Tests that were recorded with one build, given to the programs of another: what a test is does not depend on the program it was recorded
// from, so a suite that has not changed need not run again for every version. A program is the same if it lies at the same place
// below its build's directory. And which recorded tests are those of a build at all.

import { createHash } from "node:crypto";
import { PRIVATE_FILE } from "../../support/private-modes.js";
import { readRegularFile } from "../../support/regular-file.js";
import { latestSeeds } from "../earlier-findings.js";
import { writeSafely } from "../project-folder.js";
import type { Seed } from "../seed.js";
import { seedId } from "../seed-store.js";
import type { ProjectState } from "../state-folder.js";
import type { BuiltProgram } from "./build-stamp.js";

export interface RebindTarget {
  readonly programs: readonly BuiltProgram[];
  /** Where the programs lie. */
  readonly directory: string;
  /** Where earlier builds lay. */
  readonly earlier: readonly string[];
}

export interface Rebound {
  readonly seed: Seed;
  /** What it was made from. */
  readonly from: Seed;
}

/** Each seed whose program is among them, with the program as it is now; the others are left out. */
export function rebindSeeds(seeds: readonly Seed[], target: RebindTarget): Rebound[] {
  const programs = programsByPlace(target);
  const rebound = new Map<string, Rebound>();
  for (const from of seeds) {
    const place = placeOf(from.program, target);
    const program = place === null ? undefined : programs.get(place);
    if (program === undefined) continue;
    const { id: _id, ...content } = { ...from, program: program.path, programContent: program.content };
    const seed = { ...content, id: seedId(content) };
    rebound.set(seed.id, { seed, from });
  }
  return [...rebound.values()];
}

export interface SortedSeeds {
  /** Recorded from these very programs. */
  readonly own: readonly Seed[];
  /** Of the last recording of those programs that have none. */
  readonly others: readonly Seed[];
}

/** `seeds`: all there are, in the order of recording. */
export function sortSeeds(seeds: readonly Seed[], target: RebindTarget): SortedSeeds {
  const places = programsByPlace(target);
  const own: Seed[] = [];
  const served = new Set<string>();
  for (const seed of seeds) {
    const place = placeOf(seed.program, target);
    if (place === null || places.get(place)?.content !== seed.programContent) continue;
    own.push(seed);
    served.add(place);
  }
  const left = seeds.filter(({ program }) => {
    const place = placeOf(program, target);
    return place !== null && places.has(place) && !served.has(place);
  });
  // The same program may have been recorded in two directories: the later one counts.
  const last = new Map(left.map((seed) => [placeOf(seed.program, target), seed.program]));
  const others = latestSeeds(left.filter((seed) => last.get(placeOf(seed.program, target)) === seed.program));
  return { own, others };
}

function programsByPlace(target: RebindTarget): Map<string, BuiltProgram> {
  return new Map(target.programs.map((program) => [placeOf(program.path, target) ?? program.path, program]));
}

/** Below the build's directory; null if it is in none. */
function placeOf(program: string, { directory, earlier }: RebindTarget): string | null {
  // The longest first: a project's own folder has the others below it.
  const folders = [directory, ...earlier].sort((a, b) => b.length - a.length);
  const folder = folders.find((one) => program.startsWith(`${one}/`));
  return folder === undefined ? null : program.slice(folder.length + 1);
}

/** What the tests are made of: files in places where tests are, and the command that runs them. */
export function testsIdentity(files: ReadonlyMap<string, string>, command: string): string {
  const hash = createHash("sha256").update(`${command}\0`);
  for (const [path, content] of files) if (isTestFile(path)) hash.update(`${path}\0${content}\n`);
  return hash.digest("hex");
}

function isTestFile(path: string): boolean {
  const names = path.split("/");
  const name = names.pop() ?? "";
  const isFolder = /^(t|tests?|testsuite|testing|checks?|specs?|fixtures|test-?data)$/i;
  return names.some((one) => isFolder.test(one)) || /(^|[-_.])tests?([-_.]|$)/i.test(name);
}

const NOTED = "patch-tests";

/** Which tests the last recording for patch testing ran; null if there was none. */
export function recordedTests(state: ProjectState): string | null {
  try {
    return readRegularFile(state.file(NOTED)).toString().trim();
  } catch {
    return null;
  }
}

export function noteRecordedTests(state: ProjectState, identity: string): void {
  writeSafely(state.file(NOTED), `${identity}\n`, PRIVATE_FILE);
}
