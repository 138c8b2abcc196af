// Weakest preconditions, as KATCH has them: what must hold at a block so that a way from it can lead to a target. A branch whose side
// contradicts what must hold behind it is useless, and is left out of distances: `if (mode != 2) ...` on the way to what
// `if (mode == 2)` guards.
//
// Inside of one function, backwards: a target, or a block that calls what leads to one, needs nothing. Where ways part, what they
// have in common is kept. Why it is right: take any way to a target; by induction from its end, what is noted at each of its blocks
// holds there, so that no edge of it contradicts what is noted behind. It is about ways of the graph, and no proof of anything else.

import {
  common,
  conjunction,
  EdgeSubstitution,
  type Fact,
  type Facts,
  factsOfEdge,
  isMadeIn,
  NO_FACTS,
} from "./facts.js";
import type { BlockNumber, FunctionNumber, ProgramGraph, Term } from "./program-graph.js";

const UNREACHED = 0x7fff_ffff;
const NOTHING: Useless = { edges: [], orphans: [] };
/** Functions of more blocks are left as they are. */
const MOST_BLOCKS = 5000;
/** Results that are remembered: the same callers lead to many targets. */
const MOST_REMEMBERED = 20_000;

/** What leads to no target. */
export interface Useless {
  /** As `from * blocks + to`. */
  readonly edges: readonly number[];
  /** Blocks that only such edges lead to. */
  readonly orphans: readonly BlockNumber[];
}

export class Preconditions {
  private readonly blocksOf = new Map<FunctionNumber, BlockNumber[]>();
  private readonly predecessors: BlockNumber[][];
  private readonly incoming = new Map<number, Map<BlockNumber, Term | null>>();
  private readonly edgeFacts = new Map<number, readonly Fact[]>();
  private readonly remembered = new Map<string, Useless>();

  constructor(private readonly graph: ProgramGraph) {
    this.predecessors = graph.blocks.map(() => []);
    graph.blocks.forEach(({ functionNumber, successors, stops }, block) => {
      const list = this.blocksOf.get(functionNumber);
      if (list === undefined) this.blocksOf.set(functionNumber, [block]);
      else list.push(block);
      if (!stops) for (const successor of new Set(successors)) this.predecessors[successor].push(block);
    });
    for (const { place, block, value } of graph.definitions) {
      if (graph.places[place].joinedAt === undefined) continue;
      const ways = this.incoming.get(place) ?? new Map<BlockNumber, Term | null>();
      this.incoming.set(place, ways);
      // A variable that gets two values on one way would be a defect; nothing is said about it.
      ways.set(block, ways.has(block) ? null : value);
    }
  }

  /** `distances` are those without preconditions. */
  useless(distances: Int32Array, targets: ReadonlySet<BlockNumber>): Useless {
    const all: { edges: number[]; orphans: BlockNumber[] } = { edges: [], orphans: [] };
    for (const [fn, blocks] of this.blocksOf) {
      if (blocks.length < 3 || blocks.length > MOST_BLOCKS) continue;
      const ends = blocks.filter((block) => targets.has(block) || this.callsTowards(block, distances));
      if (ends.length === 0) continue;
      const key = `${fn}:${ends.join(",")}`;
      let found = this.remembered.get(key);
      if (found === undefined) {
        found = this.inFunction(blocks, ends);
        if (this.remembered.size < MOST_REMEMBERED) this.remembered.set(key, found);
      }
      all.edges.push(...found.edges);
      all.orphans.push(...found.orphans);
    }
    return all;
  }

  private callsTowards(block: BlockNumber, distances: Int32Array): boolean {
    const { blocks, entries } = this.graph;
    return blocks[block].callees.some((fn) => entries[fn] >= 0 && distances[entries[fn]] !== UNREACHED);
  }

  private inFunction(blocks: readonly BlockNumber[], ends: readonly BlockNumber[]): Useless {
    const needs = new Map<BlockNumber, Facts>();
    const isEnd = new Set(ends);
    const work = [...ends];
    const waiting = new Set(work);
    for (const end of ends) needs.set(end, NO_FACTS);
    for (let at = 0; at < work.length; at++) {
      const block = work[at];
      waiting.delete(block);
      for (const before of this.predecessors[block]) {
        if (isEnd.has(before)) continue;
        const now = this.neededAt(before, needs);
        if (now === null) continue;
        const known = needs.get(before);
        const kept = known === undefined ? now : common(known, now);
        if (kept === known) continue;
        needs.set(before, kept);
        if (waiting.has(before)) continue;
        waiting.add(before);
        work.push(before);
      }
    }
    const count = this.graph.blocks.length;
    const edges = blocks.flatMap((block) => {
      const { successors, stops } = this.graph.blocks[block];
      if (stops) return [];
      return [...new Set(successors)].flatMap((to) => {
        const behind = needs.get(to);
        return behind !== undefined && this.across(block, to, behind) === null ? [block * count + to] : [];
      });
    });
    return edges.length === 0 ? NOTHING : { edges, orphans: this.orphans(blocks, new Set(edges)) };
  }

  /** Blocks that the function's beginning no longer leads to. */
  private orphans(blocks: readonly BlockNumber[], useless: ReadonlySet<number>): BlockNumber[] {
    const count = this.graph.blocks.length;
    const walk = (isLeftOut: (edge: number) => boolean): Set<BlockNumber> => {
      const reached = new Set([this.graph.entries[this.graph.blocks[blocks[0]].functionNumber]]);
      for (const block of reached) {
        const { successors, stops } = this.graph.blocks[block];
        if (stops) continue;
        for (const to of successors) if (!isLeftOut(block * count + to)) reached.add(to);
      }
      return reached;
    };
    const before = walk(() => false);
    const after = walk((edge) => useless.has(edge));
    return [...before].filter((block) => !after.has(block));
  }

  /** What all useful ways from a block have in common; null if there is none yet. */
  private neededAt(block: BlockNumber, needs: ReadonlyMap<BlockNumber, Facts>): Facts | null {
    let needed: Facts | null = null;
    for (const to of new Set(this.graph.blocks[block].successors)) {
      const behind = needs.get(to);
      const now = behind === undefined ? null : this.across(block, to, behind);
      if (now === null) continue;
      needed = needed === null ? now : common(needed, now);
    }
    if (needed === null) return null;
    return new Map([...needed].filter(([, { term }]) => !isMadeIn(term, block)));
  }

  /** What must hold at the end of a block so that the way over this edge leads on; null if nothing can. */
  private across(block: BlockNumber, to: BlockNumber, behind: Facts): Facts | null {
    const facts: Fact[] = [...this.factsOf(block, to)];
    const substitution = new EdgeSubstitution(this.graph, to, (place) => this.incoming.get(place)?.get(block) ?? null);
    for (const fact of behind.values()) {
      const before = substitution.apply(fact);
      if (before === false) return null;
      if (before !== true && before !== null) facts.push(before);
    }
    return conjunction(facts);
  }

  private factsOf(block: BlockNumber, to: BlockNumber): readonly Fact[] {
    const key = block * this.graph.blocks.length + to;
    const known = this.edgeFacts.get(key);
    if (known !== undefined) return known;
    const { decision, successors } = this.graph.blocks[block];
    const made = factsOfEdge(decision, successors, to);
    this.edgeFacts.set(key, made);
    return made;
  }
}
