import { test } from "node:test";
import { assertPass } from "./body-fixture.js";
import { removeDeadCode } from "./dead-code.js";

test("dead code: pure instructions nobody needs go, also in circles; effects stay", () => {
  assertPass(
    `declare i32 @g()
declare i32 @llvm.ctpop.i32(i32)
define void @f(ptr %p, i32 %x, i32 %y) {
entry:
  %slot = alloca i32
  %a = add i32 %x, 1
  %b = mul i32 %a, 2
  %bits = call i32 @llvm.ctpop.i32(i32 %x)
  %kept = load i32, ptr %p
  %called = call i32 @g()
  %trap = udiv i32 %x, %y
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %m, %loop ]
  %m = add i32 %n, 1
  %c = icmp eq i32 %y, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}`,
    removeDeadCode,
    `entry:
  %0 = load i32, ptr %p, align 4
  %1 = call i32 @g()
  %2 = udiv i32 %x, %y
  br label %loop
loop:
  %3 = icmp eq i32 %y, 0
  br i1 %3, label %loop, label %exit
exit:
  ret void`,
  );
});
