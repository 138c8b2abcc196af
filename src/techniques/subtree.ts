// Dividing an exploration: a pending path of one engine becomes the root of another's. The shallowest one is given away,
// since most is likely to be below it. It is solved by the giver, whose path conditions and caches are at hand.

import { Engine } from "../engine/engine.js";
import type { Executor } from "../engine/executor.js";
import type { EngineOptions } from "../engine/options.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { CLOSED, type ExecutionTree, NO_SEGMENT, ROW } from "../path/tree.js";
import type { Model } from "../solver/solver.js";
import { SubtreeGround } from "./subtree-ground.js";

/** The paths that share the first `depth` decisions of the path that the input takes. */
export interface Subtree {
  readonly input: Model;
  readonly depth: number;
  /** What the run that saw it needed: as far as is known, no less is needed to get there. */
  readonly instructions: number;
}

/** An engine for a part of the tree. */
export function subtreeEngine(
  executor: Executor,
  options: Partial<EngineOptions> & Pick<EngineOptions, "solver">,
  { input, depth, instructions }: Subtree,
): Engine {
  const engine = new Engine(executor, { ...options, inputMaker: null, seeds: [input] });
  engine.seeds.replace([input], instructions);
  const { recorder, tree } = engine;
  recorder.newGround = new SubtreeGround(tree, recorder.conditions, recorder.frontier, depth);
  return engine;
}

/** Takes a part away from an engine, between two of its events; null if it has none to spare. */
export function giveAway(engine: Engine): Subtree | null {
  for (;;) {
    const id = shallowest(engine);
    if (id === NO_PENDING) return null;
    const { tree } = engine;
    engine.searcher.remove(id);
    tree.pending.selectable[id] = 0;
    const depth = decisionsTold(tree, id) + 1;
    const answer = tree.pending.model[id] >= 0 ? tree.hint(id) : engine.answerFor(id);
    if (answer === null) {
      // There was no time for it, nor will there be for another one.
      if (tree.pending.selectable[id] === 1) return null;
      continue;
    }
    const input = answer.slice();
    const instructions = tree.instructions[tree.pending.segment[id]];
    tree.close(id, CLOSED.explored);
    return { input, depth, instructions };
  }
}

/**
 * The decisions before a pending path that a run towards it tells. The tree has more: where a run was set aside there is a row
 * of which nothing is told, and a value that was pinned to another one is told once, with the value it has.
 */
function decisionsTold(tree: ExecutionTree, id: PendingId): number {
  let told = tree.pending.depth[id];
  for (let segment = tree.pending.segment[id]; tree.parent[segment] !== NO_SEGMENT; segment = tree.parent[segment]) {
    const kind = tree.kind[tree.at(tree.parent[segment], tree.parentRow[segment])];
    if (kind === ROW.fork || kind === ROW.pin) told--;
  }
  return told;
}

/** One must stay, or the giver would be idle next. */
function shallowest({ tree, searcher }: Engine): PendingId {
  if (searcher.size < 2) return NO_PENDING;
  const { pending } = tree;
  let best: PendingId = NO_PENDING;
  for (let place = 0; place < pending.end; place++) {
    const id = place as PendingId;
    if (!pending.isLive(id) || pending.selectable[id] === 0) continue;
    // Only of these is the other side told as a decision: of the rest it is entered without a word, and `depth` would
    // count one decision too many.
    const kind = tree.kindOf(id);
    if (kind !== ROW.branch && kind !== ROW.alternative) continue;
    if (best === NO_PENDING || pending.depth[id] < pending.depth[best]) best = id;
  }
  return best;
}
