// The search for one target after another, within a time for each (KATCH, and beyond it). In turns that double in length: greedy exploration
// with path regeneration from the nearest inputs; moves that change the structure of these inputs; definition switching, where the branch
// that turns away does not decide by input. Whatever any run reaches counts, also for the other targets.
//
// An input counts when it was run once more for itself, with nothing symbolic, and executed the target.

import type { Invocation } from "../../inputs/invocation.js";
import type { Move, MoveWord } from "../../inputs/moves/move.js";
import { movesOf } from "../../inputs/moves/moves.js";
import { namesTheSystem } from "../../inputs/system-files.js";
import { seenFrom } from "../../inputs/test-input.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import type { WantedDefinition } from "../../program/graph/wanted-definitions.js";
import { type InvocationLimits, invocationWith, testOfInvocation } from "../../project/invocation-test.js";
import { Random } from "../../support/random.js";
import { placeKeyOf } from "../../vm/place-key.js";
import { sourceFrames } from "../../vm/stack-trace.js";
import type { TestLimits } from "../test-limits.js";
import type { ConcreteRunner } from "./concrete-runner.js";
import { type Contradiction, DirectedExploration } from "./directed-exploration.js";
import { type AskedFor, GoalSearch } from "./goal-search.js";
import type { ReachGround } from "./reach-ground.js";
import { blockList, distanceOf, type MadeBy, type PoolEntry, type ReachInput, type ReachPool } from "./reach-pool.js";

export const STRATEGIES = [
  "exploration",
  "regeneration",
  "definitions",
  "moves",
  "preconditions",
  "points-to",
] as const;
/** What can be left out, for comparison. */
export type Strategy = (typeof STRATEGIES)[number];

export interface SearchOptions extends TestLimits {
  /** The project's directory. */
  readonly root: string;
  readonly without: ReadonlySet<Strategy>;
  readonly abort: { readonly aborted: boolean };
}

export interface Reached {
  readonly target: number;
  readonly input: ReachInput;
  readonly by: MadeBy;
}

/** What was tried for a target that was not reached. */
export interface Attempt {
  readonly contradictions: readonly Contradiction[];
  readonly definitions: readonly WantedDefinition[];
  /** The input that came closest. */
  readonly nearest: PoolEntry | null;
  /** Inputs that were at hand. */
  readonly tried: number;
  readonly remaining: number;
  /** Nothing was left to try before the time was up. */
  readonly isExhausted: boolean;
}

export interface SearchAccounts {
  explorations: number;
  paths: number;
  queries: number;
  solverMs: number;
  divergences: number;
  moves: number;
  definitions: number;
}

const CLOSER_KEPT = 4;
const CONCRETE_MS = 2000;
/** A run that was changed a little may take that many times the instructions of the one it was made from. */
const MORE_INSTRUCTIONS = 8;
const LEAST_INSTRUCTIONS = 3_000_000;

export class TargetSearch {
  readonly accounts: SearchAccounts = {
    explorations: 0,
    paths: 0,
    queries: 0,
    solverMs: 0,
    divergences: 0,
    moves: 0,
    definitions: 0,
  };
  private readonly generators = new Map<string, Generator<Move>>();
  private readonly numbers = new Map<PoolEntry, number>();

  constructor(
    readonly ground: ReachGround,
    private readonly pool: ReachPool,
    private readonly runner: ConcreteRunner,
    /** Targets that nothing has reached yet. */
    private readonly open: Set<number>,
    private readonly options: SearchOptions,
    private readonly tell: (reached: Reached) => void,
    /** The program failed; `place` is the same for failures at the same place. */
    private readonly tellFailed: (place: string, input: ReachInput) => void,
  ) {}

  /** Null if it was reached. */
  search(target: number, timeMs: number): Attempt | null {
    const endsMs = performance.now() + timeMs;
    return new GoalSearch(this, target, endsMs).run();
  }

  // ---- what all targets share

  without(strategy: Strategy): boolean {
    return this.options.without.has(strategy);
  }

  isOpen(target: number): boolean {
    return this.open.has(target);
  }

  isOver(endsMs: number): boolean {
    return this.options.abort.aborted || performance.now() >= endsMs;
  }

  nearest(distances: Int32Array, count: number): { readonly entry: PoolEntry; readonly distance: number }[] {
    return this.pool.nearest(distances, count);
  }

  get entries(): readonly PoolEntry[] {
    return this.pool.entries;
  }

  /** Runs an input for itself; what it reaches is told. */
  tryInput(input: ReachInput, instructions: number): PoolEntry {
    const { root, roots, heapBytes, instructionsPerPath } = this.options;
    const test = seenFrom(testOfInvocation(input.invocation, root), roots);
    const most = Math.min(instructionsPerPath, Math.max(LEAST_INSTRUCTIONS, instructions * MORE_INSTRUCTIONS));
    const run = this.runner.run(test, { instructions: most, milliseconds: CONCRETE_MS, heapBytes });
    const { instructions: executed, refused, hasStartedOthers } = run;
    const blocks = blockList(run.coverage);
    const failed = run.end.kind === "fault";
    const entry: PoolEntry = { input, blocks, instructions: executed, refused, hasStartedOthers, failed };
    if (run.end.kind === "fault" && input.by !== "test") {
      this.tellFailed(placeKeyOf(sourceFrames(this.ground.image, run.end.trace)), input);
    }
    if (input.by !== "test" && asksTheMachine(input.invocation)) return entry;
    for (const target of this.ground.targetsAmong(entry.blocks)) {
      if (!this.open.delete(target)) continue;
      this.tell({ target, input, by: input.by });
      this.pool.add(entry);
    }
    return entry;
  }

  add(entry: PoolEntry): boolean {
    return this.pool.add(entry);
  }

  /** Heads for a target by exploration; true if any of the blocks wanted was executed by an input that was confirmed. */
  explore(entry: PoolEntry, distances: Int32Array, timeMs: number, slack: number, by: MadeBy): Explored {
    const limits: InvocationLimits = { symbolicBytes: 0x1_0000, slack };
    const { invocation, seedId, steps } = entry.input;
    const { root, roots, abort, heapBytes, instructionsPerPath, solverQueryMs, memoryBytes, randomSeed } = this.options;
    const test = seenFrom(testOfInvocation(invocation, root, limits), roots);
    const exploration = new DirectedExploration(this.ground.image, this.ground.module, test, {
      distances,
      timeMs,
      instructionsPerPath,
      heapBytes,
      solverQueryMs: Math.min(solverQueryMs, Math.max(200, timeMs / 4)),
      memoryBytes,
      randomSeed,
      regenerates: !this.without("regeneration"),
      abort,
    });
    let best = distanceOf(entry.blocks, distances);
    const closer: PoolEntry[] = [];
    let isHit = false;
    const statistics = exploration.run(({ values, newBlocks, isRegenerated }) => {
      const reached = this.ground.targetsAmong(newBlocks);
      let distance = UNREACHED;
      for (const block of newBlocks) distance = Math.min(distance, distances[block]);
      const isOpen = [...reached].some((target) => this.open.has(target));
      if (!isOpen && distance >= best) return false;
      const how = by === "greedy" && isRegenerated ? "regeneration" : by;
      const made = invocationWith(invocation, values, limits);
      const step = stepBetween(invocation, made);
      const input: ReachInput = { invocation: made, seedId, steps: step === null ? steps : [...steps, step], by: how };
      const tried = this.tryInput(input, entry.instructions);
      const really = distanceOf(tried.blocks, distances);
      if (really >= best) return false;
      best = really;
      closer.push(tried);
      isHit = really === 0;
      return isHit;
    });
    for (const one of closer.slice(-CLOSER_KEPT)) this.pool.add(one);
    const { accounts } = this;
    accounts.explorations++;
    accounts.paths += statistics.paths;
    accounts.queries += statistics.solver.queries;
    accounts.solverMs += statistics.solver.timeMs;
    accounts.divergences += statistics.divergences;
    return { isHit, best, exploration, isExhausted: statistics.pending === 0 };
  }

  /** The moves of an entry go on where they ended, as long as the same words are preferred. */
  movesFrom(entry: PoolEntry, preferred: readonly MoveWord[], { files, environment }: AskedFor): Generator<Move> {
    const number = this.numbers.get(entry) ?? this.numbers.size;
    this.numbers.set(entry, number);
    const key = `${number} ${files} ${environment} ${preferred.map(keyOfWord).join("\n")}`;
    const known = this.generators.get(key);
    if (known !== undefined) return known;
    const made = movesOf(entry.input.invocation, {
      words: this.ground.graph.words,
      others: this.otherInvocations(entry),
      preferred,
      filesFirst: files,
      environmentFirst: environment,
      random: new Random(this.options.randomSeed + number),
    });
    this.generators.set(key, made);
    return made;
  }

  private otherInvocations(entry: PoolEntry): readonly Invocation[] {
    return this.pool.entries.filter((other) => other !== entry).map(({ input }) => input.invocation);
  }
}

/** A test that lists / or /dev passes on one machine and fails on the next. */
function asksTheMachine({ arguments: words }: Invocation): boolean {
  return words.some((word) => namesTheSystem(Buffer.from(word).toString("latin1")));
}

export interface Explored {
  readonly isHit: boolean;
  readonly best: number;
  readonly exploration: DirectedExploration;
  readonly isExhausted: boolean;
}

function keyOfWord({ text, kind, values = [] }: MoveWord): string {
  return [kind, text, ...values].join(" ");
}

/** What an exploration changed, in words; null if nothing. */
function stepBetween(before: Invocation, after: Invocation): string | null {
  const changed: string[] = [];
  after.arguments.forEach((bytes, index) => {
    const old = before.arguments[index];
    if (!isSame(bytes, old)) changed.push(`\`${shown(old)}\` changed to \`${shown(bytes)}\``);
  });
  if (after.stdin.kind === "bytes" && before.stdin.kind === "bytes" && !isSame(after.stdin.bytes, before.stdin.bytes)) {
    changed.push("standard input changed");
  }
  after.tree.forEach((entry, index) => {
    const old = before.tree[index];
    if (entry.kind === "file" && old?.kind === "file" && !isSame(entry.bytes, old.bytes)) {
      changed.push(`bytes of ${entry.path.slice(entry.path.lastIndexOf("/") + 1)} changed`);
    }
  });
  return changed.length === 0 ? null : changed.join(", ");
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** For people: nothing that would disturb a terminal. */
function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  return text.replace(/[^\x20-\x7e]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
