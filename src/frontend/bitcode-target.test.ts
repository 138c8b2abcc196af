import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { targetOf } from "./bitcode-target.js";
import { findToolchain } from "./toolchain.js";

function compiledFor(target: string): Buffer {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") assert.fail(found.message);
  const { file, args } = found.toolchain.clang;
  const words = [`--target=${target}`, "-g", "-O1", "-c", "-emit-llvm", "-x", "c", "-", "-o", "-"];
  return spawnSync(file, [...args, ...words], { input: "int f(int x) { return x; } int y = 3;\n" }).stdout;
}

test("bitcode target: a module's target is read as it was compiled", () => {
  assert.equal(targetOf(compiledFor("x86_64-linux-gnu")), "x86_64-unknown-linux-gnu");
  assert.equal(targetOf(compiledFor("x86_64-pc-linux-musl")), "x86_64-pc-linux-musl");
});

test("bitcode target: a module cut short anywhere or damaged has another target or none, and nothing throws", () => {
  const whole = compiledFor("x86_64-linux-gnu");
  for (let length = 0; length < whole.length; length += 97) targetOf(whole.subarray(0, length));
  for (let at = 0; at < Math.min(whole.length, 3000); at += 31) {
    const damaged = Buffer.from(whole);
    damaged[at] ^= 0xff;
    targetOf(damaged);
  }
  assert.equal(targetOf(Buffer.alloc(0)), null);
  assert.equal(targetOf(Buffer.alloc(4000, 0xff)), null);
});
