import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { assembleSolver } from "../chain.js";

describe("independent parts of a query", () => {
  it("are not torn apart when the first bytes met are far beyond those known", () => {
    for (const first of [60, 127, 1000, 2092, 5000]) {
      const arena = new ExprArena();
      const bytes = [0, 1, 2, 3].map((k) => arena.variable(first + k));
      const word = bytes.slice(1).reduce<ExprRef>((low, byte) => arena.concat(byte, low), bytes[0]);
      const zero = (byte: ExprRef): ExprRef => arena.binary("eq", byte, arena.zero(8));
      const constraints = [arena.binary("slt", arena.constant(32, 124, 0), word), ...bytes.map(zero)];
      const verdict = assembleSolver(arena, {}).solve({ constraints, hint: new Uint8Array(0) });
      assert.equal(verdict.kind, "unsat", `from byte ${first} on`);
    }
  });
});
