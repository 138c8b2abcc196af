// What searches ask of a program's graph: how far a block is from targets, which definitions would turn a branch, why nothing leads to
// a place. Made once for a program; a question about distances is one walk backwards over arrays.
//
// A way goes from a block to its successors or into a function that it calls, and on behind the call; it never returns. Its length is
// the number of branch statements it passes. A function's end needs no edge to its callers: they were executed as well.

import type { ProgramImage } from "../../jit/image.js";
import { Preconditions } from "./preconditions.js";
import type { BlockNumber, FunctionNumber, ProgramGraph } from "./program-graph.js";
import { TermText } from "./term-text.js";
import { DefinitionSwitch, type WantedDefinition } from "./wanted-definitions.js";

/** The distance of what leads to no target. */
export const UNREACHED = 0x7fff_ffff;

export interface DistanceOptions {
  /** Leave out branches that can lead to no target because of what decides further on (preconditions.ts). */
  readonly preconditions?: boolean;
  /** Filled and returned, instead of a new array; as long as there are blocks. */
  readonly into?: Int32Array;
}

export class GraphQueries {
  private readonly text: TermText;
  private definitions: DefinitionSwitch | null = null;
  private preconditions: Preconditions | null = null;
  /** Edges backwards: those of block b are from[first[b]] to before from[first[b + 1]]; `isBranch` by the block they come from. */
  private readonly first: Int32Array;
  private readonly from: Int32Array;
  private readonly isBranch: Uint8Array;
  /** Blocks that call function f: caller[firstCaller[f]] to before caller[firstCaller[f + 1]]. */
  private readonly firstCaller: Int32Array;
  private readonly caller: Int32Array;
  /** The function that begins at a block, or -1. */
  private readonly begins: Int32Array;
  /** The block that holds the choice which a number stands for, or -1. */
  private readonly holder: Int32Array;
  private readonly now: Int32Array;
  private readonly next: Int32Array;
  /** During one question, by block. */
  private readonly isOrphan: Uint8Array;
  private reached: Uint8Array | null = null;

  constructor(
    private readonly graph: ProgramGraph,
    private readonly image: ProgramImage,
  ) {
    const count = graph.blocks.length;
    this.text = new TermText(graph);
    this.isBranch = Uint8Array.from(graph.blocks, ({ successors }) => (new Set(successors).size > 1 ? 1 : 0));
    this.holder = new Int32Array(count).fill(-1);
    image.coverage.forEach(({ choices }, block) => {
      for (const choice of choices) this.holder[choice] = block;
    });
    const edges = (visit: (block: BlockNumber, to: BlockNumber) => void): void => {
      graph.blocks.forEach(({ successors, stops }, block) => {
        if (!stops) for (const to of new Set(successors)) visit(block, to);
      });
    };
    [this.first, this.from] = backwards(count, edges);
    [this.firstCaller, this.caller] = backwards(graph.entries.length, (visit) => {
      graph.blocks.forEach(({ callees }, block) => {
        for (const callee of callees) visit(block, callee);
      });
    });
    this.begins = new Int32Array(count).fill(-1);
    graph.entries.forEach((block, fn) => {
      if (block >= 0) this.begins[block] = fn;
    });
    this.now = new Int32Array(count);
    this.next = new Int32Array(count);
    this.isOrphan = new Uint8Array(count);
  }

  /** By block: the least number of branches between it and a target; 0 for a target, UNREACHED if no way leads to one. */
  distancesTo(targets: readonly BlockNumber[], options: DistanceOptions = {}): Int32Array {
    const distances = options.into ?? new Int32Array(this.graph.blocks.length);
    this.walk(targets, distances, null);
    if (options.preconditions !== true) return distances;
    this.preconditions ??= new Preconditions(this.graph);
    const owners = new Set(targets.map((target) => this.ownerOf(target)));
    const { edges, orphans } = this.preconditions.useless(distances, owners);
    if (edges.length === 0) return distances;
    for (const orphan of orphans) this.isOrphan[orphan] = 1;
    this.walk(targets, distances, new Set(edges));
    for (const orphan of orphans) this.isOrphan[orphan] = 0;
    return distances;
  }

  /** Breadth first, a level for each distance: an edge from a block without choice stays in the level. */
  private walk(targets: readonly BlockNumber[], distances: Int32Array, useless: ReadonlySet<number> | null): void {
    const { first, from, isBranch, firstCaller, caller, begins, holder, isOrphan } = this;
    const count = distances.length;
    distances.fill(UNREACHED);
    let [level, later] = [this.now, this.next];
    let size = 0;
    let laterSize = 0;
    for (const target of targets) {
      if (target < 0 || target >= count || distances[target] === 0) continue;
      distances[target] = 0;
      level[size++] = target;
    }
    for (let distance = 0; size > 0; distance++) {
      for (let at = 0; at < size; at++) {
        const block = level[at];
        if (distances[block] < distance) continue;
        for (let edge = first[block]; edge < first[block + 1]; edge++) {
          const before = from[edge];
          if (isOrphan[before] !== 0 || useless?.has(before * count + block) === true) continue;
          if (isBranch[before] === 0) {
            if (distances[before] <= distance) continue;
            distances[before] = distance;
            level[size++] = before;
          } else if (distances[before] > distance + 1) {
            distances[before] = distance + 1;
            later[laterSize++] = before;
          }
        }
        if (holder[block] >= 0 && isOrphan[holder[block]] === 0 && distances[holder[block]] > distance + 1) {
          distances[holder[block]] = distance + 1;
          later[laterSize++] = holder[block];
        }
        const fn = begins[block];
        if (fn < 0) continue;
        for (let edge = firstCaller[fn]; edge < firstCaller[fn + 1]; edge++) {
          const before = caller[edge];
          if (distances[before] <= distance || isOrphan[before] !== 0) continue;
          distances[before] = distance;
          level[size++] = before;
        }
      }
      [level, later] = [later, level];
      size = laterSize;
      laterSize = 0;
    }
  }

  /** Definitions that would make the block go to that successor, those that certainly do first. */
  definitionsFor(block: BlockNumber, side: number): readonly WantedDefinition[] {
    this.definitions ??= new DefinitionSwitch(this.graph, this.text);
    return this.definitions.wanted(block, side);
  }

  /** What the block decides by, in C's words; empty if it has none, or they cannot be found. */
  conditionText(block: BlockNumber): string {
    const decision = this.graph.blocks[block]?.decision ?? null;
    if (decision === null) return "";
    if (decision.kind === "branch") return this.text.condition(decision.condition) ?? "";
    return this.text.value(decision.value, false) ?? "";
  }

  /** A sentence if no way leads to any of the targets, whatever the input; null if one may. */
  whyUnreachable(targets: readonly BlockNumber[]): string | null {
    this.reached ??= this.forwards();
    const { reached } = this;
    const known = targets.filter((target) => target >= 0 && target < this.graph.blocks.length);
    if (known.length === 0 || known.some((target) => reached[this.ownerOf(target)] !== 0)) return null;
    const reasons = new Set(known.map((target) => this.reason(this.ownerOf(target), reached)));
    return [...reasons].join("; ");
  }

  private ownerOf(target: BlockNumber): BlockNumber {
    return this.holder[target] >= 0 ? this.holder[target] : target;
  }

  private reason(target: BlockNumber, reached: Uint8Array): string {
    const { functionNumber } = this.graph.blocks[target];
    const name = this.nameOf(functionNumber);
    const entry = this.graph.entries[functionNumber];
    if (entry >= 0 && reached[entry] !== 0) return `no way through ${name}() leads there`;
    const callers = new Set<FunctionNumber>();
    for (let edge = this.firstCaller[functionNumber]; edge < this.firstCaller[functionNumber + 1]; edge++) {
      callers.add(this.graph.blocks[this.caller[edge]].functionNumber);
    }
    callers.delete(functionNumber);
    if (callers.size === 0) return `nothing calls ${name}()`;
    const names = [...callers].slice(0, 3).map((fn) => `${this.nameOf(fn)}()`);
    const more = callers.size > names.length ? " and others" : "";
    return `${name}() is called only by ${names.join(", ")}${more}, from code that nothing reaches`;
  }

  private nameOf(fn: FunctionNumber): string {
    return this.image.functions[fn]?.name ?? "a function";
  }

  /** Everything that may run. A function whose address is taken may be called by anything. */
  private forwards(): Uint8Array {
    const { blocks, entries, roots, addressTaken } = this.graph;
    const reached = new Uint8Array(blocks.length);
    const work: BlockNumber[] = [];
    const enter = (block: BlockNumber): void => {
      if (block < 0 || reached[block] !== 0) return;
      reached[block] = 1;
      work.push(block);
    };
    for (const fn of [...roots, ...addressTaken]) enter(entries[fn]);
    for (let block = work.pop(); block !== undefined; block = work.pop()) {
      const { successors, callees, stops } = blocks[block];
      for (const callee of callees) enter(entries[callee]);
      if (!stops) for (const successor of successors) enter(successor);
    }
    return reached;
  }
}

/** Edges by their ends: where each end's begin in the second array. */
function backwards(
  ends: number,
  each: (visit: (from: number, to: number) => void) => void,
): readonly [Int32Array, Int32Array] {
  const first = new Int32Array(ends + 1);
  each((_, to) => {
    first[to + 1]++;
  });
  for (let end = 0; end < ends; end++) first[end + 1] += first[end];
  const from = new Int32Array(first[ends]);
  const at = first.slice();
  each((start, to) => {
    from[at[to]++] = start;
  });
  return [first, from];
}
