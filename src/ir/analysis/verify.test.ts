import assert from "node:assert/strict";
import { test } from "node:test";
import { functionOf } from "../passes/body-fixture.js";
import { I32 } from "../types.js";
import { constInt, instruction } from "../values.js";
import { verify } from "./verify.js";

const TEXT = `
define i32 @f(i1 %c, i32 %x) {
entry:
  br i1 %c, label %left, label %join
left:
  %a = add i32 %x, 1
  br label %join
join:
  %v = phi i32 [ %a, %left ], [ 0, %entry ]
  ret i32 %v
}`;

test("verify: a well-formed body has no problems", () => {
  assert.deepEqual(verify(functionOf(TEXT).body), []);
});

test("verify: a use that its definition does not dominate is found", () => {
  const { body } = functionOf(TEXT);
  const [, left, join] = body.blocks;
  join.terminator.operands = [left.instructions[0]];
  assert.match(verify(body).join(), /does not dominate its use/);
});

test("verify: a phi that lacks a predecessor is found", () => {
  const { body } = functionOf(TEXT);
  const phi = body.blocks[2].instructions[0];
  phi.operands.pop();
  phi.blocks.pop();
  assert.match(verify(body).join(), /predecessors are/);
});

test("verify: a terminator in the middle of a block is found", () => {
  const { body } = functionOf(TEXT);
  body.blocks[1].instructions.unshift(instruction("unreachable", I32, [], null));
  assert.match(verify(body).join(), /terminator/);
});

test("verify: operands of the wrong type are found", () => {
  const { body } = functionOf(TEXT);
  body.blocks[1].instructions[0].operands[1] = constInt(64, 1);
  assert.match(verify(body).join(), /i64 where i32 is needed/);
});

test("verify: values of another body are found", () => {
  const { body } = functionOf(TEXT);
  const other = functionOf(TEXT).body;
  body.blocks[1].instructions[0].operands = [other.args[1], other.blocks[1].instructions[0]];
  assert.match(verify(body).join(), /foreign argument.*not in the body/);
});
