import assert from "node:assert/strict";
import { test } from "node:test";
import { GLIBC_PREFIX } from "../support/library-names.js";
import { glibcNames, isGlibcModule, parseGlibcSymbols, readGlibcSymbols, wayOf } from "./glibc-names.js";
import { readIndex } from "./libc-index.js";
import { libcFolders } from "./libc-sources.js";
import { findToolchain } from "./toolchain.js";

const found = findToolchain({ env: {} });
if (found.kind === "missing") assert.fail(found.message);
const { runtime } = libcFolders(found.toolchain);

test("glibc's names: the table says of each name what is true", () => {
  const index = readIndex(runtime);
  const wrong: string[] = [];
  for (const { name, way, other } of readGlibcSymbols(runtime)) {
    const right = way === "as" ? other !== null && wayOf(other, index) !== "missing" : way === wayOf(name, index);
    if (!right) wrong.push(`${name} ${way}`);
  }
  assert.deepEqual(wrong, [], "run scripts/glibc-symbols.ts");
});

test("glibc's names: whatever runtime/glibc defines for programs is in the table", () => {
  const index = readIndex(runtime);
  const table = new Set(readGlibcSymbols(runtime).map(({ name }) => name));
  const targets = new Set(readGlibcSymbols(runtime).map(({ other }) => other));
  const unknown = [...index.symbols].filter(
    (symbol) =>
      index.owner(symbol)?.startsWith("glibc/") &&
      !symbol.startsWith(`${GLIBC_PREFIX}regex_`) &&
      !table.has(symbol.slice(GLIBC_PREFIX.length)) &&
      !targets.has(symbol),
  );
  assert.deepEqual(unknown, [], "run scripts/glibc-symbols.ts");
});

test("glibc's names: every symbol of runtime/glibc has the prefix, so that no other program can meet it", () => {
  const index = readIndex(runtime);
  const own = [...index.symbols].filter((symbol) => index.owner(symbol)?.startsWith("glibc/"));
  assert.ok(own.length > 150);
  assert.deepEqual(
    own.filter((symbol) => !symbol.startsWith(GLIBC_PREFIX)),
    [],
  );
});

test("glibc's names: adapted and new ones get the prefix, others another name or their own", () => {
  const name = glibcNames(runtime);
  assert.equal(name("strerror"), "glibc_strerror");
  assert.equal(name("error"), "glibc_error");
  assert.equal(name("fopen64"), "fopen");
  assert.equal(name("strlen"), "strlen");
  assert.equal(name("no_such_function"), "no_such_function");
});

test("glibc's names: the table's form", () => {
  assert.deepEqual(parseGlibcSymbols("# words\na same\nb as c\n"), [
    { name: "a", way: "same", other: null },
    { name: "b", way: "as", other: "c" },
  ]);
});

test("glibc's names: a module's target says which libc it was made for", () => {
  const module = (target: string): string =>
    `source_filename = "a.c"\ntarget triple = "${target}"\n\ndefine i32 @main() {\n`;
  for (const target of ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu", "x86_64-linux-gnu"]) {
    assert.equal(isGlibcModule(module(target)), true);
  }
  assert.equal(isGlibcModule(module("x86_64-unknown-linux-musl")), false);
  assert.equal(isGlibcModule("define i32 @main() {\n"), false);
});
