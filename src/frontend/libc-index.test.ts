import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeIndex, readIndex } from "./libc-index.js";
import { libcFolders, sourcePath } from "./libc-sources.js";
import { findToolchain } from "./toolchain.js";

test("libc index: the closure of a symbol holds what its source needs, and what those need, once", () => {
  const index = makeIndex({
    "musl/a.c": ["a", "b c"],
    "musl/b.c": ["b __b", "a"],
    "libc/c.c": ["c", "unknown"],
    "libc/d.c": ["d", ""],
  });
  assert.deepEqual(index.closure(["a"]), ["libc/c.c", "musl/a.c", "musl/b.c"]);
  assert.deepEqual(index.closure(["d", "unknown"]), ["libc/d.c"]);
  assert.equal(index.owner("__b"), "musl/b.c");
  assert.equal(index.owner("unknown"), null);
});

function theFolders() {
  const found = findToolchain({ env: {} });
  if (found.kind === "missing") assert.fail(found.message);
  return libcFolders(found.toolchain);
}

test("libc index: the one in runtime/ names sources that exist and none of ours is missing", () => {
  const folders = theFolders();
  const index = readIndex(folders.runtime);
  const missing = index.sources.filter((source) => !existsSync(sourcePath(folders, source)));
  assert.deepEqual(missing, [], "run `npm run libc:index`");
  for (const group of ["glibc", "libc", "symbolic", "trusted"]) {
    for (const name of readdirSync(join(folders.runtime, group)).filter((file) => file.endsWith(".c"))) {
      assert.ok(
        index.sources.some((source) => source === `${group}/${name}`),
        `run \`npm run libc:index\`: ${name}`,
      );
    }
  }
});

test("libc index: what C prescribes is there, and what the JIT provides is not", () => {
  const index = readIndex(theFolders().runtime);
  for (const [symbol, owner] of [
    ["strlen", "libc/string-scan.c"],
    ["malloc", "trusted/heap.c"],
    ["printf", "musl/stdio/printf.c"],
    ["sin", "zig/math.zig"],
    ["__muldc3", "zig/complex.zig"],
    ["exit", "libc/exit.c"],
    ["klee_make_symbolic", "symbolic/klee.c"],
    ["__VERIFIER_nondet_int", "symbolic/verifier.c"],
    ["main", "symbolic/fuzzer-main.c"],
  ]) {
    assert.equal(index.owner(symbol), owner);
  }
  for (const symbol of ["setjmp", "_setjmp", "sigsetjmp", "longjmp", "siglongjmp"])
    assert.equal(index.owner(symbol), null);
});
