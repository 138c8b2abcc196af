// `tangent reach` on places drawn at random: npm run qualify:reach -- PROJECT... [--count N] [--random-seed S] [--target-time S] [--folder NAME]...
//
// A project is a directory in which `tangent record` has run. Of all blocks of its programs that no recorded test executes, N are drawn (of
// files below the folders named, if any are), and each is searched for. What was not reached is printed with its reason, to be judged by
// reading.

import type { ProgramPlace } from "../src/campaign/work-messages.js";
import { loadModule } from "../src/jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../src/jit/options.js";
import { runPatchCampaign } from "../src/jobs/patch-campaign.js";
import { loadProgram } from "../src/program/load.js";
import { BlobStore } from "../src/project/blob-store.js";
import { latestSeeds } from "../src/project/earlier-findings.js";
import { testOfInvocation } from "../src/project/invocation-test.js";
import { ProjectFolder } from "../src/project/project-folder.js";
import type { Seed } from "../src/project/seed.js";
import { SeedStore } from "../src/project/seed-store.js";
import { invocationOf } from "../src/project/seed-test.js";
import { Random } from "../src/support/random.js";
import { ConcreteRunner } from "../src/techniques/reach/concrete-runner.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    count: { type: "string", default: "30" },
    "random-seed": { type: "string", default: "1" },
    "target-time": { type: "string", default: "20" },
    folder: { type: "string", multiple: true, default: [] },
  },
});
if (positionals.length === 0) {
  console.error("qualify:reach: name a directory in which tests were recorded");
  process.exit(2);
}

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Lines that begin a block which no test executes, each once. */
async function uncovered(root: string, seeds: readonly Seed[], blobs: BlobStore): Promise<Place[]> {
  const byProgram = new Map<string, Seed[]>();
  for (const seed of seeds) byProgram.set(seed.program, [...(byProgram.get(seed.program) ?? []), seed]);
  const covered = new Set<string>();
  const open = new Map<string, Place>();
  for (const [program, own] of byProgram) {
    const options = { env: process.env, clang: null, flags: [], compile: AMPLIFY_COMPILE_OPTIONS };
    const loaded = await loadProgram([program], options);
    if (loaded.kind === "failed") continue;
    const { image } = loaded;
    const runner = new ConcreteRunner(image, loadModule(image), 1);
    const executed = new Uint8Array(image.coverage.length);
    for (const seed of own) {
      const made = invocationOf(seed, blobs);
      if (made.kind === "broken") continue;
      const limits = { instructions: 100_000_000, milliseconds: 5000, heapBytes: 0x1000_0000 };
      const { coverage } = runner.run(testOfInvocation(made.invocation, root), limits);
      coverage.forEach((byte, block) => {
        if (byte !== 0) executed[block] = 1;
      });
    }
    image.coverage.forEach(({ locations, instructions }, block) => {
      const first = image.locations[locations[0] ?? -1];
      if (instructions === 0 || first === undefined || first.line === 0 || first.origin !== "program") return;
      if (!first.file.startsWith(`${root}/`)) return;
      const file = first.file.slice(root.length + 1);
      if (values.folder.length > 0 && !values.folder.some((name) => file.startsWith(`${name}/`))) return;
      const key = `${file}:${first.line}`;
      if (executed[block] !== 0) covered.add(key);
      else open.set(key, { file, line: first.line });
    });
  }
  return [...open].filter(([key]) => !covered.has(key)).map(([, place]) => place);
}

const random = new Random(Number(values["random-seed"]));
let reached = 0;
let all = 0;
for (const root of positionals) {
  const folder = new ProjectFolder(root);
  const seeds = latestSeeds(new SeedStore(folder).list());
  const open = await uncovered(root, seeds, new BlobStore(folder));
  const places: Place[] = [];
  const count = Math.round(Number(values.count) / positionals.length);
  while (places.length < count && open.length > 0) places.push(...open.splice(random.next() % open.length, 1));
  console.log(
    `${root}: ${open.length + places.length} lines begin a block that no test executes; ${places.length} drawn`,
  );
  const programs = new Map<string, ProgramPlace>();
  for (const { program: path, programContent: content } of seeds) programs.set(content, { content, path, name: path });
  const targetMs = Number(values["target-time"]) * 1000;
  const { result } = await runPatchCampaign(
    {
      folder,
      seeds,
      programs: [...programs.values()],
      oldPrograms: [],
      changes: null,
      places,
      functions: [],
      sourceRoot: root,
      env: process.env,
      budgetMs: targetMs * count + 120_000,
      targetMs,
      workers: 2,
      without: [],
      plan: { amplifyDistance: -1 },
    },
    () => {},
  );
  for (const { id, function: name, distance, state } of result?.targets ?? []) {
    if (state.kind === "covered") continue;
    all++;
    if (state.kind === "reached") {
      reached++;
      const { command, steps } = result?.inputs[state.input] ?? { command: [], steps: [] };
      console.log(`  ${id} ${name}() distance ${distance}: reached by ${command.join(" ")}   # ${steps.join("; ")}`);
    } else {
      const why = state.kind === "unreachable" ? state.why : state.why.sentence;
      console.log(`  ${id} ${name}() distance ${distance}: ${state.kind}: ${why}`);
    }
  }
}
console.log(`${reached} of ${all} reached`);
