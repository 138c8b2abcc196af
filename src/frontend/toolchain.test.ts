import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bitcodeToText, compilerEnvironment, compileToText, findToolchain, type Toolchain } from "./toolchain.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-toolchain-"));
after(() => rmSync(folder, { recursive: true }));
const source = join(folder, "small.c");
writeFileSync(
  source,
  "#include <assert.h>\n#include <stdarg.h>\n#include <stdio.h>\nint main(int c, char **v) { assert(c < 9); puts(v[0]); return c + 1; }\n",
);

function theToolchain(clang?: string): Toolchain {
  const result = findToolchain({ env: {}, clang: clang ?? null });
  if (result.kind === "missing") assert.fail(result.message);
  return result.toolchain;
}

function compile(toolchain: Toolchain, flags: string[] = []): string {
  const output = join(folder, "small.ll");
  const command = compileToText(toolchain, source, output, flags);
  execFileSync(command.file, [...command.args], { env: compilerEnvironment(process.env) });
  return readFileSync(output, "utf8");
}

test("toolchain: the clang inside zig makes unoptimised IR for musl on x86-64", () => {
  const text = compile(theToolchain());
  assert.match(text, /target triple = "x86_64-unknown-linux-musl"/);
  assert.match(text, /%\d+ = alloca i32/);
  assert.match(text, /!DILocation\(line: 4/);
  assert.doesNotMatch(text, /optnone/);
});

test("toolchain: assertions stay and UBSan is absent unless asked for", () => {
  assert.match(compile(theToolchain()), /call void @__assert_fail/);
  assert.doesNotMatch(compile(theToolchain()), /ubsan/);
  const sanitised = compile(theToolchain(), ["-fsanitize=signed-integer-overflow", "-fsanitize-trap=all"]);
  assert.match(sanitised, /llvm\.ubsantrap/);
});

test("toolchain: bitcode becomes the text it was made from", () => {
  const toolchain = theToolchain();
  const text = compile(toolchain);
  const bitcode = join(folder, "small.bc");
  const { file, args } = compileToText(toolchain, source, bitcode);
  execFileSync(
    file,
    args.map((argument) => (argument === "-S" ? "-c" : argument)),
  );
  const back = bitcodeToText(toolchain, bitcode, "-");
  const printed = execFileSync(back.file, [...back.args], { encoding: "utf8" });
  assert.equal(printed.replace(/^.*\n/, ""), text.replace(/^.*\n/, ""));
});

test("toolchain: a clang that does not exist is named in the message", () => {
  const result = findToolchain({ env: { TANGENT_CLANG: "/nowhere/clang" } });
  assert.equal(result.kind, "missing");
  assert.match(result.kind === "missing" ? result.message : "", /\/nowhere\/clang.*TANGENT_CLANG/);
});

test("toolchain: without the npm package the message says how to get it", () => {
  const result = findToolchain({ env: {}, from: "file:///nowhere/x.js" });
  assert.match(result.kind === "missing" ? result.message : "", /@zigc\/cli.*npm install/);
});

for (const version of [14, 15, 16]) {
  const name = `clang-${version}`;
  const installed = spawnSync(name, ["--version"]).status === 0;
  const skip = installed ? false : `${name} is not installed`;
  if (version < 15) {
    test(`toolchain: ${name} is refused because it is too old`, { skip }, () => {
      const result = findToolchain({ env: {}, clang: name });
      assert.match(result.kind === "missing" ? result.message : "", /version 15 or later/);
    });
  } else {
    test(`toolchain: ${name} compiles against zig's musl headers`, { skip }, () => {
      assert.match(compile(theToolchain(name)), /call i32 @puts\(ptr/);
    });
  }
}
