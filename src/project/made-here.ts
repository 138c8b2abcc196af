// Which tests were recorded, and which inputs found, by this user on this machine. A native program does with its arguments and
// files whatever it was made for, so only such tests are run natively: seeds and results in `.tangent` may have come with
// the repository. Kept in the state folder, one line each: a seed's name, a hash of all of it but times, and a hash of a
// finding's input.

import { appendFileSync, readFileSync } from "node:fs";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { hashOf } from "./content-hash.js";
import type { Seed } from "./seed.js";
import { seedId } from "./seed-store.js";
import type { ProjectState } from "./state-folder.js";

/** What of a finding decides what its input is. */
export interface FoundInput {
  readonly seedId: string;
  readonly inputs: readonly { readonly name: string; readonly witness: string }[];
}

const SEEDS = "recorded-seeds";
const INPUTS = "found-inputs";

export function noteSeeds(state: ProjectState, ids: Iterable<string>): void {
  note(state, SEEDS, ids);
}

export function isSeedOurs(state: ProjectState, seed: Seed): boolean {
  return seedId(seed) === seed.id && linesOf(state, SEEDS).has(seed.id);
}

export function seedsOurs(state: ProjectState, seeds: readonly Seed[]): Seed[] {
  const noted = seeds.length === 0 ? new Set<string>() : linesOf(state, SEEDS);
  return seeds.filter((seed) => noted.has(seed.id) && seedId(seed) === seed.id);
}

export function noteInputs(state: ProjectState, found: Iterable<FoundInput>): void {
  note(state, INPUTS, Array.from(found, inputName));
}

export function isInputOurs(state: ProjectState, found: FoundInput): boolean {
  return linesOf(state, INPUTS).has(inputName(found));
}

function inputName({ seedId: seed, inputs }: FoundInput): string {
  return hashOf(Buffer.from(JSON.stringify([seed, inputs.map(({ name, witness }) => [name, witness])])));
}

/** A disk that is full costs native runs of these, not what was recorded or found. */
function note(state: ProjectState, file: string, names: Iterable<string>): void {
  try {
    const known = linesOf(state, file);
    const fresh = [...new Set(names)].filter((name) => !known.has(name));
    if (fresh.length === 0) return;
    appendFileSync(state.file(file), fresh.map((name) => `${name}\n`).join(""), { mode: PRIVATE_FILE });
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
  }
}

function linesOf(state: ProjectState, file: string): ReadonlySet<string> {
  try {
    const path = state.known(file);
    return new Set(path === null ? [] : readFileSync(path, "utf8").split("\n"));
  } catch {
    return new Set();
  }
}
