// A program's graph from the cache, or made from its linked IR and kept there. It is found by what the image is made of, so a graph
// never belongs to another image than the one it is asked for.

import { cacheDirectory, cacheKey, openCache } from "../../frontend/cache.js";
import type { ProgramImage } from "../../jit/image.js";
import { countedBodies } from "../counted-bodies.js";
import { engineIdentity } from "../identity.js";
import { loadLinkedProgram } from "../load-linked.js";
import type { LoadOptions } from "../warm.js";
import { buildGraph, DEFAULT_GRAPH_OPTIONS, GRAPH_VERSION, type GraphOptions } from "./build-graph.js";
import { decodeGraph, encodeGraph } from "./graph-file.js";
import type { ProgramGraph } from "./program-graph.js";

const GRAPHS = "graphs";

/** `program`: the file that `image` was loaded from, with the same options. */
export async function loadGraph(
  program: string,
  image: ProgramImage,
  options: LoadOptions,
  graphOptions: GraphOptions = DEFAULT_GRAPH_OPTIONS,
): Promise<ProgramGraph | { readonly kind: "failed"; readonly message: string }> {
  if (image.coverage.length === 0) {
    return { kind: "failed", message: `${program}: it was translated without coverage, so its blocks have no numbers` };
  }
  const cache = openCache(cacheDirectory(options.env));
  const key = cacheKey([
    `${engineIdentity()} ${GRAPH_VERSION} ${graphOptions.pointers} ${JSON.stringify(options.compile)}`,
    image.wasm,
    JSON.stringify([image.functions, image.globals]),
  ]);
  const kept = cache.get(GRAPHS, key);
  const known = kept === null ? null : decodeGraph(kept, image.coverage.length, image.functions.length);
  if (known !== null) return known;
  const linked = await loadLinkedProgram([program], options);
  if (linked.kind === "failed") return linked;
  const bodies = countedBodies(linked.program, linked.layout, options.compile, image);
  const graph = buildGraph(linked.program, linked.layout, bodies, image, graphOptions);
  // What types had to answer for points-to sets, because there was no time, is not kept: there may be time later.
  if (graph.precision === graphOptions.pointers) cache.put(GRAPHS, key, encodeGraph(graph));
  return graph;
}
