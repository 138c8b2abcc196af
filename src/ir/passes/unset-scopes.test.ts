import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AllocaUses } from "../analysis/alloca-uses.js";
import { numberInstructions } from "../analysis/cfg.js";
import { DataLayout, X86_64_LAYOUT } from "../data-layout.js";
import type { Body } from "../values.js";
import { functionOf } from "./body-fixture.js";
import { settleDefinedness } from "./settle-definedness.js";
import { unsetAtScopes } from "./unset-scopes.js";

const layout = new DataLayout(X86_64_LAYOUT);

const bodyOf = (text: string): Body => functionOf(text).body;

describe("the beginning of a scope", () => {
  it("is a store of nothing in particular, of scalars that do not escape", () => {
    const body = bodyOf(`declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @use(ptr)
define i32 @f() {
  %x = alloca i32
  %y = alloca i32
  %z = alloca [4 x i32]
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  call void @llvm.lifetime.start.p0(i64 4, ptr %y)
  call void @llvm.lifetime.start.p0(i64 16, ptr %z)
  call void @use(ptr %y)
  %v = load i32, ptr %x
  ret i32 %v
}`);
    assert.equal(unsetAtScopes(new AllocaUses(body, layout, numberInstructions(body))), true);
    const stores = body.blocks[0].instructions.filter(({ op }) => op === "store");
    assert.deepEqual(
      stores.map(({ operands }) => [operands[0].kind, body.blocks[0].instructions.indexOf(operands[1] as never)]),
      [["undef", 0]],
    );
  });
});

describe("the runtime's question whether definedness is followed", () => {
  it("is a constant before anything is optimised", () => {
    const text = `declare i32 @__tangent_definedness()
define i32 @f() {
  %q = call i32 @__tangent_definedness()
  ret i32 %q
}`;
    for (const [follows, answer] of [
      [true, 1n],
      [false, 0n],
    ] as const) {
      const body = bodyOf(text);
      settleDefinedness(body, follows);
      assert.deepEqual(
        body.blocks[0].instructions.map(({ op }) => op),
        ["ret"],
      );
      const [value] = body.blocks[0].instructions[0].operands;
      assert.equal(value.kind === "int" ? value.value : null, answer);
    }
  });
});
