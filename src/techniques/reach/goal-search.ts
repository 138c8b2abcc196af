// The search for one target as a search for goals. The target is the first; where a branch that turns the nearest inputs away does not
// decide by input, the definitions that would turn it are goals too, and so on (KATCH, definition switching: a stack of targets). Every goal
// is sought in the same ways: moves from the inputs nearest to it, with the words that lead to it or to its definitions; greedy exploration
// from these inputs; then its definitions. In turns that double in length, the target first.
//
// An input that reaches a goal is kept: it has the definition, and from there the goal above may be one step away.

import type { MoveWord } from "../../inputs/moves/move.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import type { BlockNumber, ProgramWord } from "../../program/graph/program-graph.js";
import type { WantedDefinition } from "../../program/graph/wanted-definitions.js";
import type { Contradiction, DirectedExploration } from "./directed-exploration.js";
import { turnedAway } from "./frontier-branches.js";
import { distanceOf, type PoolEntry } from "./reach-pool.js";
import type { Attempt, TargetSearch } from "./target-search.js";

/** A place to be reached on the way. */
interface Goal {
  readonly distances: Int32Array;
  /** 0: the target itself. */
  readonly depth: number;
  /** Why it is one; null for the target. */
  readonly definition: WantedDefinition | null;
  readonly children: Goal[];
  /** For how long it was explored, from each entry. */
  readonly exploredFor: Map<PoolEntry, number>;
  /** What the branches that turn an entry away ask for. */
  readonly asksFor: Map<PoolEntry, AskedFor>;
  words: readonly MoveWord[];
}

/** Which moves go first. */
export interface AskedFor {
  readonly files: boolean;
  readonly environment: boolean;
}

/** The first turn's length, for each of its parts. */
const FIRST_SLICE_MS = 400;
const NEAREST = 4;
/** Of an input: branches that turn it away; and definitions of each that become goals. */
const BRANCHES_TRIED = 3;
const DEFINITIONS_TRIED = 6;
const MOST_GOALS = 40;
const MOST_DEPTH = 3;
const MOST_WORD_DISTANCE = 6;
/** Where many words are equally near, none of them is special. */
const MOST_EQUALLY_NEAR = 8;
const MOST_PREFERRED = 24;
/** Fields of stat and readdir, and what opens, asks, seeks, reads and writes; as conditions name them. */
const ASKS_FOR_FILES =
  /\bst_\w+|\bd_type|\berrno\b|\b\w*(open|stat|access|read|seek|write|flush|close|ferror|printf)\w*\(/;
/** Variables, and what libc makes of them: the locale, the time zone. */
const ASKS_FOR_ENVIRONMENT = /getenv\(|mb_cur_max|locale\(|langinfo\(|localtime\w*\(/;

export class GoalSearch {
  private readonly root: Goal;
  private readonly goals: Goal[];
  private readonly goalBlocks = new Set<BlockNumber>();
  private readonly contradictions = new Map<number, Contradiction>();
  /** Blocks that were the other side of a decision on input: no definitions are asked for them. */
  private readonly offered = new Set<BlockNumber>();
  /** Words with values, by the values. */
  private readonly introduced = new Map<string, readonly MoveWord[]>();

  constructor(
    private readonly all: TargetSearch,
    private readonly target: number,
    private readonly endsMs: number,
  ) {
    this.root = newGoal(all.ground.distancesTo(target), 0, null);
    this.goals = [this.root];
  }

  run(): Attempt | null {
    let isExhausted = this.all.nearest(this.root.distances, 1).length === 0;
    for (let slice = FIRST_SLICE_MS; !this.isOver() && !isExhausted; slice *= 2) {
      isExhausted = true;
      // Goals that are found meanwhile have their turn in the same round.
      for (let at = 0; at < this.goals.length && !this.isOver(); at++) {
        if (this.seek(this.goals[at], slice / 2 ** this.goals[at].depth)) isExhausted = false;
      }
    }
    if (!this.all.isOpen(this.target)) return null;
    const [nearest] = this.all.nearest(this.root.distances, 1);
    return {
      contradictions: [...this.contradictions.values()].sort((a, b) => a.distance - b.distance),
      definitions: this.goals.flatMap(({ definition }) => (definition === null ? [] : [definition])),
      nearest: nearest?.entry ?? null,
      tried: this.all.entries.length,
      remaining: nearest?.distance ?? UNREACHED,
      isExhausted,
    };
  }

  /** One turn for one goal; true if there was something to do. */
  private seek(goal: Goal, slice: number): boolean {
    const { all } = this;
    let hasDone = false;
    // What costs least goes first: definitions are found without a run, and tell which words to try.
    if (!all.without("definitions")) this.findDefinitions(goal);
    goal.words = this.wordsOf(goal);
    if (!all.without("moves") && !this.isOver()) hasDone = this.moveNear(goal, slice);
    if (!all.without("exploration") && !this.isOver()) hasDone = this.exploreNear(goal, slice) || hasDone;
    return hasDone;
  }

  private isOver(): boolean {
    return !this.all.isOpen(this.target) || this.all.isOver(this.endsMs);
  }

  private slice(ms: number): number {
    return Math.max(50, Math.min(ms, this.endsMs - performance.now()));
  }

  private near(goal: Goal): { readonly entry: PoolEntry; readonly distance: number }[] {
    return this.all.nearest(goal.distances, goal.depth === 0 ? NEAREST : NEAREST / 2);
  }

  private exploreNear(goal: Goal, slice: number): boolean {
    let hasDone = false;
    for (const { entry, distance } of this.near(goal)) {
      if (this.isOver()) break;
      const before = goal.exploredFor.get(entry) ?? 0;
      if (before >= slice || (goal.depth > 0 && distance === 0)) continue;
      hasDone = true;
      const slack = before === 0 ? 0 : 8;
      const by = goal.depth === 0 ? "greedy" : "definition";
      const distances = withDefinitions(goal);
      const { exploration, isExhausted } = this.all.explore(entry, distances, this.slice(slice), slack, by);
      goal.exploredFor.set(entry, isExhausted && slack > 0 ? Number.POSITIVE_INFINITY : slice);
      if (goal.depth === 0) this.learn(exploration);
    }
    return hasDone;
  }

  private learn(exploration: DirectedExploration): void {
    for (const block of exploration.offered) this.offered.add(block);
    for (const [site, contradiction] of exploration.contradictions) {
      const known = this.contradictions.get(site);
      if (known === undefined || known.distance > contradiction.distance) this.contradictions.set(site, contradiction);
    }
  }

  /** Changes the structure of the nearest inputs. */
  private moveNear(goal: Goal, timeMs: number): boolean {
    const { all } = this;
    const endsMs = Math.min(this.endsMs, performance.now() + timeMs);
    let near = this.near(goal);
    let hasDone = false;
    let isIdle = false;
    while (!isIdle && !this.isOver() && performance.now() < endsMs) {
      isIdle = true;
      for (const { entry, distance } of near) {
        const next = all.movesFrom(entry, goal.words, this.askedFor(goal, entry)).next();
        if (next.done === true) continue;
        isIdle = false;
        hasDone = true;
        all.accounts.moves++;
        const { invocation, step } = next.value;
        const { seedId, steps } = entry.input;
        const tried = all.tryInput({ invocation, seedId, steps: [...steps, step], by: "move" }, entry.instructions);
        if (this.isOver() || performance.now() >= endsMs) break;
        if (distanceOf(tried.blocks, goal.distances) >= distance && !this.isOfUse(tried)) continue;
        if (all.add(tried)) near = this.near(goal);
      }
    }
    return hasDone;
  }

  /**
   * Whether the branches that turn an input away ask what files there are, and of what kind, or what other processes made of
   * them; or for the environment.
   */
  private askedFor(goal: Goal, entry: PoolEntry): AskedFor {
    const known = goal.asksFor.get(entry);
    if (known !== undefined) return known;
    const { queries, image } = this.all.ground;
    const [nearest, ...others] = turnedAway(image, entry.blocks, goal.distances);
    const away = nearest === undefined ? [] : [nearest, ...others.filter((one) => one.distance === nearest.distance)];
    // `position == -1` asks for files if that is what lseek has said.
    const texts = away.flatMap(({ block, side }) => [
      queries.conditionText(block),
      ...queries
        .definitionsFor(block, side)
        .slice(0, DEFINITIONS_TRIED)
        .map(({ sentence }) => sentence),
    ]);
    const files = entry.hasStartedOthers || texts.some((text) => ASKS_FOR_FILES.test(text));
    const asked = { files, environment: texts.some((text) => ASKS_FOR_ENVIRONMENT.test(text)) };
    goal.asksFor.set(entry, asked);
    return asked;
  }

  /** It is as near to the target as any, and executes a goal: then it has what others lack. */
  private isOfUse(tried: PoolEntry): boolean {
    if (this.goalBlocks.size === 0) return false;
    const best = this.all.nearest(this.root.distances, 1)[0]?.distance ?? UNREACHED;
    if (distanceOf(tried.blocks, this.root.distances) > best + 1) return false;
    return tried.blocks.some((block) => this.goalBlocks.has(block));
  }

  /** The branches that turn the nearest inputs away and do not decide by input: their variables are to be defined otherwise. */
  private findDefinitions(goal: Goal): void {
    if (goal.depth >= MOST_DEPTH) return;
    const { all } = this;
    const { queries, image } = all.ground;
    for (const { entry } of all.nearest(goal.distances, 2)) {
      const away = turnedAway(image, entry.blocks, goal.distances).filter(({ entered }) => !this.offered.has(entered));
      for (const { block, side } of away.slice(0, BRANCHES_TRIED)) {
        const wanted = queries.definitionsFor(block, side).filter(({ block: at }) => at >= 0);
        for (const definition of wanted.slice(0, DEFINITIONS_TRIED)) {
          if (this.goalBlocks.has(definition.block) || this.goals.length >= MOST_GOALS) continue;
          this.goalBlocks.add(definition.block);
          all.accounts.definitions++;
          const child = newGoal(queries.distancesTo([definition.block]), goal.depth + 1, definition);
          goal.children.push(child);
          this.goals.push(child);
        }
      }
    }
  }

  /**
   * Words that lead to its definitions, and those of theirs, and to itself. Of each the nearest only: from the case of an option every
   * other case is a turn of the loop away.
   */
  private wordsOf(goal: Goal): readonly MoveWord[] {
    const chosen = new Set<MoveWord>();
    const waiting = [...goal.children];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      for (const word of this.withValues(next.distances)) chosen.add(word);
      waiting.push(...next.children);
    }
    for (const word of this.withValues(goal.distances)) chosen.add(word);
    const words = [...chosen].slice(0, MOST_PREFERRED);
    // The same list as before, if nothing is new: moves go on where they were.
    const isSame = words.length === goal.words.length && words.every((word, at) => word === goal.words[at]);
    return isSame ? goal.words : words;
  }

  /**
   * Words that are looked up or compared with are often values of others: `-D tree`. Those that lead to the comparison go before them,
   * with these as their values.
   */
  private withValues(distances: Int32Array): readonly MoveWord[] {
    const words = this.nearestWords(distances);
    const values = words.filter(isValue).map(({ text }) => text);
    if (values.length === 0) return words;
    // A word of several tables leads to several places.
    let least = UNREACHED;
    for (const { leadsTo } of words)
      for (const block of leadsTo) least = Math.min(least, distances[block] ?? UNREACHED);
    const blocks = words.flatMap(({ leadsTo }) => leadsTo.filter((block) => distances[block] === least));
    const places = [...new Set(blocks)].sort((a, b) => a - b);
    const key = `${places.join(" ")} ${values.join(" ")}`;
    let found = this.introduced.get(key);
    if (found === undefined) {
      const nearest = this.nearestWords(this.all.ground.queries.distancesTo(places), new Set(words));
      found = nearest.filter(takesValue).map(({ text, kind, argument }) => ({ text, kind, argument, values }));
      this.introduced.set(key, found);
    }
    return [...found, ...words];
  }

  private nearestWords(
    distances: Int32Array,
    without: ReadonlySet<ProgramWord> = new Set<ProgramWord>(),
  ): readonly ProgramWord[] {
    let least = MOST_WORD_DISTANCE;
    let nearest: ProgramWord[] = [];
    for (const word of this.all.ground.graph.words) {
      if (without.has(word)) continue;
      let distance = UNREACHED;
      for (const block of word.leadsTo) distance = Math.min(distance, distances[block] ?? UNREACHED);
      if (distance > least) continue;
      if (distance < least) nearest = [];
      least = distance;
      nearest.push(word);
    }
    return nearest.length <= MOST_EQUALLY_NEAR ? nearest : [];
  }
}

/**
 * What heads for a goal heads for the definitions that it waits for too, a step further away: what a function returns is decided inside
 * of it, from where no way leads on to the goal, since ways do not return.
 */
function withDefinitions({ distances, children }: Goal): Int32Array {
  const nearest = children.slice(0, DEFINITIONS_TRIED);
  if (nearest.length === 0) return distances;
  const blended = distances.slice();
  for (const { distances: others } of nearest) {
    for (let block = 0; block < blended.length; block++) {
      if (others[block] < blended[block] - 1) blended[block] = others[block] + 1;
    }
  }
  return blended;
}

/** It may be what another word is given. */
function isValue({ kind, text }: ProgramWord): boolean {
  return (kind === "compared" || kind === "table") && text.length > 1 && !text.startsWith("-");
}

function takesValue({ kind, text, argument }: ProgramWord): boolean {
  return kind !== "variable" && argument !== "none" && (kind !== "compared" || text.length > 1);
}

function newGoal(distances: Int32Array, depth: number, definition: WantedDefinition | null): Goal {
  return { distances, depth, definition, children: [], exploredFor: new Map(), asksFor: new Map(), words: [] };
}
