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
/* What is passed comes from the input by way of a callee's answer. */
int scaled(unsigned char a, unsigned char b) {
  int m = measure();
  if (m < 0 || m > 4) return -1;
  if (b > 20) return -2;
  put(a * m + b, 'z');
  return 0;
}
int main(void) { struct request r; memset(&r, 0, sizeof r); return store(&r, 0) + scaled(1, 2); }
`;

interface Contradicted {
  readonly how: string;
  readonly conjuncts: readonly string[];
}

/** Explores a caller; at each call of \`put\` what fails there is held against the path so far. */
function interpolantsOf(
  image: ProgramImage,
  description: ReturnType<typeof unit>,
  isShared: (object: string) => boolean,
): { contradicted: Contradicted[]; met: number; paths: number } {
  const calls: ExprRef[][] = [];
  const hook: UnitHook = (call: UnitCall) => {
    const place = call.expressionOf(call.arguments[0][0]);
    const { arena } = call;
    // table[place] fails: place is not below 64, as an unsigned number.
    calls.push([arena.not(arena.binary("ult", place, arena.constant(32, 64, 0)))]);
    return null;
  };
  const executor = executorOf(image, description, { summaries: true, hooks: [{ function: "put", hook }] });
  const { arena } = executor;
  const engine = new Engine(executor, { searcher: "dfs", solver: assembleSolver(arena, {}), checks: () => "off" });
  const contradicted: Contradicted[] = [];
  let met = 0;
  let paths = 0;
  for (const event of engine.explore()) {
    if (event.kind !== "run-finished") continue;
    const summary = summaryOf(event.outcome);
    const needed = calls.splice(0);
    if (summary === null || !event.isPath) continue;
    paths++;
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
      if (found.kind === "compatible") met++;
      else {
        assert.equal(found.kind, "interpolant");
        if (found.kind !== "interpolant") continue;
        const conjuncts = found.conjuncts.map((e) => printExpr(arena, e, nameOf));
        contradicted.push({ how: found.how, conjuncts });
      }
    }
  }
  return { contradicted, met, paths };
}

describe("interpolants of real paths", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  it("show", () => {
    const store = unit("store", {
      parameters: [{ kind: "object", size: 16 }, { kind: "symbolic" }],
    });
    console.log(
      JSON.stringify(
        interpolantsOf(image, store, () => true),
        null,
        1,
      ),
    );
    const scaled = unit("scaled", {
      parameters: [{ kind: "symbolic" }, { kind: "symbolic" }],
      stubs: [{ function: "measure" }],
    });
    console.log(
      JSON.stringify(
        interpolantsOf(image, scaled, (name) => name.startsWith("param")),
        null,
        1,
      ),
    );
  });
});
