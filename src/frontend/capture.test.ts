import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { writeArchive } from "./ar.js";
import { openCache } from "./cache.js";
import { extractBitcode, formatUncaptured, parseUncaptured, UNCAPTURED_SECTION } from "./capture.js";
import { type CaptureOptions, loadInputs } from "./capture-text.js";
import { parseElf, withSection } from "./elf.js";
import { findToolchain, targetArguments } from "./toolchain.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-capture-"));
after(() => rmSync(folder, { recursive: true }));
const found = findToolchain({ env: process.env });
if (found.kind === "missing") assert.fail(found.message);
const { toolchain } = found;
const options: CaptureOptions = { toolchain, cache: openCache(join(folder, "cache")), env: process.env };

function at(name: string): string {
  return join(folder, name);
}

function compile(name: string, source: string, ...flags: string[]): string {
  writeFileSync(at(`${name}.c`), source);
  const args = [...toolchain.clang.args, ...targetArguments(toolchain), "-c", ...flags, at(`${name}.c`)];
  execFileSync(toolchain.clang.file, [...args, "-o", at(`${name}.o`)]);
  return at(`${name}.o`);
}

const EMBED = ["-Xclang", "-fembed-bitcode=all"];
const first = compile("first", "int one(void) { return 1; }\n", ...EMBED);
const second = compile("second", "int two(void) { return 2; }\n", ...EMBED, "-O2");
const foreign = compile("foreign", "int three(void) { return 3; }\n");
execFileSync(toolchain.zig, ["ld.lld", "-r", first, second, "-o", at("linked.o")]);

async function names(...paths: string[]): Promise<string[]> {
  const loaded = await loadInputs(paths, options);
  if (loaded.kind === "failed") assert.fail(loaded.message);
  return loaded.modules.map(({ name, text }) => `${name}: ${/define .*@(\w+)\(/.exec(text)?.[1]}`);
}

async function failure(...paths: string[]): Promise<string> {
  const loaded = await loadInputs(paths, options);
  return loaded.kind === "failed" ? loaded.message : "";
}

test("capture: a linked file holds the modules of its objects, in order and unoptimised", async () => {
  assert.deepEqual(await names(at("linked.o")), [`${at("first.c")}: one`, `${at("second.c")}: two`]);
});

test("capture: the modules of an archive's members are found", async () => {
  const members = [first, second].map((path) => ({ name: "member.o", bytes: readFileSync(path) }));
  writeFileSync(at("lib.a"), writeArchive(members));
  assert.deepEqual(await names(at("lib.a")), [`${at("first.c")}: one`, `${at("second.c")}: two`]);
});

test("capture: sources, IR text and bitcode are inputs as well", async () => {
  const loaded = await loadInputs([at("first.c")], options);
  if (loaded.kind === "failed") assert.fail(loaded.message);
  writeFileSync(at("text.ll"), loaded.modules[0].text);
  const extracted = extractBitcode(second);
  if (extracted.kind === "failed") assert.fail(extracted.message);
  writeFileSync(at("two.bc"), extracted.modules[0]);
  assert.deepEqual(await names(at("text.ll"), at("two.bc"), at("first.c")), [
    `${at("text.ll")}: one`,
    `${at("second.c")}: two`,
    `${at("first.c")}: one`,
  ]);
});

test("capture: the second reading runs no compiler and gives the same text", async () => {
  const fresh = { ...options, cache: openCache(at("other-cache")) };
  const once = await loadInputs([at("linked.o")], fresh);
  let compiled = 0;
  const broken = { ...toolchain, clang: { file: "/nowhere/clang", args: [] } };
  const again = await loadInputs([at("linked.o")], { ...fresh, toolchain: broken, onProgress: () => compiled++ });
  assert.deepEqual(again, once);
  assert.equal(compiled, 0);
});

test("capture: a program behind libtool's wrapper script is found", async () => {
  mkdirSync(at(".libs"), { recursive: true });
  writeFileSync(at(".libs/wrapped"), readFileSync(first));
  writeFileSync(at("wrapped"), "#! /bin/sh\n# wrapped - temporary wrapper script for .libs/wrapped\n");
  assert.deepEqual(await names(at("wrapped")), [`${at("first.c")}: one`]);
});

test("capture: sources without IR are listed with their symbols and the reason", () => {
  const objects = [
    { source: "start.S", symbols: ["_start", "leave"], reason: "assembly" },
    { source: "nested.c", symbols: [], reason: 'line 3: "no"' },
  ];
  const content = Buffer.concat(objects.map(formatUncaptured));
  assert.deepEqual(parseUncaptured(content), objects);
  const elf = parseElf(readFileSync(foreign));
  if (elf.kind === "bad") assert.fail(elf.problem);
  writeFileSync(at("assembled.o"), withSection(elf.elf, UNCAPTURED_SECTION, content));
  const extracted = extractBitcode(at("assembled.o"));
  assert.deepEqual(extracted.kind === "captured" ? extracted.uncaptured : null, objects);
});

test("capture: each kind of unusable file is refused with what to do", async () => {
  writeFileSync(at("script"), "#!/bin/sh\nexit 0\n");
  writeFileSync(at("noise"), "no program at all");
  writeFileSync(at("empty"), "");
  writeFileSync(at("cut.o"), readFileSync(first).subarray(0, 700));
  writeFileSync(at("bad.bc"), Buffer.from("4243c0deffffffff00000000", "hex"));
  writeFileSync(at("wrong.c"), "int main(void) { return undeclared; }\n");
  assert.match(await failure(at("absent")), /absent: no such file/);
  assert.match(await failure(at("absent.c")), /absent\.c: no such file/);
  assert.match(await failure(folder), /is a directory/);
  assert.match(await failure(foreign), /was not built by `tangent cc`.*CC="tangent cc"/);
  assert.match(await failure(at("script")), /is a script/);
  assert.match(await failure(at("noise")), /neither an ELF file/);
  assert.match(await failure(at("empty")), /is empty/);
  assert.match(await failure(at("cut.o")), /cut short|lies outside|ends at/);
  assert.match(await failure(at("bad.bc")), /damaged/);
  assert.match(await failure(at("wrong.c")), /wrong\.c does not compile:\n.*undeclared/s);
  assert.match(await failure("x.cpp"), /C\+\+ is not supported/);
});

test("capture: damaged bitcode is a message, not a crash", async () => {
  const extracted = extractBitcode(first);
  if (extracted.kind === "failed") assert.fail(extracted.message);
  const damaged = Buffer.from(extracted.modules[0]);
  damaged.fill(0xa5, 100, 140);
  writeFileSync(at("damaged.bc"), damaged);
  assert.match(await failure(at("damaged.bc")), /damaged\.bc/);
});
