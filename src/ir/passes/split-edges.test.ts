import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orderBlocks } from "../analysis/cfg.js";
import { verify } from "../analysis/verify.js";
import { parseModule } from "../text/parse-module.js";
import type { Body } from "../values.js";
import { splitEdges } from "./split-edges.js";

function bodyOf(text: string): Body {
  const fn = parseModule(text, { name: "test", origin: "program" }).globals.get("f");
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody();
  assert.ok(body !== null);
  orderBlocks(body);
  return body;
}

describe("splitting edges", () => {
  it("an if without else gets a block for its other side, and the phi follows", () => {
    const body = bodyOf(`define i32 @f(i1 %c, i32 %a) {
 br i1 %c, label %then, label %join
then:
 %b = add i32 %a, 1
 br label %join
join:
 %r = phi i32 [ %a, %0 ], [ %b, %then ]
 ret i32 %r
}
`);
    assert.equal(splitEdges(body), 1);
    assert.deepEqual(verify(body), []);
    assert.equal(body.blocks.length, 4);
  });

  it("cases of a switch that go to one place share their block", () => {
    const body = bodyOf(`define i32 @f(i32 %a) {
 switch i32 %a, label %join [ i32 1, label %join
 i32 2, label %two
 i32 3, label %two ]
two:
 br label %join
join:
 ret i32 0
}
`);
    assert.equal(splitEdges(body), 1);
    assert.deepEqual(verify(body), []);
  });

  it("a branch whose sides are blocks of their own stays as it is", () => {
    const body = bodyOf(`define i32 @f(i1 %c) {
 br i1 %c, label %then, label %else
then:
 ret i32 1
else:
 ret i32 0
}
`);
    assert.equal(splitEdges(body), 0);
    assert.equal(body.blocks.length, 3);
  });
});
