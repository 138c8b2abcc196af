import { describe, test } from "node:test";
import { assertPass } from "./body-fixture.js";
import { splitJumps } from "./split-jumps.js";

describe("splitJumps", () => {
  test("every goto gets its own branch over all labels", () => {
    assertPass(
      `define i32 @f(ptr %p, ptr %q) {
a:
  br label %shared
b:
  br label %shared
shared:
  %to = phi ptr [ %p, %a ], [ %q, %b ]
  indirectbr ptr %to, [label %b, label %c]
c:
  ret i32 0
}`,
      splitJumps,
      `a:
indirectbr ptr %p, [label %b, label %c]
b:
indirectbr ptr %q, [label %b, label %c]
c:
ret i32 0`,
    );
  });

  test("a branch behind a choice stays shared", () => {
    const text = `a:
br i1 %x, label %shared, label %b
b:
br label %shared
shared:
%0 = phi ptr [ %p, %a ], [ %p, %b ]
indirectbr ptr %0, [label %b, label %c]
c:
ret i32 0`;
    assertPass(`define i32 @f(ptr %p, i1 %x) {\n${text}\n}`, splitJumps, text);
  });
});
