// The searchers by name, in one table; the command line, its help and the tests derive from it. "a+b" takes turns.

import { BreadthFirst } from "./bfs.js";
import { CoverNew } from "./covnew.js";
import { DepthBiased } from "./depth-biased.js";
import { DepthFirst } from "./dfs.js";
import { Interleaved } from "./interleaved.js";
import { UniformRandom } from "./random.js";
import { RandomPath } from "./random-path.js";
import type { Searcher, SearcherParts } from "./searcher.js";

export interface SearcherInfo {
  readonly summary: string;
  readonly make: (parts: SearcherParts) => Searcher;
}

const SEARCHERS = {
  dfs: { summary: "the deepest branch of the latest path first", make: () => new DepthFirst() },
  bfs: { summary: "the fewest branches first", make: ({ tree }) => new BreadthFirst(tree) },
  "random-path": {
    summary: "walk from the root, either way with the same probability",
    make: ({ tree, random }) => new RandomPath(tree, random),
  },
  "depth-biased": {
    summary: "at random, the deeper the likelier",
    make: ({ tree, random }) => new DepthBiased(tree, random),
  },
  random: { summary: "uniformly at random", make: ({ random }) => new UniformRandom(random) },
  covnew: {
    summary: "at random, the closer to uncovered code the likelier",
    make: ({ tree, random, distance, weight }) => new CoverNew(tree, random, distance, weight),
  },
  interleaved: {
    summary: "random-path and covnew in turn",
    make: ({ tree, random, distance, weight }) =>
      new Interleaved([new RandomPath(tree, random), new CoverNew(tree, random, distance, weight)]),
  },
} as const satisfies Record<string, SearcherInfo>;
export type SearcherName = keyof typeof SEARCHERS;

export const SEARCHER_NAMES = Object.keys(SEARCHERS) as SearcherName[];

/** The searcher of that name, or of several names joined by "+"; null if there is none. */
function makeSearcher(name: string, parts: SearcherParts): Searcher | null {
  const names = name.split("+");
  if (!names.every((part): part is SearcherName => Object.hasOwn(SEARCHERS, part))) return null;
  const searchers = names.map((part) => SEARCHERS[part].make(parts));
  return searchers.length === 1 ? searchers[0] : new Interleaved(searchers);
}

/** A searcher of one's own, or the one of that name, which there must be. */
export function searcherFor(wanted: string | ((parts: SearcherParts) => Searcher), parts: SearcherParts): Searcher {
  if (typeof wanted !== "string") return wanted(parts);
  const made = makeSearcher(wanted, parts);
  if (made === null) throw new Error(`no searcher is called "${wanted}"; there are ${SEARCHER_NAMES.join(", ")}`);
  return made;
}
