import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DEFAULT_COMPILE_OPTIONS } from "../../jit/options.js";
import { loadProgram } from "../load.js";
import { decodeGraph, encodeGraph } from "./graph-file.js";
import { GRAPH_LOAD_OPTIONS, graphOf } from "./graph-fixture.js";
import { loadGraph } from "./load-graph.js";
import type { ProgramGraph } from "./program-graph.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
static int flag;
__attribute__((noinline)) static int show(int x) { if (x == 3) puts("three"); return x; }
int main(int argc, char **argv) {
  (void)argv;
  if (getenv("LOUD") != NULL) flag = 1;
  if (argc > 1) flag = 2;
  if (flag) return show(argc);
  return 0;
}
`;

const folder = mkdtempSync(join(tmpdir(), "tangent-graph-file-"));
after(() => rmSync(folder, { recursive: true }));

describe("graphs in files", () => {
  it("what is written is read again", async () => {
    const { graph, image } = await graphOf(SOURCE);
    const bytes = Buffer.from(encodeGraph(graph));
    assert.ok(graph.words.some(({ kind }) => kind === "variable"));
    assert.deepEqual(decodeGraph(bytes, image.coverage.length, image.functions.length), graph);
    assert.equal(decodeGraph(bytes, image.coverage.length + 1, image.functions.length), null);
    assert.equal(decodeGraph(bytes, image.coverage.length, image.functions.length - 1), null);
  });

  it("what was changed is not believed", async () => {
    const { graph, image } = await graphOf(SOURCE);
    const read = (changed: unknown): ProgramGraph | null =>
      decodeGraph(Buffer.from(JSON.stringify(changed)), image.coverage.length, image.functions.length);
    assert.notEqual(read(graph), null);
    const [block, ...blocks] = graph.blocks;
    const [definition, ...definitions] = graph.definitions;
    const wrong: readonly unknown[] = [
      null,
      [],
      "graph",
      { ...graph, version: graph.version + 1 },
      { ...graph, precision: "guessed" },
      { ...graph, blocks: [{ ...block, successors: [graph.blocks.length] }, ...blocks] },
      { ...graph, blocks: [{ ...block, callees: [-1] }, ...blocks] },
      { ...graph, blocks: [{ ...block, decision: { kind: "branch" } }, ...blocks] },
      { ...graph, blocks: [{ ...block, functionNumber: 0.5 }, ...blocks] },
      { ...graph, definitions: [{ ...definition, place: graph.places.length }, ...definitions] },
      { ...graph, definitions: [{ ...definition, value: { kind: "number", value: "x", width: 8 } }, ...definitions] },
      { ...graph, roots: ["main"] },
      { ...graph, entries: graph.entries.map(() => -2) },
    ];
    for (const one of wrong) assert.equal(read(one), null, JSON.stringify(one)?.slice(0, 200));
    assert.equal(decodeGraph(Buffer.from("{"), image.coverage.length, image.functions.length), null);
    const deep = `${'{"kind":"operation","operation":"zext","width":8,"operands":['.repeat(300)}{"kind":"unknown"}${"]}".repeat(300)}`;
    assert.equal(read({ ...graph, definitions: [{ ...definition, value: JSON.parse(deep) }] }), null);
  });

  it("a graph is kept, and the same the second time", async () => {
    const file = join(folder, "program.c");
    writeFileSync(file, SOURCE);
    const loaded = await loadProgram([file], GRAPH_LOAD_OPTIONS);
    assert.ok(loaded.kind === "loaded");
    const first = await loadGraph(file, loaded.image, GRAPH_LOAD_OPTIONS);
    assert.ok("blocks" in first);
    // Made again it would need the source.
    rmSync(file);
    assert.deepEqual(await loadGraph(file, loaded.image, GRAPH_LOAD_OPTIONS), first);
  });

  it("where points-to sets took too long, types answer, and nobody waits again", async () => {
    const file = join(folder, "slow.c");
    writeFileSync(file, `${SOURCE}\nint slow;\n`);
    const loaded = await loadProgram([file], GRAPH_LOAD_OPTIONS);
    assert.ok(loaded.kind === "loaded");
    const noTime = { pointers: "points-to", milliseconds: -1 } as const;
    const first = await loadGraph(file, loaded.image, GRAPH_LOAD_OPTIONS, noTime);
    assert.ok("blocks" in first);
    assert.equal(first.precision, "types");
    const byTypes = { pointers: "types", milliseconds: 0 } as const;
    rmSync(file);
    assert.deepEqual(await loadGraph(file, loaded.image, GRAPH_LOAD_OPTIONS, noTime), first);
    assert.deepEqual(await loadGraph(file, loaded.image, GRAPH_LOAD_OPTIONS, byTypes), first);
  });

  it("an image without numbers of blocks has none, and says so", async () => {
    const file = join(folder, "plain.c");
    writeFileSync(file, SOURCE);
    const options = { ...GRAPH_LOAD_OPTIONS, compile: DEFAULT_COMPILE_OPTIONS };
    const loaded = await loadProgram([file], options);
    assert.ok(loaded.kind === "loaded");
    const graph = await loadGraph(file, loaded.image, options);
    assert.ok("message" in graph);
    assert.match(graph.message, /plain\.c: it was translated without coverage/);
  });
});
