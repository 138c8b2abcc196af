// Extended units, as FOCAL has them: E(a) is a function a and those of its callees, direct or through other members, that are closely
// relevant to it; calls of the rest are answered by stubs. Two other ways to choose are there for comparison: a alone, and members drawn at
// random.
//
// Functions of libc and of the runtime are real in every unit: they are no callees here (call-profile.ts).

import { Random } from "../../support/random.js";
import type { ProgramCalls } from "./call-profile.js";
import type { Relevance } from "./relevance.js";

export interface ExtendedUnit {
  /** Functions of the program that are real in it, ascending; its own function is one. */
  readonly members: readonly number[];
  /** Functions that a member may call and that are none, ascending. */
  readonly others: readonly number[];
}

export type UnitMembers =
  /** Among that share of all pairs of functions; a function that never ran takes all its callees, since nothing is known of it. */
  | { readonly kind: "relevant"; readonly relevance: Relevance; readonly share: number }
  | { readonly kind: "alone" }
  /** The same for the same seed, whichever units are made before. */
  | { readonly kind: "random"; readonly seed: number; readonly probability: number };

/** The paper's. */
export const RELEVANT_SHARE = 0.3;
export const RANDOM_PROBABILITY = 0.5;

export function extendedUnit(own: number, calls: Pick<ProgramCalls, "calleesOf">, choice: UnitMembers): ExtendedUnit {
  const isMember = chooser(own, choice);
  const members = new Set([own]);
  const others = new Set<number>();
  // A set is walked as it grows.
  for (const member of members) {
    for (const callee of calls.calleesOf(member)) {
      if (members.has(callee) || others.has(callee)) continue;
      (isMember(callee) ? members : others).add(callee);
    }
  }
  return { members: ascending(members), others: ascending(others) };
}

function chooser(own: number, choice: UnitMembers): (callee: number) => boolean {
  switch (choice.kind) {
    case "alone":
      return () => false;
    case "random": {
      const { seed, probability } = choice;
      return (callee) => {
        const random = new Random(seed ^ Math.imul(own + 1, 0x85eb_ca6b) ^ Math.imul(callee + 1, 0xc2b2_ae35));
        return random.next() < probability * 2 ** 32;
      };
    }
    case "relevant": {
      const { relevance, share } = choice;
      if (relevance.runsOf(own) === 0) return () => true;
      const least = relevance.threshold(share);
      return (callee) => relevance.of(own, callee) >= least;
    }
  }
}

function ascending(set: ReadonlySet<number>): readonly number[] {
  return [...set].sort((a, b) => a - b);
}
