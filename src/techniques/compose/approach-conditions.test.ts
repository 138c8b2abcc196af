import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { exportExpressions, type PortableLeaf } from "../../expr/portable.js";
import { reading } from "../../inputs/invocation-fixture.js";
import { loadModule } from "../../jit/load-module.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedOfInvocation } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { invocationOf } from "../../project/seed-test.js";
import { type UnitProgram, unitProgram } from "../unit/unit-program-fixture.js";
import { approachConditions } from "./approach-conditions.js";
import { composeSetup } from "./compose-setup-fixture.js";
import type { ApproachResult, CallCondition } from "./compose-work.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
struct state { int *room; int level; };
static int share(struct state *state, int parts) { return state->level / parts; }
static int never(int n) { return 10 / n; }
static unsigned mixed(unsigned n) { return (n * 2654435761u) >> 20; }
int main(void) {
  struct state state = {NULL, 5};
  int first, second;
  while (scanf("%d %d", &first, &second) == 2) {
    if (first < 0 || second < 0) return 1;
    state.level += mixed(first) & 7;
    never(1 + (first & 1));
    share(&state, first * 3 - second - 4000);
  }
  return 0;
}
`;

describe("edits towards what a function needs", () => {
  let unit: UnitProgram;
  let module: WebAssembly.Module;
  let root: string;
  let blobs: BlobStore;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), "tangent-approach-"));
    blobs = new BlobStore(new ProjectFolder(root));
    unit = await unitProgram(SOURCE);
    module = loadModule(unit.image);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const seedOf = (text: string): Seed =>
    seedOfInvocation(reading(text), { program: "/prog", programContent: "p" }, blobs);

  /** A word of an input object is this number. */
  const conditionOf = (name: string, line: number, words: Readonly<Record<string, number>>): CallCondition => {
    const arena = new ExprArena();
    const leaves: PortableLeaf[] = [];
    const roots = Object.entries(words).map(([object, value]): ExprRef => {
      const at = leaves.length;
      for (let offset = 0; offset < 4; offset++) leaves.push({ object, occurrence: 0, offset });
      let word: ExprRef = arena.variable(at);
      for (let k = 1; k < 4; k++) word = arena.concat(arena.variable(at + k), word);
      return arena.binary("eq", word, arena.constant(32, value, 0));
    });
    const index = unit.image.functions.findIndex((info) => info.name === name);
    const { file } = unit.image.functions[index];
    const target = { id: `${name} ${line}`, kind: "division-by-zero", file, line, functionName: name };
    const formula = exportExpressions(arena, roots, (variable) => leaves[variable]);
    const rest = { exact: null, realism: "input", texts: [], within: null, parts: [], chain: [] } as const;
    return { function: index, target, formula, ...rest, tried: 0, failed: 0 };
  };

  const approach = (conditions: readonly CallCondition[], texts: readonly string[], timeMs: number): ApproachResult => {
    const context = { image: unit.image, module, extra: {}, timeMs: 60_000, abort: { aborted: false }, tell: () => {} };
    const setup = composeSetup(root);
    const work = { kind: "approach", conditions, seeds: texts.map(seedOf), turn: 0, timeMs } as const;
    const outcome = approachConditions(work, setup, context, []);
    assert.ok(outcome.kind === "report");
    return outcome.report.result;
  };

  it("come nearer until the program fails there", () => {
    const zero = conditionOf("share", 5, { "param:1": 0 });
    const { found, runs } = approach([zero], ["7 9\n100 2\n"], 60_000);
    assert.deepEqual(
      found.map(({ condition }) => condition),
      [0],
    );
    assert.ok(runs > 1);
    const made = invocationOf(found[0].seed, blobs);
    assert.ok(made.kind === "invocation" && made.invocation.stdin.kind === "bytes");
    const numbers = Buffer.from(made.invocation.stdin.bytes).toString("latin1").match(/-?\d+/g)?.map(Number) ?? [];
    const isMet = numbers.some((first, n) => n % 2 === 0 && first * 3 - numbers[n + 1] === 4000);
    assert.ok(isMet, numbers.join(" "));
  });

  it("measure memory behind pointers, and say how near they came to what cannot be", () => {
    // A level of 5 and more is never 3; what hangs at the null pointer is not there.
    const level = conditionOf("share", 5, { "*param:0+8": 3 });
    const small = conditionOf("share", 5, { "*param:0": 0, "param:1": 0 });
    const absent = conditionOf("share", 5, { "*(*param:0+0)": 1 });
    const uncalled = conditionOf("main", 5, { "param:0": 77 });
    const { nearest, found } = approach([level, absent, uncalled, small], ["7 9\n"], 300);
    assert.equal(nearest[1], 1000);
    assert.equal(nearest.length, 4);
    assert.ok(nearest[3] < 12 || found.some(({ condition }) => condition === 3), `${nearest}`);
  });

  it("end for a condition that is met again and again without a failure", () => {
    const harmless = conditionOf("never", 6, { "param:0": 2 });
    const { found, nearest, runs } = approach([harmless], ["7 9\n"], 60_000);
    assert.deepEqual([found, nearest], [[], [0]]);
    assert.ok(runs < 5000, `${runs}`);
  });
});
