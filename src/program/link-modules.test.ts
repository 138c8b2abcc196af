import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openCache } from "../frontend/cache.js";
import { openLibc } from "../frontend/libc.js";
import { findToolchain } from "../frontend/toolchain.js";
import { DEFAULT_COMPILE_OPTIONS } from "../jit/options.js";
import { linkModules } from "./link-modules.js";

const MAIN = `declare ptr @strsignal(i32)
declare void @sync()
define i32 @main() {
  %1 = call ptr @strsignal(i32 1)
  call void @sync()
  ret i32 0
}
`;
const OWN_STRSIGNAL = "define ptr @strsignal(i32 %0) {\n  ret ptr null\n}\n";

/** The functions of a program of such modules, its libc included. */
async function functionsOf(target: string, texts: readonly string[]): Promise<readonly string[]> {
  const found = findToolchain({ env: {} });
  if (found.kind === "missing") assert.fail(found.message);
  const folder = mkdtempSync(join(tmpdir(), "tangent-link-test-"));
  try {
    const libc = openLibc({ toolchain: found.toolchain, cache: openCache(folder), env: process.env, jobs: 2 });
    const modules = texts.map((text, k) => ({ name: `${k}.c`, text: `target triple = "${target}"\n${text}` }));
    const linked = await linkModules(modules, libc, { compile: DEFAULT_COMPILE_OPTIONS });
    if (linked.kind === "failed") assert.fail(linked.message);
    return linked.program.functions.map(({ name }) => name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("linking: a program made for glibc gets what runtime/glibc has, and the rest as ever", async () => {
  const names = await functionsOf("x86_64-unknown-linux-gnu", [MAIN]);
  assert.ok(names.includes("glibc_strsignal") && names.includes("sync"));
  assert.ok(!names.includes("strsignal"));
});

test("linking: a program made for musl never sees runtime/glibc", async () => {
  const names = await functionsOf("x86_64-unknown-linux-musl", [MAIN]);
  assert.ok(names.includes("strsignal"));
  assert.deepEqual(
    names.filter((name) => name.startsWith("glibc_")),
    [],
  );
});

test("linking: what a program made for glibc defines itself stays its own", async () => {
  const names = await functionsOf("x86_64-unknown-linux-gnu", [MAIN, OWN_STRSIGNAL]);
  assert.ok(names.includes("strsignal"));
  assert.ok(!names.includes("glibc_strsignal"));
});
