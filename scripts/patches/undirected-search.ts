// What directed search is compared with: exploration that does not know the target. All tests of the programs that have it are explored in
// turn, each for a while, in an order drawn at random, with the searcher that `tangent explore` uses; what no run has covered yet, in
// this exploration or another one, is what it prefers. The next turn begins anew, with twice the time and other random numbers.
//
// It counts when a path executes the target and its input does so again with nothing symbolic, as in directed search.

import { GuidedExploration } from "../../src/engine/guided-exploration.js";
import { executorOfTest } from "../../src/engine/program-executor.js";
import type { Invocation } from "../../src/inputs/invocation.js";
import { seenFrom } from "../../src/inputs/test-input.js";
import type { ProgramImage } from "../../src/jit/image.js";
import { type InvocationLimits, invocationWith, testOfInvocation } from "../../src/project/invocation-test.js";
import { assembleSolver } from "../../src/solver/chain.js";
import { Random } from "../../src/support/random.js";
import { CoverageDistance } from "../../src/techniques/coverage-distance.js";
import { ConcreteRunner } from "../../src/techniques/reach/concrete-runner.js";
import type { TestLimits } from "../../src/techniques/test-limits.js";

/** A program that has the target. */
export interface UndirectedProgram {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
  /** The target's. */
  readonly blocks: readonly number[];
  /** One byte a block: not 0 if a test executes it. */
  readonly covered: Uint8Array;
  /** How many tests it has; one of them, null if it is broken. */
  readonly tests: number;
  test(index: number): Invocation | null;
}

export interface UndirectedOptions extends TestLimits {
  readonly root: string;
  readonly abort: { readonly aborted: boolean };
}

export interface UndirectedReached<P extends UndirectedProgram> {
  readonly program: P;
  readonly invocation: Invocation;
}

interface Place<P extends UndirectedProgram> {
  readonly program: P;
  readonly target: ReadonlySet<number>;
  /** By any run so far. */
  readonly covered: Uint8Array;
  readonly distance: CoverageDistance;
  readonly runner: ConcreteRunner;
  /** How many are: tells when distances are old. */
  grown: number;
}

/** A test has at least that much of the first turn. */
const LEAST_SLICE_MS = 250;
const CONCRETE_MS = 2000;

export class UndirectedSearch<P extends UndirectedProgram> {
  explorations = 0;
  paths = 0;
  private readonly places: readonly Place<P>[];
  private readonly random: Random;

  constructor(
    programs: readonly P[],
    private readonly options: UndirectedOptions,
  ) {
    this.random = new Random(options.randomSeed);
    this.places = programs.map((program) => {
      const covered = program.covered.slice();
      return {
        program,
        target: new Set(program.blocks),
        covered,
        distance: new CoverageDistance(program.image, covered),
        runner: new ConcreteRunner(program.image, program.module, options.randomSeed),
        grown: 0,
      };
    });
  }

  /** Null if it was not reached. */
  run(timeMs: number): UndirectedReached<P> | null {
    const endsMs = performance.now() + timeMs;
    const all = this.places.flatMap((place) =>
      Array.from({ length: place.program.tests }, (_, test) => ({ place, test })),
    );
    let slice = Math.max(LEAST_SLICE_MS, timeMs / Math.max(1, all.length));
    let isIdle = false;
    for (let turn = 0; !isIdle; turn++, slice *= 2) {
      isIdle = true;
      for (const { place, test } of this.shuffled(all)) {
        const leftMs = endsMs - performance.now();
        if (leftMs <= 0 || this.options.abort.aborted) return null;
        const invocation = place.program.test(test);
        if (invocation === null) continue;
        isIdle = false;
        const reached = this.explore(place, invocation, Math.min(slice, leftMs), turn === 0 ? 0 : 8);
        if (reached !== null) return { program: place.program, invocation: reached };
      }
    }
    return null;
  }

  private explore(place: Place<P>, invocation: Invocation, timeMs: number, slack: number): Invocation | null {
    const { root, roots, heapBytes, memoryBytes, instructionsPerPath, solverQueryMs, abort } = this.options;
    const { image, module } = place.program;
    const limits: InvocationLimits = { symbolicBytes: 0x1_0000, slack };
    const test = seenFrom(testOfInvocation(invocation, root, limits), roots);
    const { covered: coverage, distance } = place;
    const executor = executorOfTest(image, test, { heapBytes, seed: this.options.randomSeed, coverage }, module);
    const solver = assembleSolver(executor.arena, { timeMs: Math.min(solverQueryMs, Math.max(200, timeMs / 4)) });
    const seed = executor.space.seed(test.values);
    solver.offer(seed);
    const exploration = new GuidedExploration(executor, {
      solver,
      searcher: "interleaved",
      checks: "off",
      seeds: [seed],
      limits: { timeMs, memoryBytes, instructionsPerPath, timePerRunMs: Math.max(1000, timeMs / 4) },
      random: new Random(this.random.next()),
      distance: (site, side) => distance.of(site, side, place.grown),
      abort,
    });
    this.explorations++;
    for (const event of exploration.explore()) {
      if (event.kind !== "run-finished") continue;
      this.paths++;
      const { newBlocks, objects } = event.outcome;
      place.grown += newBlocks.length;
      if (!newBlocks.some((block) => place.target.has(block))) continue;
      const made = invocationWith(invocation, executor.space.valuesOfRun(event.input, objects), limits);
      if (this.isConfirmed(place, made)) return made;
      // It is still to be covered.
      for (const block of place.target) coverage[block] = 0;
      place.grown++;
    }
    return null;
  }

  private isConfirmed({ runner, target }: Place<P>, invocation: Invocation): boolean {
    const { root, roots, heapBytes, instructionsPerPath: instructions } = this.options;
    const test = seenFrom(testOfInvocation(invocation, root), roots);
    const { coverage } = runner.run(test, { instructions, milliseconds: CONCRETE_MS, heapBytes });
    return [...target].some((block) => coverage[block] !== 0);
  }

  private shuffled<T>(list: readonly T[]): T[] {
    const made = [...list];
    for (let at = made.length - 1; at > 0; at--) {
      const other = this.random.next() % (at + 1);
      [made[at], made[other]] = [made[other], made[at]];
    }
    return made;
  }
}
