// What a search for targets stands on: the program, its graph, the targets in it with the distances of all blocks from each. Made once
// for each program and list of wanted places, and kept as long as a thread keeps the program.

import type { ProgramImage } from "../../jit/image.js";
import { GraphQueries } from "../../program/graph/graph-queries.js";
import type { BlockNumber, ProgramGraph } from "../../program/graph/program-graph.js";
import { leftOvers, type Target, targetsIn, type Wanted } from "./targets.js";

export class ReachGround {
  readonly queries: GraphQueries;
  readonly targets: readonly Target[];
  /** By block: targets it belongs to, as indices. */
  readonly targetsOfBlock = new Map<BlockNumber, number[]>();
  private readonly distances: (Int32Array | undefined)[] = [];

  constructor(
    readonly image: ProgramImage,
    readonly module: WebAssembly.Module,
    readonly graph: ProgramGraph,
    wanted: readonly Wanted[],
    private readonly preconditions: boolean,
  ) {
    this.queries = new GraphQueries(graph, image);
    this.targets = targetsIn(image, wanted, leftOvers(image, calledIn(graph)));
    this.targets.forEach(({ blocks }, index) => {
      for (const block of blocks) {
        const known = this.targetsOfBlock.get(block);
        if (known === undefined) this.targetsOfBlock.set(block, [index]);
        else known.push(index);
      }
    });
  }

  indexOf(id: string): number {
    return this.targets.findIndex((target) => target.id === id);
  }

  /** Of all blocks, from a target. */
  distancesTo(target: number): Int32Array {
    const known = this.distances[target];
    if (known !== undefined) return known;
    const made = this.queries.distancesTo(this.targets[target].blocks, { preconditions: this.preconditions });
    this.distances[target] = made;
    return made;
  }

  /** The targets among some blocks. */
  targetsAmong(blocks: Iterable<BlockNumber>): Set<number> {
    const found = new Set<number>();
    for (const block of blocks) for (const target of this.targetsOfBlock.get(block) ?? []) found.add(target);
    return found;
  }
}

function calledIn({ blocks }: ProgramGraph): Set<number> {
  const called = new Set<number>();
  for (const { callees } of blocks) for (const callee of callees) called.add(callee);
  return called;
}

const grounds = new WeakMap<ProgramImage, { readonly key: string; readonly ground: ReachGround }>();

/** The same for the same program and places. */
export function groundOf(
  image: ProgramImage,
  module: WebAssembly.Module,
  graph: ProgramGraph,
  wanted: readonly Wanted[],
  preconditions: boolean,
): ReachGround {
  const key = JSON.stringify([wanted, preconditions]);
  const known = grounds.get(image);
  if (known?.key === key) return known.ground;
  const ground = new ReachGround(image, module, graph, wanted, preconditions);
  grounds.set(image, { key, ground });
  return ground;
}
