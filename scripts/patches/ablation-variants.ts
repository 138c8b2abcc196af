// The ways of searching that are compared: all of it, all but one part, the greedy steps alone, which are the paper's base, and exploration
// that does not know the target.

import type { Strategy } from "../../src/techniques/reach/target-search.js";

export interface Variant {
  readonly name: string;
  readonly without: readonly Strategy[];
  /** Plain exploration of all tests in turn. */
  readonly isUndirected: boolean;
}

const ALL = "full";

export const VARIANTS: readonly Variant[] = [
  directed(ALL),
  directed("without-regeneration", "regeneration"),
  directed("without-definitions", "definitions"),
  directed("without-moves", "moves"),
  directed("without-preconditions", "preconditions"),
  directed("without-points-to", "points-to"),
  directed("without-exploration", "exploration"),
  directed("greedy-only", "moves", "regeneration", "definitions"),
  { name: "undirected", without: [], isUndirected: true },
];

function directed(name: string, ...without: readonly Strategy[]): Variant {
  return { name, without, isUndirected: false };
}

/** Of "full,undirected"; a name that there is not, if there is one. */
export function variantsNamed(text: string | undefined): readonly Variant[] | { readonly unknown: string } {
  if (text === undefined) return VARIANTS;
  const chosen: Variant[] = [];
  for (const name of text.split(",")) {
    const variant = VARIANTS.find((one) => one.name === name);
    if (variant === undefined) return { unknown: name };
    if (!chosen.includes(variant)) chosen.push(variant);
  }
  return chosen;
}
