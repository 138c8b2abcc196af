import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ExprRef } from "../expr/ops.js";
import { printExpr } from "../expr/print.js";
import type { ProgramImage } from "../jit/image.js";
import { assembleSolver } from "../solver/chain.js";
import { DEFAULT_CONDITION_LIMITS, interpolateConditions } from "../solver/interpolate-conditions.js";
import { Engine } from "./engine.js";
import type { UnitCall, UnitHook } from "./unit-calls.js";
import { summaryOf } from "./unit-executor.js";
import { compileUnit, executorOf, unit } from "./unit-fixture.js";

const SOURCE = `
#include <string.h>
static char table[64];
static void put(int place, char value) { table[place] = value; }
static int measure(void) { return 3; }
struct request { int kind; int length; char text[8]; };

/* The check is there on one side only. */
int store(struct request *r, int trusted) {
  if (!trusted) {
    if (r->length < 0 || r->length > 60) return -1;
  }
  if (r->kind == 7) put(r->length + 2, 'x');
  else if (r->kind == 9) put(r->length & 31, 'y');
  return 0;
}
/* A callee's answer is multiplied in: it is in what is needed and on the path. */
int scaled(unsigned char a, unsigned char b) {
  int m = measure();
  if (m < 0 || m > 4) return -1;
  if (a > 5 || b > 20) return -2;
  put(a * m + b, 'z');
  return 0;
}
/* The bound is a callee's answer. */
int bounded(unsigned length) {
  unsigned most = measure();
  if (most > 30) return -1;
  if (length > most) return -2;
  put(length, 'w');
  return 0;
}
int main(void) { struct request r; memset(&r, 0, sizeof r); return store(&r, 0) + scaled(1, 2); }
`;

interface Contradicted {
  readonly how: string;
  readonly conjuncts: readonly string[];
}

/** Explores a caller; at each call of `put` what fails there is held against the path so far. */
function interpolantsOf(
  image: ProgramImage,
  description: ReturnType<typeof unit>,
  isShared: (object: string) => boolean,
  slack = 0,
): { contradicted: Contradicted[]; met: number; hidden: number } {
  const calls: ExprRef[][] = [];
  const hook: UnitHook = (call: UnitCall) => {
    const place = call.expressionOf(call.arguments[0][0]);
    const { arena } = call;
    // table[place] fails: place is not below 64, as an unsigned number; or place and something of the callee's own
    // below `slack`.
    const number = (value: number): ExprRef => arena.constant(32, value, 0);
    const own = slack === 0 ? number(0) : call.fresh(32);
    const bad = arena.not(arena.binary("ult", arena.binary("add", place, own), number(64)));
    calls.push(slack === 0 ? [bad] : [arena.binary("ult", own, number(slack)), bad]);
    return call.end(0);
  };
  const executor = executorOf(image, description, { summaries: true, hooks: [{ function: "put", hook }] });
  const { arena } = executor;
  const engine = new Engine(executor, { searcher: "dfs", solver: assembleSolver(arena, {}), checks: () => "off" });
  const contradicted: Contradicted[] = [];
  let met = 0;
  let hidden = 0;
  for (const event of engine.explore()) {
    if (event.kind !== "run-finished") continue;
    const summary = summaryOf(event.outcome);
    const needed = calls.splice(0);
    if (summary === null || !event.isPath) continue;
    const path = summary.path.map(({ condition }) => condition);
    const nameOf = (variable: number): string => {
      const object = event.outcome.objects.find(
        ({ firstVariable, size }) => variable >= firstVariable && variable < firstVariable + size,
      );
      return object === undefined ? "?" : `${object.name}+${variable - object.firstVariable}`;
    };
    for (const a of needed) {
      const found = interpolateConditions(arena, assembleSolver(arena, {}), a, path, (v) => isShared(nameOf(v)), {
        ...DEFAULT_CONDITION_LIMITS,
        timeMs: 20_000,
        verify: true,
      });
      if (found.kind === "compatible" && found.isSatisfiable) met++;
      else if (found.kind === "compatible") hidden++;
      else {
        assert.ok(found.kind === "interpolant", found.kind);
        const conjuncts = found.conjuncts.map((e) => printExpr(arena, e, nameOf));
        contradicted.push({ how: found.how, conjuncts });
      }
    }
  }
  return { contradicted, met, hidden };
}

describe("interpolants of real paths", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  it("what is needed stands against the check that one side has; the other side meets it", () => {
    const store = unit("store", { parameters: [{ kind: "object", size: 16 }, { kind: "symbolic" }] });
    const { contradicted, met } = interpolantsOf(image, store, () => true);
    const length = "{*param:0+7, {*param:0+6, {*param:0+5, *param:0+4}}}";
    // Kind 9 cuts the length: nothing fails there whatever is assumed.
    assert.deepEqual(contradicted.map(({ how, conjuncts }) => `${how}: ${conjuncts.join(" && ")}`).sort(), [
      `core-of-a: 63 < (${length} + 2)`,
      "core-of-a: false",
      "core-of-a: false",
    ]);
    assert.equal(met, 1);
  });

  it("what is a callee's answer on both sides is no interpolant of the caller's input", () => {
    const scaled = unit("scaled", {
      parameters: [{ kind: "symbolic" }, { kind: "symbolic" }],
      stubs: [{ function: "measure" }],
    });
    const ofParameters = interpolantsOf(image, scaled, isParameter);
    assert.deepEqual([ofParameters.contradicted.length, ofParameters.hidden], [0, 1]);
    const ofAll = interpolantsOf(image, scaled, () => true);
    assert.deepEqual([ofAll.contradicted.length, ofAll.contradicted[0].how, ofAll.hidden], [1, "core-of-a", 0]);
  });

  it("what is hidden on each side for itself is projected away", () => {
    const bounded = unit("bounded", { parameters: [{ kind: "symbolic" }], stubs: [{ function: "measure" }] });
    const { contradicted } = interpolantsOf(image, bounded, isParameter, 4);
    assert.deepEqual(contradicted, [
      { how: "projection", conjuncts: ["31 < {param:0+3, {param:0+2, {param:0+1, param:0+0}}}"] },
    ]);
  });
});

function isParameter(name: string): boolean {
  return name.startsWith("param:");
}
