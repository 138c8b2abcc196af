// The thread that does a campaign's work items, for whichever technique: it translates programs, or finds them in the cache, and
// calls the technique's runner. Generated code needs a large native stack, and the main thread stays free for time, Ctrl-C and
// the screen.

import { parentPort } from "node:worker_threads";
import type { ItemRunner } from "../campaign/technique.js";
import { serveWork } from "../campaign/work-server.js";
import type { CompileOptions } from "../jit/options.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import { coverageMapOf } from "../report/file-coverage.js";
import { useV8Flags } from "../support/v8-flags.js";
import { AMPLIFY_RUNNER } from "../techniques/amplify-item.js";
import { findProgram } from "./find-program.js";

interface TechniqueWork {
  readonly runner: ItemRunner<unknown, unknown, unknown>;
  /** How its programs are translated. */
  readonly compile: CompileOptions;
}

/** By name: a new technique has its line here. */
const TECHNIQUES: ReadonlyMap<string, TechniqueWork> = new Map([
  ["amplify", { runner: AMPLIFY_RUNNER as TechniqueWork["runner"], compile: AMPLIFY_COMPILE_OPTIONS }],
]);

function techniqueOf(name: string): TechniqueWork {
  const technique = TECHNIQUES.get(name);
  if (technique === undefined) throw new Error(`no technique is called ${name}`);
  return technique;
}

if (parentPort !== null) {
  useV8Flags();
  serveWork(parentPort, {
    async load({ path }, { technique, env }, onProgress) {
      const { compile } = techniqueOf(technique);
      const found = await findProgram(path, { env, clang: null, flags: [], compile, onProgress });
      if (found.kind === "failed") return { problem: found.message };
      const image = found.image();
      return { image, module: new WebAssembly.Module(image.wasm), warnings: found.warnings };
    },
    describe: ({ image }) => coverageMapOf(image),
    run: (work, { technique, setup }, context) => techniqueOf(technique).runner.run(work, setup, context),
  });
}
