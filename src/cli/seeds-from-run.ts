// `tangent seeds --add DIR`: what an exploration found becomes seeds of the project, for all techniques. DIR must be a folder that
// this user's `tangent explore` wrote on this machine, because its plan says which program is run.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { isPlanOurs, readPlan } from "../jobs/resume.js";
import { BlobStore } from "../project/blob-store.js";
import { latestSeeds } from "../project/earlier-findings.js";
import { noteSeeds } from "../project/made-here.js";
import { seedOfInvocation } from "../project/made-seed.js";
import { programContent } from "../project/program-content.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { SeedStore } from "../project/seed-store.js";
import { keepProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { exploredTests } from "../report/explored-tests.js";
import { counted } from "../report/finding-view.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";

/** What was added in words, or why nothing could be. */
export type AddedRun = { readonly note: string } | { readonly problem: string };

export function addRun(folder: ProjectFolder, run: string, context: CommandContext): AddedRun {
  const read = readPlan(run);
  if (read.kind === "failed") return { problem: `${visible(run)} is no folder of \`tangent explore\`` };
  if (!isPlanOurs(run, context.env)) {
    return { problem: `${visible(run)} was not written by you on this machine, so what it names is not run` };
  }
  const { plan } = read.saved;
  const program = resolve(plan.workingDirectory, read.saved.program);
  const shown = visible(read.saved.program);
  if (/\.(c|i|ll|bc)$/.test(program)) {
    return { problem: `${shown} is no program: build it with \`tangent cc\` and explore that` };
  }
  const made = programContent(program);
  if (made === null) return { problem: `${shown} is no longer there` };
  const store = new SeedStore(folder);
  const recorded = latestSeeds(store.list()).find((seed) => seed.program === program);
  if (recorded !== undefined && recorded.programContent !== made.content) {
    return { problem: `${shown} is no longer what the tests were recorded from; record them again first` };
  }
  const place = { ...plan, program: read.saved.program };
  const { invocations, left, problems } = exploredTests(run, place);
  for (const problem of problems) context.error(`tangent seeds: note: ${visible(problem)}\n`);
  const state = new ProjectState(folder.root, context.env);
  const blobs = new BlobStore(folder);
  if (invocations.length > 0) keepProgram(state, program, made, statSync(program).mode);
  const at = new Date().toISOString();
  let added = 0;
  for (const invocation of invocations) {
    const seed = seedOfInvocation(invocation, { program, programContent: made.content }, blobs);
    if (store.find(seed.id) !== null) continue;
    store.add({ ...seed, recorded: { ...seed.recorded, at } });
    noteSeeds(state, [seed.id]);
    added++;
  }
  const known = invocations.length - added;
  const parts = [
    `${counted(added, "input")} of ${visible(run)} added as seeds`,
    ...(known === 0 ? [] : [`${known} were there already`]),
    ...(left === 0 ? [] : [`${left} left out: the program makes its input itself (klee_make_symbolic)`]),
  ];
  return { note: parts.join("; ") };
}
