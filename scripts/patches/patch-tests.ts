// The recorded tests of a listed patch, and the programs that they run.

import type { ProgramPlace } from "../../src/campaign/work-messages.js";
import { latestSeeds } from "../../src/project/earlier-findings.js";
import { ProjectFolder } from "../../src/project/project-folder.js";
import type { Seed } from "../../src/project/seed.js";
import { SeedStore } from "../../src/project/seed-store.js";
import { sameProgram } from "../../src/project/stand-ins.js";
import { ProjectState } from "../../src/project/state-folder.js";
import type { ListedPatch } from "./patch-list.js";

export interface PatchTests {
  readonly folder: ProjectFolder;
  readonly seeds: readonly Seed[];
  readonly programs: readonly ProgramPlace[];
}

export function testsOf({ newTree }: ListedPatch): PatchTests {
  const folder = new ProjectFolder(newTree);
  const seeds = latestSeeds(new SeedStore(folder).list());
  const state = new ProjectState(folder.root, process.env);
  const places = new Map<string, ProgramPlace>();
  for (const seed of seeds) {
    const { programContent: content, program: name } = seed;
    if (!places.has(content)) places.set(content, { content, path: sameProgram(state, seed) ?? name, name });
  }
  return { folder, seeds, programs: [...places.values()] };
}
