// The thread that does a campaign's work items, for whichever technique: it translates programs, or finds them in the cache, and
// calls the technique's runner. Generated code needs a large native stack, and the main thread stays free for time, Ctrl-C and
// the screen.

import { parentPort } from "node:worker_threads";
import type { ItemRunner } from "../campaign/technique.js";
import { serveWork } from "../campaign/work-server.js";
import type { ProgramImage } from "../jit/image.js";
import type { CompileOptions } from "../jit/options.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import { DEFAULT_GRAPH_OPTIONS } from "../program/graph/build-graph.js";
import { loadGraph } from "../program/graph/load-graph.js";
import type { LoadOptions } from "../program/warm.js";
import { coverageMapOf } from "../report/file-coverage.js";
import { useV8Flags } from "../support/v8-flags.js";
import { AMPLIFY_RUNNER } from "../techniques/amplify-item.js";
import { REACH_RUNNER, type ReachExtra, type ReachSetup } from "../techniques/reach/reach-item.js";
import { makesProcesses, translateAll, useBuiltPrograms } from "./built-programs.js";
import { findProgram } from "./find-program.js";

interface TechniqueWork {
  readonly runner: ItemRunner<unknown, unknown, unknown>;
  /** How its programs are translated. */
  readonly compile: CompileOptions;
  /** What it wants of a program besides its image, for its items' `extra`. */
  readonly prepare?: (path: string, image: ProgramImage, options: LoadOptions, setup: unknown) => Promise<Prepared>;
}

type Prepared = { readonly extra: unknown } | { readonly problem: string };

/** By name: a new technique has its line here. */
const TECHNIQUES: ReadonlyMap<string, TechniqueWork> = new Map<string, TechniqueWork>([
  ["amplify", { runner: AMPLIFY_RUNNER as TechniqueWork["runner"], compile: AMPLIFY_COMPILE_OPTIONS }],
  [
    "patch",
    { runner: REACH_RUNNER as TechniqueWork["runner"], compile: AMPLIFY_COMPILE_OPTIONS, prepare: prepareForPatches },
  ],
]);

async function prepareForPatches(
  path: string,
  image: ProgramImage,
  options: LoadOptions,
  setup: unknown,
): Promise<Prepared> {
  const { without, oldPrograms } = setup as ReachSetup;
  const pointers = without.includes("points-to") ? "types" : "points-to";
  const graph = await loadGraph(path, image, options, { ...DEFAULT_GRAPH_OPTIONS, pointers });
  if ("kind" in graph) return { problem: graph.message };
  const oldPath = oldPrograms[path];
  const found = oldPath === undefined ? null : await findProgram(oldPath, options);
  const oldImage = found?.kind === "found" ? found.image() : null;
  const old = oldImage === null ? null : { image: oldImage, module: new WebAssembly.Module(oldImage.wasm) };
  const extra: ReachExtra = { graph, old };
  return { extra };
}

function techniqueOf(name: string): TechniqueWork {
  const technique = TECHNIQUES.get(name);
  if (technique === undefined) throw new Error(`no technique is called ${name}`);
  return technique;
}

if (parentPort !== null) {
  useV8Flags();
  serveWork(parentPort, {
    async load({ path }, { technique, setup, env, startable }, onProgress) {
      const { compile, prepare } = techniqueOf(technique);
      const options = { env, clang: null, flags: [], compile, onProgress };
      useBuiltPrograms(startable, options);
      const found = await findProgram(path, options);
      if (found.kind === "failed") return { problem: found.message };
      const image = found.image();
      if (makesProcesses(image)) await translateAll(startable, options);
      const prepared = prepare === undefined ? { extra: null } : await prepare(path, image, options, setup);
      if ("problem" in prepared) return prepared;
      return { image, module: new WebAssembly.Module(image.wasm), ...prepared, warnings: found.warnings };
    },
    describe: ({ image }) => coverageMapOf(image),
    run: (work, { technique, setup }, context) => techniqueOf(technique).runner.run(work, setup, context),
  });
}
