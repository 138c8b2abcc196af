// A program's graph from the cache, or made from its linked IR and kept there. It is found by what the image is made of, so a graph
// never belongs to another image than the one it is asked for. That points-to sets took too long is remembered for a while: threads and
// runs that follow do not wait for it again.

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
/** When points-to sets took too long, by the key of the graph that there would have been. */
const TOO_LONG = "graphs-too-long";
/** The machine may have had other things to do; then there may be time. */
const NOT_TRIED_AGAIN_MS = 3_600_000;

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
  const key = keyOf(image, options, graphOptions);
  const kept = cache.get(GRAPHS, key);
  const known = kept === null ? null : decodeGraph(kept, image.coverage.length, image.functions.length);
  if (known !== null) return known;
  const { pointers } = graphOptions;
  const byTypes = { ...graphOptions, pointers: "types" } as const;
  const tooLongMs = Number(cache.get(TOO_LONG, key)?.toString() ?? 0);
  if (pointers !== "types" && Math.abs(Date.now() - tooLongMs) < NOT_TRIED_AGAIN_MS) {
    return loadGraph(program, image, options, byTypes);
  }
  const linked = await loadLinkedProgram([program], options);
  if (linked.kind === "failed") return linked;
  const bodies = countedBodies(linked.program, linked.layout, options.compile, image);
  const graph = buildGraph(linked.program, linked.layout, bodies, image, graphOptions);
  if (graph.precision === pointers) cache.put(GRAPHS, key, encodeGraph(graph));
  else {
    cache.put(GRAPHS, keyOf(image, options, byTypes), encodeGraph(graph));
    cache.put(TOO_LONG, key, `${Date.now()}`);
  }
  return graph;
}

function keyOf(image: ProgramImage, options: LoadOptions, { pointers }: GraphOptions): string {
  return cacheKey([
    `${engineIdentity()} ${GRAPH_VERSION} ${pointers} ${JSON.stringify(options.compile)}`,
    image.wasm,
    JSON.stringify([image.functions, image.globals]),
  ]);
}
