// A program's graph held against what runs do: every block that a run enters must be reachable in the graph from blocks that it
// entered as well. What the graph leaves out would be a way that a search never finds, or a proof that is none.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { ProgramImage } from "../../src/jit/image.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { countedBodies } from "../../src/program/counted-bodies.js";
import { buildGraph, DEFAULT_GRAPH_OPTIONS } from "../../src/program/graph/build-graph.js";
import { graphOf } from "../../src/program/graph/graph-fixture.js";
import { GraphQueries, UNREACHED } from "../../src/program/graph/graph-queries.js";
import type { ProgramGraph } from "../../src/program/graph/program-graph.js";
import { loadProgram } from "../../src/program/load.js";
import { loadLinkedProgram } from "../../src/program/load-linked.js";
import { Random } from "../../src/support/random.js";
import { Machine } from "../../src/vm/machine.js";
import { DEFAULT_OPTIONS, type RunOptions } from "../../src/vm/run-options.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tangent-graph-runs-"));
after(() => rmSync(folder, { recursive: true }));

async function graphsOf(
  sources: readonly string[],
): Promise<{ readonly image: ProgramImage; readonly graphs: readonly ProgramGraph[] }> {
  const options = { env: process.env, clang: null, flags: ["-g"], compile: AMPLIFY_COMPILE_OPTIONS };
  const loaded = await loadProgram(sources, options);
  assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
  const linked = await loadLinkedProgram(sources, options);
  assert.ok(linked.kind === "linked");
  const { image } = loaded;
  const graphs = (["points-to", "types"] as const).map((pointers) => {
    const bodies = countedBodies(linked.program, linked.layout, options.compile, image);
    const limits = { ...DEFAULT_GRAPH_OPTIONS, pointers };
    return buildGraph(linked.program, linked.layout, bodies, image, limits);
  });
  assert.deepEqual(
    graphs.map(({ precision }) => precision),
    ["points-to", "types"],
  );
  return { image, graphs };
}

/** The program's name first. */
function coverageOf(image: ProgramImage, words: readonly string[], more: Partial<RunOptions> = {}): Uint8Array {
  const limits = { ...DEFAULT_OPTIONS.limits, instructions: 50_000_000 };
  const options = { ...DEFAULT_OPTIONS, workingDirectory: folder, limits, arguments: words, ...more };
  return new Machine(image, options).run().coverage;
}

/** Blocks that were entered, and that nothing entered leads to. */
function unexplained(graph: ProgramGraph, image: ProgramImage, coverage: Uint8Array): string[] {
  const explained = new Set<number>();
  for (const fn of graph.roots) explained.add(graph.entries[fn]);
  graph.blocks.forEach(({ successors, callees, stops }, block) => {
    if (coverage[block] === 0) return;
    if (!stops) for (const successor of successors) explained.add(successor);
    for (const callee of callees) explained.add(graph.entries[callee]);
    for (const choice of image.coverage[block].choices) explained.add(choice);
  });
  return graph.blocks.flatMap(({ functionNumber }, block) =>
    coverage[block] !== 0 && !explained.has(block) ? [`${image.functions[functionNumber].name} ${block}`] : [],
  );
}

function holdAgainst(graphs: readonly ProgramGraph[], image: ProgramImage, coverage: Uint8Array, what: string): number {
  for (const graph of graphs) {
    assert.deepEqual(unexplained(graph, image, coverage), [], `${what}, by ${graph.precision}`);
    const queries = new GraphQueries(graph, image);
    coverage.forEach((covered, block) => {
      if (covered !== 0)
        assert.equal(queries.whyUnreachable([block]), null, `${what}: block ${block} by ${graph.precision}`);
    });
  }
  return coverage.reduce((sum, covered) => sum + covered, 0);
}

/** Those in which control goes where no call is written. */
const PROGRAMS = [
  "language/computed-goto.c",
  "language/constructors.c",
  "language/exit-handlers.c",
  "language/function-pointers.c",
  "language/getopt-long.c",
  "language/setjmp-exceptions.c",
  "language/signals.c",
  "language/sorting.c",
  "language/threads.c",
  "language/threads-meetings.c",
  "language/varargs-forwarding.c",
  "correct/heap-qsort-comparator.c",
  "correct/stack-callback.c",
  "correct/uaf-timer-callback.c",
];

describe("graphs and runs", () => {
  it("the demo's archiver", async () => {
    const sources = readdirSync(join(ROOT, "demo/larder")).filter((name) => name.endsWith(".c"));
    const { image, graphs } = await graphsOf(sources.map((name) => join(ROOT, "demo/larder", name)));
    writeFileSync(
      join(folder, "two.recipe"),
      'block 8\nfile a "one two\\tthree\\x21"\nfile b "back\\\\slash"\nlink c a\n',
    );
    const packed = coverageOf(image, ["larder", "pack", "two.recipe", "two.lrd"], { writeThrough: true });
    assert.ok(holdAgainst(graphs, image, packed, "pack") > 50);
    for (const words of [["list", "two.lrd"], ["check", "two.lrd"], ["show", "two.lrd", "b"], ["list", "none"], []]) {
      assert.ok(holdAgainst(graphs, image, coverageOf(image, ["larder", ...words]), words.join(" ")) > 0);
    }
  });

  it("programs with callbacks, signals, jumps, tables of functions", async () => {
    for (const name of PROGRAMS) {
      const path = join(ROOT, "test/programs", name);
      const { image, graphs } = await graphsOf([path]);
      const coverage = coverageOf(image, ["program", "one", "two"], { stdin: Buffer.from("3 1 2\nabc\n") });
      assert.ok(holdAgainst(graphs, image, coverage, name) > 0, name);
    }
  });

  it("what a run does in some order, preconditions do not exclude", async () => {
    const { source, functions } = randomSource(new Random(11), 8);
    const { image, graph, queries, at } = await graphOf(source, "types");
    const blocks = new Map<number, readonly number[]>();
    const blocksOf = (mark: number): readonly number[] => {
      const known = blocks.get(mark) ?? at(`${mark}`);
      blocks.set(mark, known);
      return known;
    };
    const distances = new Map<number, Int32Array>();
    let useless = 0;
    const distancesTo = (mark: number): Int32Array => {
      const known = distances.get(mark);
      if (known !== undefined) return known;
      const exact = queries.distancesTo(blocksOf(mark), { preconditions: true });
      const plain = queries.distancesTo(blocksOf(mark));
      useless += graph.blocks.filter((_, block) => exact[block] !== plain[block]).length;
      distances.set(mark, exact);
      return exact;
    };
    const random = new Random(5);
    for (let run = 0; run < 150; run++) {
      const words = ["p", `${run % functions}`, ...[0, 1, 2].map(() => `${below(random, 6)}`)];
      const options = { ...DEFAULT_OPTIONS, arguments: words };
      const { stdout } = new Machine(image, options).run();
      const marks = [...new Set(Buffer.from(stdout).toString().trim().split(/\s+/).map(Number))];
      const trace = Buffer.from(stdout).toString().trim().split(/\s+/).map(Number);
      assert.ok(trace.length > 1);
      for (const mark of marks) {
        const to = distancesTo(mark);
        for (const before of new Set(trace.slice(0, trace.lastIndexOf(mark)))) {
          const isNear = blocksOf(before).some((block) => to[block] !== UNREACHED);
          assert.ok(isNear, `${words.join(" ")}: ${before} comes before ${mark}`);
        }
      }
    }
    // Otherwise this has looked at nothing.
    assert.ok(useless > 20, `${useless} distances differ`);
  });
});

/** Functions of three numbers with branches, loops and assignments; each part tells that it was reached. */
function randomSource(random: Random, functions: number): { readonly source: string; readonly functions: number } {
  const lines = [
    "#include <stdio.h>",
    "#include <stdlib.h>",
    '__attribute__((noinline)) static void t(int mark) { printf("%d\\n", mark); }',
  ];
  let marks = 0;
  const mark = (): void => void lines.push(`t(${marks}); // @${marks++}`);
  const pick = (...of: readonly string[]): string => of[below(random, of.length)];
  const number = (): string => `${below(random, 6)}`;
  const variable = (): string => pick("a", "b", "c", "x", "y");
  const simple = (): string =>
    `${variable()} ${pick("==", "!=", "<", ">", "<=", ">=")} ${pick(number(), number(), variable())}`;
  const condition = (): string => (below(random, 4) === 0 ? `${simple()} ${pick("&&", "||")} ${simple()}` : simple());
  const statements = (depth: number): void => {
    mark();
    for (let n = 1 + below(random, 3); n > 0; n--) {
      const kind = below(random, depth > 3 ? 2 : 8);
      if (kind === 0) lines.push(`${variable()} = ${number()};`);
      else if (kind === 1)
        lines.push(`${variable()} = ${pick(`${variable()} + 1`, variable(), `${variable()} - ${variable()}`)};`);
      else if (kind < 6) {
        lines.push(`if (${condition()}) {`);
        statements(depth + 1);
        if (below(random, 2) === 0) {
          lines.push("} else {");
          statements(depth + 1);
        }
        lines.push("}");
      } else if (kind === 6) {
        lines.push(`for (int i = 0; i < 3; i++) {`);
        statements(depth + 1);
        lines.push(`if (${condition()}) ${pick("break", "continue")};`);
        lines.push("}");
      } else {
        lines.push(`switch (${variable()}) {`);
        for (const value of [0, 1, 3]) {
          lines.push(`case ${value}:`);
          statements(depth + 1);
          if (below(random, 2) === 0) lines.push("break;");
        }
        lines.push("}");
      }
      mark();
    }
  };
  for (let n = 0; n < functions; n++) {
    lines.push(`__attribute__((noinline)) static void f${n}(int a, int b, int c) {`, "int x = a, y = 1;");
    statements(0);
    lines.push("}");
  }
  lines.push(
    "int main(int argc, char **argv) {",
    "if (argc < 5) return 1;",
    "int a = atoi(argv[2]), b = atoi(argv[3]), c = atoi(argv[4]);",
  );
  lines.push("switch (atoi(argv[1])) {");
  for (let n = 0; n < functions; n++) lines.push(`case ${n}: f${n}(a, b, c); break;`);
  lines.push("}", "return 0;", "}");
  return { source: `${lines.join("\n")}\n`, functions };
}

function below(random: Random, limit: number): number {
  return random.next() % limit;
}
