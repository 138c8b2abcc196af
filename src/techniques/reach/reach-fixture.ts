// C programs for the tests of searches, given as text, with tests of theirs given as words and files.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Invocation } from "../../inputs/invocation.js";
import { loadModule } from "../../jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../jit/options.js";
import { loadGraph } from "../../program/graph/load-graph.js";
import { loadProgram } from "../../program/load.js";
import { ConcreteRunner } from "./concrete-runner.js";
import { ReachGround } from "./reach-ground.js";
import { type ReachInput, ReachPool } from "./reach-pool.js";
import { type Attempt, type Strategy, TargetSearch } from "./target-search.js";
import type { Wanted } from "./targets.js";

export interface SmallTest {
  readonly words?: readonly string[];
  readonly stdin?: string;
  /** By name, below /work. */
  readonly files?: Readonly<Record<string, string>>;
}

const DIRECTORY = "/work";

function invocation({ words = [], stdin, files = {} }: SmallTest): Invocation {
  return {
    program: "prog",
    arguments: words.map((word) => Buffer.from(word, "latin1")),
    environment: [],
    workingDirectory: DIRECTORY,
    umask: 0o022,
    stdin: stdin === undefined ? { kind: "empty" } : { kind: "bytes", bytes: Buffer.from(stdin), regularFile: false },
    tree: [
      { kind: "directory", path: DIRECTORY, mode: 0o755, isWhole: true },
      ...Object.entries(files).map(([name, text]) => ({
        kind: "file" as const,
        path: `${DIRECTORY}/${name}`,
        bytes: Buffer.from(text, "latin1"),
        mode: 0o644,
      })),
    ],
  };
}

/** The program's ground, for lines that bear the comment `target`, or what is named. */
export async function groundFor(
  source: string,
  wanted?: readonly Wanted[],
  /** Beside it, by name. */
  files: Readonly<Record<string, string>> = {},
): Promise<ReachGround> {
  const folder = mkdtempSync(join(tmpdir(), "tangent-reach-"));
  try {
    const file = join(folder, "prog.c");
    writeFileSync(file, source);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const options = { env: process.env, clang: null, flags: ["-g"], compile: AMPLIFY_COMPILE_OPTIONS };
    const loaded = await loadProgram([file], options);
    if (loaded.kind === "failed") throw new Error(loaded.message);
    const { image } = loaded;
    const graph = await loadGraph(file, image, options);
    if ("kind" in graph) throw new Error(graph.message);
    const lines = source.split("\n").flatMap((line, at) => (/\btarget\b/.test(line) ? [at + 1] : []));
    const places = wanted ?? [{ file: "prog.c", lines }];
    return new ReachGround(image, loadModule(image), graph, places, true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Searched {
  /** By target: what reached it, null if nothing did. */
  readonly reached: readonly (ReachInput | null)[];
  readonly attempts: readonly (Attempt | null)[];
  readonly search: TargetSearch;
}

/** Searches for every target, from these tests. */
export function searchFrom(
  ground: ReachGround,
  tests: readonly SmallTest[],
  { without = [], timeMs = 20_000 }: { readonly without?: readonly Strategy[]; readonly timeMs?: number } = {},
): Searched {
  const reached: (ReachInput | null)[] = ground.targets.map(() => null);
  const open = new Set(ground.targets.keys());
  const pool = new ReachPool();
  const search = new TargetSearch(
    ground,
    pool,
    new ConcreteRunner(ground.image, ground.module, 1),
    open,
    {
      root: DIRECTORY,
      without: new Set(without),
      instructionsPerPath: 50_000_000,
      heapBytes: 0x400_0000,
      solverQueryMs: 2000,
      memoryBytes: 0x2000_0000,
      randomSeed: 1,
      abort: { aborted: false },
    },
    ({ target, input }) => {
      reached[target] = input;
    },
    () => {},
  );
  tests.forEach((test, at) => {
    pool.add(search.tryInput({ invocation: invocation(test), seedId: `${at}`, steps: [], by: "test" }, 0));
  });
  const attempts = ground.targets.map((_, target) => (open.has(target) ? search.search(target, timeMs) : null));
  return { reached, attempts, search };
}
