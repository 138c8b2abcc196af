// How long the items of a campaign took, from its journal: one number for each item, in rounds. A journal says of an item what its symbolic part
// took; items of which it says nothing (moves) are left out.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProjectFolder } from "../../src/project/project-folder.js";
import { SeedStore } from "../../src/project/seed-store.js";
import type { SimulatedItem } from "./model.js";

export interface RecordedTimes {
  readonly name: string;
  readonly rounds: readonly (readonly SimulatedItem[])[];
}

/** `project`: where a campaign has ended. */
export function timesOfJournal(project: string, name: string): RecordedTimes {
  const folder = new ProjectFolder(project);
  const seeds = [...new SeedStore(folder).list(), ...new SeedStore(folder, "made").list()];
  const programs = new Map(seeds.map(({ id, programContent }) => [id, programContent]));
  const rounds = new Map<number, SimulatedItem[]>();
  for (const line of readFileSync(join(folder.path, "campaign.journal"), "utf8").split("\n").slice(1)) {
    const match = /^\{"item":"([0-9a-f]+)\/(\d+)"/.exec(line);
    if (match === null) continue;
    const { memory } = JSON.parse(line) as { readonly memory?: { readonly ms?: unknown } };
    if (typeof memory?.ms !== "number") continue;
    const items = rounds.get(Number(match[2])) ?? [];
    rounds.set(Number(match[2]), items);
    items.push({ ms: memory.ms, program: programs.get(match[1]) ?? "one" });
  }
  const ordered = [...rounds].sort(([a], [b]) => a - b).map(([, items]) => items);
  return { name, rounds: ordered };
}

/** As they are kept beside this file: milliseconds, rounds of them, all of one program. */
export function keptTimes(path: string): RecordedTimes {
  const { name, rounds } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly name: string;
    readonly rounds: readonly (readonly number[])[];
  };
  return { name, rounds: rounds.map((items) => items.map((ms) => ({ ms, program: "one" }))) };
}

/** As if the suite had so many times as many tests. */
export function repeated({ name, rounds }: RecordedTimes, times: number): RecordedTimes {
  const many = (items: readonly SimulatedItem[]): SimulatedItem[] => Array.from({ length: times }, () => items).flat();
  return { name: times === 1 ? name : `${times} times ${name}`, rounds: rounds.map(many) };
}

export function workOf({ rounds }: RecordedTimes): number {
  return rounds.flat().reduce((sum, { ms }) => sum + ms, 0);
}
