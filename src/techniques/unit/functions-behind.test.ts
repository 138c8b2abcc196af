import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { LinkedProgram } from "../../ir/link.js";
import type { ProgramImage } from "../../jit/image.js";
import { UNIT_COMPILE_OPTIONS } from "../../jit/options.js";
import { countedBodies } from "../../program/counted-bodies.js";
import { buildGraph, DEFAULT_GRAPH_OPTIONS } from "../../program/graph/build-graph.js";
import { loadProgram } from "../../program/load.js";
import { loadLinkedProgram } from "../../program/load-linked.js";
import { DEFAULT_DESCRIBE_OPTIONS, describeUnit, UnitTypes } from "./describe-unit.js";
import { findUnit } from "./find-unit.js";
import { type FunctionsBehind, functionsBehind } from "./functions-behind.js";

const SOURCE = `
typedef int (*step)(int);
struct machine { step next; step stop; int state; };
static int first(int n) { return n + 1; }
static int second(int n) { return n * 2; }
static int third(int n) { return n - 3; }
int apply(step s, int n) { return s(n); }
int run(struct machine *m) { return m->stop(m->next(m->state)); }
/* Nobody calls it. */
int alone(step s) { return s(4); }
int plain(int n) { return n; }
static step all[] = { first, second, third };
int main(int argc, char **argv) {
  struct machine m = { third, third, argc };
  (void)argv;
  return apply(second, argc) + run(&m) + all[argc & 1](3);
}
`;

describe("functions for pointers, by points-to sets", () => {
  let folder: string;
  let program: LinkedProgram;
  let image: ProgramImage;
  let bySets: FunctionsBehind;
  let byTypes: FunctionsBehind;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "tangent-behind-"));
    const file = join(folder, "unit.c");
    writeFileSync(file, SOURCE);
    const options = { env: process.env, clang: null, flags: [], compile: UNIT_COMPILE_OPTIONS };
    const loaded = await loadProgram([file], options);
    assert.ok(loaded.kind === "loaded");
    const linked = await loadLinkedProgram([file], options);
    assert.ok(linked.kind === "linked");
    image = loaded.image;
    program = linked.program;
    const graphOf = (pointers: "points-to" | "types") => {
      const bodies = countedBodies(program, linked.layout, UNIT_COMPILE_OPTIONS, image);
      return buildGraph(program, linked.layout, bodies, image, { ...DEFAULT_GRAPH_OPTIONS, pointers });
    };
    bySets = functionsBehind(program, graphOf("points-to"));
    byTypes = functionsBehind(program, graphOf("types"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What a unit's pointers to functions are, and why. */
  function pointersOf(name: string, behind?: FunctionsBehind): readonly string[] {
    const found = findUnit(program, name, null);
    assert.ok(found.kind === "found");
    const types = new UnitTypes(program, behind);
    const described = describeUnit(program, image, found.fn, DEFAULT_DESCRIBE_OPTIONS, types);
    assert.ok(described.kind === "described");
    return described.unit.fixed.map(({ words, value, why }) => `${words} = ${value}: ${why}`);
  }

  it("are those that the code behind the unit may call", () => {
    const only = "the only function of its type that may be called there";
    assert.deepEqual(pointersOf("apply", bySets), [`s = second: ${only}`]);
    assert.deepEqual(pointersOf("run", bySets), [`m->next = third: ${only}`, `m->stop = third: ${only}`]);
  });

  it("where nothing is known the type decides, as without a graph", () => {
    const first = "the first of 3 functions of its type";
    assert.deepEqual(pointersOf("apply"), [`s = first: ${first}`]);
    assert.deepEqual(pointersOf("apply", byTypes), [`s = first: ${first}`]);
    // No run of the program comes there, so the sets are empty.
    assert.deepEqual(pointersOf("alone", bySets), [`s = first: ${first}`]);
    assert.deepEqual(pointersOf("plain", bySets), []);
  });
});
