// The search for one target after another, within a time for each (KATCH, and beyond it). In turns that double in length: greedy exploration
// with path regeneration from the nearest inputs; moves that change the structure of these inputs; definition switching, where the branch
// that turns away does not decide by input. Whatever any run reaches counts, also for the other targets.
//
// An input counts when it was run once more for itself, with nothing symbolic, and executed the target.

import { placeKeyOf } from "../../findings/place-key.js";
import type { Invocation } from "../../inputs/invocation.js";
import type { Move, MoveWord } from "../../inputs/moves/move.js";
import { movesOf } from "../../inputs/moves/moves.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import type { BlockNumber, ProgramWord } from "../../program/graph/program-graph.js";
import type { WantedDefinition } from "../../program/graph/wanted-definitions.js";
import { type InvocationLimits, invocationWith, testOfInvocation } from "../../project/invocation-test.js";
import { Random } from "../../support/random.js";
import { sourceFrames } from "../../vm/stack-trace.js";
import type { ConcreteRunner } from "./concrete-runner.js";
import { type Contradiction, DirectedExploration } from "./directed-exploration.js";
import { turnedAway } from "./frontier-branches.js";
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

export interface SearchOptions {
  /** The project's directory. */
  readonly root: string;
  readonly roots?: readonly string[];
  readonly without: ReadonlySet<Strategy>;
  readonly instructionsPerPath: number;
  readonly heapBytes: number;
  readonly solverQueryMs: number;
  readonly memoryBytes: number;
  readonly randomSeed: number;
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

/** The first turn's length, for each of its parts. */
const FIRST_SLICE_MS = 400;
const NEAREST = 4;
const CLOSER_KEPT = 4;
const CONCRETE_MS = 2000;
/** A run that was changed a little may take that many times the instructions of the one it was made from. */
const MORE_INSTRUCTIONS = 16;
const LEAST_INSTRUCTIONS = 20_000_000;
/** Of an input: branches that turn it away, and definitions of each that are looked at; and how many in all. */
const BRANCHES_TRIED = 3;
const DEFINITIONS_TRIED = 6;
const MOST_DEFINITIONS = 24;

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
    private readonly ground: ReachGround,
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
    return new OneTarget(this, target, endsMs).run();
  }

  // ---- what all targets share

  get image() {
    return this.ground.image;
  }

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

  get parts(): ReachGround {
    return this.ground;
  }

  /** Runs an input for itself; what it reaches is told. */
  tryInput(input: ReachInput, instructions: number): PoolEntry {
    const test = testOfInvocation(input.invocation, this.options.root);
    const { roots, heapBytes, instructionsPerPath } = this.options;
    const given = roots === undefined ? test : { ...test, given: { ...test.given, roots } };
    const most = Math.min(instructionsPerPath, Math.max(LEAST_INSTRUCTIONS, instructions * MORE_INSTRUCTIONS));
    const run = this.runner.run(given, { instructions: most, milliseconds: CONCRETE_MS, heapBytes });
    const entry: PoolEntry = { input, blocks: blockList(run.coverage), instructions: run.instructions };
    if (run.end.kind === "fault" && input.by !== "test") {
      this.tellFailed(placeKeyOf(sourceFrames(this.ground.image, run.end.trace)), input);
    }
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
    const test = testOfInvocation(invocation, root, limits);
    const exploration = new DirectedExploration(
      this.ground.image,
      this.ground.module,
      roots === undefined ? test : { ...test, given: { ...test.given, roots } },
      {
        distances,
        timeMs,
        instructionsPerPath,
        heapBytes,
        solverQueryMs: Math.min(solverQueryMs, Math.max(200, timeMs / 4)),
        memoryBytes,
        randomSeed,
        regenerates: !this.without("regeneration"),
        abort,
      },
    );
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
  movesFrom(entry: PoolEntry, preferred: readonly MoveWord[]): Generator<Move> {
    const number = this.numbers.get(entry) ?? this.numbers.size;
    this.numbers.set(entry, number);
    const key = `${number} ${preferred.map(({ text, kind }) => `${kind} ${text}`).join("\n")}`;
    const known = this.generators.get(key);
    if (known !== undefined) return known;
    const made = movesOf(entry.input.invocation, {
      words: this.ground.graph.words,
      others: this.otherInvocations(entry),
      preferred,
      random: new Random(this.options.randomSeed + number),
    });
    this.generators.set(key, made);
    return made;
  }

  private otherInvocations(entry: PoolEntry): readonly Invocation[] {
    return this.pool.entries.filter((other) => other !== entry).map(({ input }) => input.invocation);
  }
}

export interface Explored {
  readonly isHit: boolean;
  readonly best: number;
  readonly exploration: DirectedExploration;
  readonly isExhausted: boolean;
}

/** What is remembered of the search for one target. */
class OneTarget {
  private readonly distances: Int32Array;
  private readonly contradictions = new Map<number, Contradiction>();
  private readonly definitions: WantedDefinition[] = [];
  /** By block: decided by input on some run. */
  private readonly offered = new Set<BlockNumber>();
  /** Entries from which everything was explored that this length of time allows. */
  private readonly exploredFor = new Map<PoolEntry, number>();
  private preferred: readonly ProgramWord[];
  private readonly subTargets = new Map<BlockNumber, Int32Array>();
  /** How long each of them was explored for. */
  private readonly definedFor = new Map<BlockNumber, number>();

  constructor(
    private readonly all: TargetSearch,
    private readonly target: number,
    private readonly endsMs: number,
  ) {
    this.distances = all.parts.distancesTo(target);
    this.preferred = this.wordsTowards([this.distances]);
  }

  run(): Attempt | null {
    const { all } = this;
    let isExhausted = false;
    for (let slice = FIRST_SLICE_MS; !this.isOver() && !isExhausted; slice *= 2) {
      let isIdle = true;
      const near = all.nearest(this.distances, NEAREST);
      if (near.length === 0) {
        isExhausted = true;
        break;
      }
      // What costs least goes first: definitions are found without a run, and tell which words to try.
      if (!all.without("definitions")) this.findDefinitions();
      const parts = [
        all.without("moves") ? null : () => this.moveNear(slice),
        all.without("exploration") ? null : () => this.exploreNear(slice),
        all.without("definitions") || all.without("exploration") ? null : () => this.reachDefinitions(slice),
        all.without("moves") ? null : () => this.moveNear(slice),
      ];
      for (const part of parts) {
        if (part === null || this.isOver()) continue;
        if (part()) isIdle = false;
      }
      isExhausted = isIdle;
    }
    if (!all.isOpen(this.target)) return null;
    const [nearest] = all.nearest(this.distances, 1);
    return {
      contradictions: [...this.contradictions.values()].sort((a, b) => a.distance - b.distance),
      definitions: this.definitions,
      nearest: nearest?.entry ?? null,
      remaining: nearest?.distance ?? UNREACHED,
      isExhausted,
    };
  }

  private isOver(): boolean {
    return !this.all.isOpen(this.target) || this.all.isOver(this.endsMs);
  }

  private slice(ms: number): number {
    return Math.max(50, Math.min(ms, this.endsMs - performance.now()));
  }

  /** True if there was something to do. */
  private exploreNear(slice: number): boolean {
    let wasIdle = true;
    for (const { entry } of this.all.nearest(this.distances, NEAREST)) {
      if (this.isOver()) break;
      const before = this.exploredFor.get(entry) ?? 0;
      if (before >= slice) continue;
      wasIdle = false;
      const slack = before === 0 ? 0 : 8;
      const { exploration, isExhausted } = this.all.explore(entry, this.distances, this.slice(slice), slack, "greedy");
      this.exploredFor.set(entry, isExhausted && slack > 0 ? Number.POSITIVE_INFINITY : slice);
      this.learn(exploration);
    }
    return !wasIdle;
  }

  private learn(exploration: DirectedExploration): void {
    for (const block of exploration.offered) this.offered.add(block);
    for (const [site, contradiction] of exploration.contradictions) {
      const known = this.contradictions.get(site);
      if (known === undefined || known.distance > contradiction.distance) this.contradictions.set(site, contradiction);
    }
  }

  /** Changes the structure of the nearest inputs. */
  private moveNear(timeMs: number): boolean {
    const { all, distances } = this;
    const endsMs = Math.min(this.endsMs, performance.now() + timeMs);
    let near = all.nearest(distances, NEAREST);
    let wasIdle = true;
    let isOver = false;
    while (!isOver && !this.isOver() && performance.now() < endsMs) {
      isOver = true;
      for (const { entry, distance } of near) {
        const next = all.movesFrom(entry, this.preferred).next();
        if (next.done === true) continue;
        isOver = false;
        wasIdle = false;
        all.accounts.moves++;
        const { invocation, step } = next.value;
        const { seedId, steps } = entry.input;
        const tried = all.tryInput({ invocation, seedId, steps: [...steps, step], by: "move" }, entry.instructions);
        if (this.isOver() || performance.now() >= endsMs) break;
        if (distanceOf(tried.blocks, distances) >= distance && !this.isNewDefinition(tried)) continue;
        if (all.add(tried)) near = all.nearest(distances, NEAREST);
      }
    }
    return !wasIdle;
  }

  /** It executes a definition that was wanted, and none of the inputs so near has done so. */
  private isNewDefinition(tried: PoolEntry): boolean {
    if (this.subTargets.size === 0) return false;
    const distance = distanceOf(tried.blocks, this.distances);
    const best = this.all.nearest(this.distances, 1)[0]?.distance ?? UNREACHED;
    if (distance > best + 2) return false;
    return tried.blocks.some((block) => this.subTargets.has(block));
  }

  /** The branches that turn the nearest inputs away and do not decide by input: their variables are to be defined otherwise. */
  private findDefinitions(): void {
    const { all } = this;
    const { queries, image } = all.parts;
    const before = this.subTargets.size;
    for (const { entry } of all.nearest(this.distances, 2)) {
      const away = turnedAway(image, entry.blocks, this.distances).filter(({ entered }) => !this.offered.has(entered));
      for (const { block, side } of away.slice(0, BRANCHES_TRIED)) {
        const wanted = queries.definitionsFor(block, side).filter(({ block: at }) => at >= 0);
        for (const definition of wanted.slice(0, DEFINITIONS_TRIED)) {
          if (this.subTargets.has(definition.block) || this.subTargets.size >= MOST_DEFINITIONS) continue;
          all.accounts.definitions++;
          this.definitions.push(definition);
          this.subTargets.set(definition.block, queries.distancesTo([definition.block]));
        }
      }
    }
    if (this.subTargets.size > before) {
      this.preferred = this.wordsTowards([...this.subTargets.values(), this.distances]);
    }
  }

  /** Explores towards definitions; true if there was something to do. */
  private reachDefinitions(slice: number): boolean {
    let wasIdle = true;
    for (const [block, distances] of this.subTargets) {
      if (this.isOver()) break;
      const before = this.definedFor.get(block) ?? 0;
      if (before >= slice) continue;
      this.definedFor.set(block, slice);
      wasIdle = false;
      this.reachDefinition(distances, slice);
    }
    return !wasIdle;
  }

  private reachDefinition(distances: Int32Array, slice: number): void {
    const { all } = this;
    // From an input near the target, which is to do both; and from that nearest to the definition.
    const [nearest] = all.nearest(this.distances, 1);
    const [defining] = all.nearest(distances, 1);
    for (const start of new Set([nearest, defining])) {
      if (start === undefined || this.isOver() || distanceOf(start.entry.blocks, distances) === 0) continue;
      const { isHit } = all.explore(start.entry, distances, this.slice(slice / 2), 0, "definition");
      if (isHit) return;
    }
  }

  /**
   * Words that lead to what is wanted, definition by definition, the target itself last. Of each the nearest only: from the case of an
   * option every other case is a turn of the loop away.
   */
  private wordsTowards(wanted: readonly Int32Array[]): readonly ProgramWord[] {
    const chosen = new Set<ProgramWord>();
    for (const distances of wanted) {
      let least = MOST_WORD_DISTANCE;
      let nearest: ProgramWord[] = [];
      for (const word of this.all.parts.graph.words) {
        let distance = UNREACHED;
        for (const block of word.leadsTo) distance = Math.min(distance, distances[block] ?? UNREACHED);
        if (distance > least) continue;
        if (distance < least) nearest = [];
        least = distance;
        nearest.push(word);
      }
      if (nearest.length <= MOST_EQUALLY_NEAR) for (const word of nearest) chosen.add(word);
    }
    return [...chosen].slice(0, MOST_PREFERRED);
  }
}

/** Where many words are equally near, none of them is special. */
const MOST_EQUALLY_NEAR = 8;
const MOST_WORD_DISTANCE = 6;
const MOST_PREFERRED = 24;

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
