// Why a target was not reached, in words that a programmer can act on: the branch where the nearest input turned away, what its condition
// is, which earlier decisions contradict it, or which definitions are missing.

import type { ProgramImage } from "../../jit/image.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import type { BlockNumber } from "../../program/graph/program-graph.js";
import { turnedAway } from "./frontier-branches.js";
import type { ReachGround } from "./reach-ground.js";
import type { Attempt } from "./target-search.js";

/** In words, with the places they speak of. */
export interface WhyNot {
  /** One sentence: "the branch at src/diff.c:408 (`if (flag)`) was never true". */
  readonly sentence: string;
  /** The branch where the nearest run turned away; null if none came near. */
  readonly branch: {
    readonly file: string;
    readonly line: number;
    readonly condition: string;
    readonly side: string;
  } | null;
  /** Earlier decisions that contradict it, or definitions that are missing. */
  readonly because: readonly { readonly file: string; readonly line: number; readonly what: string }[];
  /** Branches that were left to go. */
  readonly remaining: number | null;
  readonly outOfTime: boolean;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

const MOST_REASONS = 6;
const PROCESS_CALLS: ReadonlySet<string> = new Set(["fork", "vfork", "clone", "clone3", "execve", "execveat"]);

/** In words, if it is proven that nothing leads there. */
export function whyUnreachable(ground: ReachGround, blocks: readonly BlockNumber[]): string | null {
  return ground.queries.whyUnreachable(blocks);
}

export function whyNotReached(ground: ReachGround, target: number, attempt: Attempt): WhyNot {
  const { image, queries } = ground;
  const { nearest, remaining, isExhausted } = attempt;
  const { function: name } = ground.targets[target];
  if (nearest === null && attempt.tried === 0) {
    const sentence = "there was no time to run the tests that are near";
    return { sentence, branch: null, because: [], remaining: null, outOfTime: true };
  }
  if (nearest === null || remaining === UNREACHED) {
    const sentence = `no test comes near: no way from what the tests execute leads to ${name}()`;
    return { sentence, branch: null, because: [], remaining: null, outOfTime: false };
  }
  const [away] = turnedAway(image, nearest.blocks, ground.distancesTo(target));
  const outOfTime = !isExhausted;
  if (away === undefined) {
    const sentence = `${name}() is only called through a pointer, which never led there`;
    return { sentence, branch: null, because: [], remaining, outOfTime };
  }
  const place = placeOf(image, away.block);
  const condition = queries.conditionText(away.block);
  const side = sideText(image, away.block, away.side);
  const contradiction = attempt.contradictions.find(({ distance }) => distance <= away.distance);
  const because: { readonly file: string; readonly line: number; readonly what: string }[] = [];
  for (const site of contradiction?.core ?? []) {
    const location = image.locations[image.sites[site]?.location ?? -1];
    if (location === undefined) continue;
    const what = `decided otherwise before${location.origin === "program" ? "" : ` in ${location.functionName}()`}`;
    because.push({ file: location.file, line: location.line, what });
  }
  for (const { block, sentence } of attempt.definitions) {
    because.push({ ...placeOf(image, block), what: sentence });
  }
  const reason =
    contradiction !== undefined
      ? "contradicts what was decided before"
      : attempt.definitions.length > 0
        ? "depends on values that no run gave it"
        : outOfTime
          ? "was not solved in the time given"
          : "is never so on any way that was tried";
  const text = condition === "" ? "" : ` (${condition})`;
  const process = nearest.refused.find((call) => PROCESS_CALLS.has(call));
  const refused =
    process === undefined ? "" : `; in that run a program was started that the VM knows nothing of (${process})`;
  return {
    sentence: `the branch at ${place.file}:${place.line}${text} would have to be ${side}, which ${reason}${refused}`,
    branch: { ...place, condition, side },
    because: unique(because).slice(0, MOST_REASONS),
    remaining,
    outOfTime,
  };
}

/** Where a block ends. */
function placeOf(image: ProgramImage, block: BlockNumber): Place {
  const { locations, functionIndex } = image.coverage[block];
  const last = image.locations[locations[locations.length - 1] ?? -1];
  if (last !== undefined) return { file: last.file, line: last.line };
  const { file, line } = image.functions[functionIndex];
  return { file: file ?? "", line };
}

function sideText(image: ProgramImage, block: BlockNumber, side: number): string {
  if (image.coverage[block].successors.length > 2) return "another case";
  return side === 0 ? "true" : "false";
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}
