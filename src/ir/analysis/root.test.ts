import assert from "node:assert/strict";
import { test } from "node:test";
import { functionOf } from "../passes/body-fixture.js";
import { rootOf } from "./root.js";

const GLOBALS = "@a = global [10 x i32] zeroinitializer\n@b = global [10 x i32] zeroinitializer";

/** The root of what @f stores to last. */
function root(text: string): string {
  const { body } = functionOf(`${GLOBALS}\ndefine void @f(ptr %p, ptr %q, i64 %n, i1 %c) {\n${text}\n}`);
  const stores = body.blocks.flatMap(({ instructions }) => instructions.filter(({ op }) => op === "store"));
  const found = rootOf(stores[stores.length - 1].operands[1]);
  if (found === null) return "unknown";
  if (found.kind === "global") return found.target.name;
  return found.kind === "instruction" ? found.op : found.kind;
}

test("root: an address is computed from a variable however many steps there are", () => {
  const steps = "%x = getelementptr i32, ptr @a, i64 %n\n%y = getelementptr i8, ptr %x, i64 4";
  assert.equal(root(`${steps}\nstore i32 0, ptr %y\nret void`), "a");
  assert.equal(root("store i32 0, ptr %p\nret void"), "argument");
});

test("root: a pointer that goes round a loop is still in its array; one of two arrays is in neither", () => {
  const loop = (other: string): string => `
    br label %l
  l:
    %x = phi ptr [ @a, %0 ], [ %y, %l ]
    %z = select i1 %c, ptr %x, ptr ${other}
    %y = getelementptr i32, ptr %z, i64 1
    store i32 0, ptr %y
    br i1 %c, label %l, label %e
  e:
    ret void`;
  assert.equal(root(loop("@a")), "a");
  assert.equal(root(loop("@b")), "select");
});

test("root: a pointer that is moved by the distance of two objects leaves its object", () => {
  const moved = (from: string, to: string): string => `
    %f = ptrtoint ptr ${from} to i64
    %t = ptrtoint ptr ${to} to i64
    %d = sub i64 %t, %f
    %i = sdiv exact i64 %d, 4
    %x = getelementptr i32, ptr @a, i64 %i
    store i32 0, ptr %x
    ret void`;
  assert.equal(root(moved("@a", "%p")), "getelementptr");
  assert.equal(root(moved("%q", "%p")), "getelementptr");
  // How far a pointer has come in its own array is an index.
  assert.equal(root(`%m = getelementptr i32, ptr @b, i64 %n\n${moved("@b", "%m")}`), "a");
});

test("root: a pointer that is moved round a loop by where it is itself has one", () => {
  const text = `
    br label %l
  l:
    %x = phi ptr [ @a, %0 ], [ %y, %l ]
    %f = ptrtoint ptr %x to i64
    %t = ptrtoint ptr %p to i64
    %d = sub i64 %t, %f
    %y = getelementptr i8, ptr %x, i64 %d
    store i32 0, ptr %y
    br i1 %c, label %l, label %e
  e:
    ret void`;
  assert.equal(root(text), "getelementptr");
});
