// Graphs of C programs given as text, for tests. Places in the source are told by a comment `// @name` on their line.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgramImage } from "../../jit/image.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../jit/options.js";
import { loadProgram } from "../load.js";
import type { LoadOptions } from "../warm.js";
import { DEFAULT_GRAPH_OPTIONS, type GraphOptions } from "./build-graph.js";
import { GraphQueries } from "./graph-queries.js";
import { loadGraph } from "./load-graph.js";
import type { BlockNumber, ProgramGraph } from "./program-graph.js";

export interface GraphOfSource {
  readonly image: ProgramImage;
  readonly graph: ProgramGraph;
  readonly queries: GraphQueries;
  /** Blocks with code on the marked line, ascending. */
  at(mark: string): readonly BlockNumber[];
  /** The one among them that decides. */
  decisionAt(mark: string): BlockNumber;
  functionNumber(name: string): number;
  entryOf(name: string): BlockNumber;
}

export const GRAPH_LOAD_OPTIONS: LoadOptions = {
  env: process.env,
  clang: null,
  flags: ["-g"],
  compile: AMPLIFY_COMPILE_OPTIONS,
};

export async function graphOf(
  source: string,
  pointers: GraphOptions["pointers"] = "points-to",
): Promise<GraphOfSource> {
  const folder = mkdtempSync(join(tmpdir(), "tangent-graph-"));
  try {
    const file = join(folder, "program.c");
    writeFileSync(file, source);
    const loaded = await loadProgram([file], GRAPH_LOAD_OPTIONS);
    assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
    const { image } = loaded;
    const graph = await loadGraph(file, image, GRAPH_LOAD_OPTIONS, { ...DEFAULT_GRAPH_OPTIONS, pointers });
    assert.ok("blocks" in graph, "message" in graph ? graph.message : "");
    assert.equal(graph.precision, pointers);
    const lines = source.split("\n");
    const at = (mark: string): readonly BlockNumber[] => {
      const line = lines.findIndex((text) => text.endsWith(`// @${mark}`)) + 1;
      assert.ok(line > 0, `no line is marked ${mark}`);
      const isThere = (where: number): boolean => {
        if (where < 0) return false;
        const { file, line: own, inlinedAt } = image.locations[where];
        return (own === line && file.endsWith("program.c")) || isThere(inlinedAt);
      };
      return image.coverage.flatMap(({ locations }, block) => (locations.some(isThere) ? [block] : []));
    };
    const functionNumber = (name: string): number => {
      const number = image.functions.findIndex((fn) => fn.name === name && fn.origin === "program");
      assert.ok(number >= 0, `no function ${name}`);
      return number;
    };
    return {
      image,
      graph,
      queries: new GraphQueries(graph, image),
      at,
      decisionAt: (mark) => {
        const found = at(mark).filter((block) => graph.blocks[block].successors.length > 1);
        assert.ok(found.length > 0, `nothing decides at ${mark}`);
        return found[found.length - 1];
      },
      functionNumber,
      entryOf: (name) => graph.entries[functionNumber(name)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
