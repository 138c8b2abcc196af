import assert from "node:assert/strict";
import { test } from "node:test";
import { keepOwnAliases, stripText, symbolsOf } from "./libc-text.js";

const TEXT = `; ModuleID = 'x.c'
source_filename = "x.c"

@shown = dso_local global i32 1, align 4
@hidden = internal global i32 2, align 4
@.str = private unnamed_addr constant [3 x i8] c"a;b", align 1
@environ = external global ptr, align 8
@maybe = extern_weak global i32, align 4
@other = weak dso_local alias i32, ptr @shown
@"strange name" = common global i8 0

; Function Attrs: nounwind
define dso_local i32 @f(i32 noundef %0) #0 {
  br label %2

2:                                                ; preds = %1
  %3 = call i32 @g(i32 %0) #1
  ret i32 %3
}

define weak void @h() {
  call void asm sideeffect "", "r,~{memory}"(i32 1)
  ret void
}

define internal void @static_one() {
  ret void
}

declare i32 @g(i32) #1
declare double @llvm.pow.f64(double, double)

attributes #0 = { nounwind "target-cpu"="x86-64" "no-builtins" "target-features"="+sse,+sse2" }
attributes #1 = { nobuiltin noreturn "no-builtins" }
`;

test("libc text: comments, blank lines, string attributes and empty assembly are dropped, all else stays", () => {
  const stripped = stripText(TEXT);
  assert.doesNotMatch(stripped, /preds|ModuleID|Function Attrs|target-cpu|no-builtins|nobuiltin|asm/);
  assert.match(stripped, /^2:$/m);
  assert.match(stripped, /c"a;b"/);
  assert.match(stripped, /^attributes #0 = \{ nounwind \}$/m);
  assert.match(stripped, /^attributes #1 = \{ noreturn \}$/m);
  assert.match(stripped, /ret i32 %3/);
});

test("libc text: symbols are told apart by strength, and intrinsics and weak references are not needs", () => {
  assert.deepEqual(symbolsOf(TEXT), {
    strong: ["shown", "f"],
    weak: ["other", "strange name", "h"],
    undefined: ["environ", "g"],
    intrinsics: ["llvm.pow.f64"],
  });
  assert.deepEqual(symbolsOf(stripText(TEXT)), symbolsOf(TEXT));
});

test("libc text: aliases of symbols that another source owns are removed", () => {
  const text = "@a = weak_odr hidden alias void (), ptr @x.a\n@b = weak_odr hidden alias void (), ptr @x.b\n";
  assert.equal(
    keepOwnAliases(text, (symbol) => symbol === "b"),
    "@b = weak_odr hidden alias void (), ptr @x.b\n",
  );
});
