// The thread that does a campaign's work items, for whichever technique: it translates programs, or finds them in the cache, and
// calls the technique's runner. Generated code needs a large native stack, and the main thread stays free for time, Ctrl-C and
// the screen.

import { parentPort } from "node:worker_threads";
import type { ItemOutcome, ItemRunner } from "../campaign/technique.js";
import type { WorkSetup } from "../campaign/work-messages.js";
import { serveWork } from "../campaign/work-server.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import type { CompileOptions } from "../jit/options.js";
import { AMPLIFY_COMPILE_OPTIONS, DEFINEDNESS_COMPILE_OPTIONS, UNIT_COMPILE_OPTIONS } from "../jit/options.js";
import { DEFAULT_GRAPH_OPTIONS } from "../program/graph/build-graph.js";
import { loadGraph } from "../program/graph/load-graph.js";
import { loadWords } from "../program/graph/load-words.js";
import { loadLinkedProgram } from "../program/load-linked.js";
import type { LoadOptions } from "../program/warm.js";
import { coverageMapOf } from "../report/file-coverage.js";
import { useV8Flags, useV8FlagsForShortRuns } from "../support/v8-flags.js";
import { AMPLIFY_RUNNER } from "../techniques/amplify-item.js";
import { COMPOSE_RUNNER } from "../techniques/compose/compose-item.js";
import { REACH_RUNNER } from "../techniques/reach/reach-item.js";
import type { ReachNeed, ReachSetup } from "../techniques/reach/reach-work.js";
import { scrapMachines } from "../techniques/scrap-machines.js";
import { UnitTypes } from "../techniques/unit/describe-unit.js";
import { DEFINEDNESS_NEED } from "../techniques/unset-uses.js";
import { doWithout, forgetTried, takeWanted, useBuiltPrograms } from "./built-programs.js";
import { findProgram } from "./find-program.js";

interface TechniqueWork {
  readonly runner: ItemRunner<unknown, unknown, unknown>;
  /** How its programs are translated. */
  readonly compile: CompileOptions;
  /** What V8 is told, if that is not what every thread tells it. */
  readonly useFlags?: () => void;
  /** What its items may need of a program besides its image, by the name they have for it. */
  readonly prepare?: Readonly<Record<string, Prepare>>;
}

type Prepare = (
  path: string,
  image: ProgramImage,
  options: LoadOptions,
  setup: unknown,
) => Promise<{ readonly made: unknown } | { readonly problem: string }>;

/** By name: a new technique has its line here. */
const TECHNIQUES: ReadonlyMap<string, TechniqueWork> = new Map<string, TechniqueWork>([
  [
    "amplify",
    {
      runner: AMPLIFY_RUNNER as TechniqueWork["runner"],
      compile: AMPLIFY_COMPILE_OPTIONS,
      useFlags: useV8FlagsForShortRuns,
      prepare: {
        words: async (path, image, options): ReturnType<Prepare> => ({ made: await loadWords(path, image, options) }),
        [DEFINEDNESS_NEED]: async (path, _image, options): ReturnType<Prepare> => {
          const found = await findProgram(path, { ...options, compile: DEFINEDNESS_COMPILE_OPTIONS });
          if (found.kind === "failed") return { problem: found.message };
          const image = found.image();
          return { made: { image, module: loadModule(image) } };
        },
      },
    },
  ],
  [
    "patch",
    {
      runner: REACH_RUNNER as TechniqueWork["runner"],
      compile: AMPLIFY_COMPILE_OPTIONS,
      prepare: {
        graph: async (path, image, options, setup): ReturnType<Prepare> => {
          const { without } = setup as ReachSetup;
          const pointers = without.includes("points-to") ? "types" : "points-to";
          const graph = await loadGraph(path, image, options, { ...DEFAULT_GRAPH_OPTIONS, pointers });
          return "kind" in graph ? { problem: graph.message } : { made: graph };
        },
        old: async (path, _image, options, setup): ReturnType<Prepare> => {
          const oldPath = (setup as ReachSetup).oldPrograms[path];
          const found = oldPath === undefined ? null : await findProgram(oldPath, options);
          const image = found?.kind === "found" ? found.image() : null;
          return { made: image === null ? null : { image, module: loadModule(image) } };
        },
      } satisfies Record<ReachNeed, Prepare>,
    },
  ],
  [
    "compose",
    {
      runner: COMPOSE_RUNNER as TechniqueWork["runner"],
      compile: UNIT_COMPILE_OPTIONS,
      prepare: {
        linked: async (path, image, options): ReturnType<Prepare> => {
          const linked = await loadLinkedProgram([path], options);
          if (linked.kind === "failed") return { problem: linked.message };
          const { program } = linked;
          // From a program of their own: to find them changes it.
          const words = await loadWords(path, image, options);
          return { made: { program, types: new UnitTypes(program), words } };
        },
      },
    },
  ],
]);

function techniqueOf(name: string): TechniqueWork {
  const technique = TECHNIQUES.get(name);
  if (technique === undefined) throw new Error(`no technique is called ${name}`);
  return technique;
}

function optionsFor(technique: string, env: WorkSetup["env"]): LoadOptions {
  return { env: { ...env }, clang: null, flags: [], compile: techniqueOf(technique).compile };
}

if (parentPort !== null) {
  useV8Flags();
  serveWork(parentPort, {
    async load({ path }, { technique, env, startable }, onProgress) {
      // The thread may have served another technique before.
      (techniqueOf(technique).useFlags ?? useV8Flags)();
      const options = { ...optionsFor(technique, env), onProgress };
      useBuiltPrograms(startable, options, true);
      const found = await findProgram(path, options);
      if (found.kind === "failed") return { problem: found.message };
      const image = found.image();
      return { image, module: loadModule(image), warnings: found.warnings };
    },
    async prepare(need, { path }, { image }, { technique, setup, env }) {
      const prepare = techniqueOf(technique).prepare?.[need];
      if (prepare === undefined) throw new Error(`${technique} has nothing that is called ${need}`);
      return prepare(path, image, optionsFor(technique, env), setup);
    },
    drop: ({ image }) => scrapMachines(image),
    forget: forgetTried,
    describe: ({ image }) => coverageMapOf(image),
    run(work, { technique, setup }, context, absent) {
      doWithout(absent);
      takeWanted();
      let thrown: unknown = null;
      let outcome: ItemOutcome<unknown> | null = null;
      try {
        outcome = techniqueOf(technique).runner.run(work, setup, context);
      } catch (error) {
        thrown = error;
      }
      const path = takeWanted();
      if (path !== null) return { kind: "wanted", path };
      if (outcome === null) throw thrown;
      return outcome;
    },
  });
}
