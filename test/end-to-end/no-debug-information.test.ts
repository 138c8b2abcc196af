// Programs compiled without -g: a stack names the program's own functions, from the IR, and nobody else's.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const TANGENT = resolve(import.meta.dirname, "../../../bin/tangent");
const directory = mkdtempSync(join(tmpdir(), "tangent-no-debug-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** `helper` and strcpy are inlined where they are called. */
const PROGRAM = `target triple = "x86_64-unknown-linux-musl"
@text = private constant [6 x i8] c"hello\\00"
declare ptr @malloc(i64)
declare ptr @strcpy(ptr, ptr)

define internal void @helper(ptr %p, i64 %n) {
  %at = getelementptr i8, ptr %p, i64 %n
  store i8 1, ptr %at
  ret void
}
define void @work(i32 %which) {
  %p = call ptr @malloc(i64 4)
  %direct = icmp eq i32 %which, 1
  br i1 %direct, label %one, label %two
one:
  call void @helper(ptr %p, i64 4)
  ret void
two:
  call ptr @strcpy(ptr %p, ptr @text)
  ret void
}
define i32 @main(i32 %argc, ptr %argv) {
  call void @work(i32 %argc)
  ret i32 0
}
`;

function stackOf(...args: string[]): string[] {
  const path = join(directory, "program.ll");
  writeFileSync(path, PROGRAM);
  const { stderr } = spawnSync(TANGENT, ["run", path, ...args], { encoding: "utf8", cwd: directory });
  const [first] = stderr.split("allocated at");
  assert.match(first, /heap-buffer-overflow/);
  return [...first.matchAll(/#\d+ (\S+)/g)].map(([, name]) => name);
}

test("an error of the program's own is in its own functions", () => {
  assert.deepEqual(stackOf(), ["helper", "work", "main"]);
});

test("an error in a function of libc names the program's function that called it", () => {
  const stack = stackOf("x");
  assert.deepEqual(stack.slice(stack.indexOf("strcpy")), ["strcpy", "work", "main"]);
});
