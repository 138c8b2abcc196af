import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { contentOf, type Elf, parseElf, symbolsOf, withSection, withSymbolsRenamed } from "./elf.js";
import { findToolchain, targetArguments } from "./toolchain.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-elf-"));
after(() => rmSync(folder, { recursive: true }));
const found = findToolchain({ env: process.env });
if (found.kind === "missing") assert.fail(found.message);
const { toolchain } = found;

const SOURCE = "int counter = 3; static int hidden(void) { return counter; } extern int away(void);\n";
const BODY = "int visible(void) { return hidden() + away(); } __attribute__((weak)) int feeble(void) { return 1; }\n";
const object = join(folder, "small.o");
writeFileSync(join(folder, "small.c"), SOURCE + BODY);
execFileSync(toolchain.clang.file, [
  ...toolchain.clang.args,
  ...targetArguments(toolchain),
  "-c",
  join(folder, "small.c"),
  "-o",
  object,
]);
const bytes = readFileSync(object);

function parsed(content: Buffer): Elf {
  const result = parseElf(content);
  if (result.kind === "bad") assert.fail(result.problem);
  return result.elf;
}

test("elf: symbols come with kind, binding and whether they are defined", () => {
  const symbols = symbolsOf(parsed(bytes));
  const shape = (name: string) => {
    const symbol = symbols.find((candidate) => candidate.name === name);
    return symbol && [symbol.kind, symbol.binding, symbol.defined];
  };
  assert.deepEqual(shape("visible"), ["function", "global", true]);
  assert.deepEqual(shape("hidden"), ["function", "local", true]);
  assert.deepEqual(shape("feeble"), ["function", "weak", true]);
  assert.deepEqual(shape("counter"), ["object", "global", true]);
  assert.deepEqual(shape("away"), ["none", "global", false]);
});

test("elf: a section is added, then replaced, and all others keep their content", () => {
  const before = parsed(bytes);
  const added = parsed(withSection(before, ".note.test", Buffer.from("first")));
  assert.equal(contentOf(added, ".note.test")?.toString(), "first");
  const replaced = parsed(withSection(added, ".note.test", Buffer.from("the second, longer")));
  assert.equal(contentOf(replaced, ".note.test")?.toString(), "the second, longer");
  assert.equal(replaced.sections.length, before.sections.length + 1);
  for (const { name } of before.sections) {
    if (name === ".strtab" || name === ".shstrtab") continue;
    assert.deepEqual(contentOf(replaced, name), contentOf(before, name), name);
  }
  assert.deepEqual(symbolsOf(replaced), symbolsOf(before));
});

test("elf: a renamed symbol keeps everything but its name", () => {
  const before = symbolsOf(parsed(bytes));
  const names = new Map([["visible", "renamed_and_longer"]]);
  const after = symbolsOf(parsed(withSymbolsRenamed(parsed(bytes), names)));
  assert.deepEqual(
    after,
    before.map((symbol) => ({ ...symbol, name: names.get(symbol.name) ?? symbol.name })),
  );
});

test("elf: a linker joins added sections", () => {
  const [first, second, joined] = ["first.o", "second.o", "joined.o"].map((name) => join(folder, name));
  writeFileSync(first, withSection(parsed(bytes), ".note.test", Buffer.from("one.")));
  execFileSync(toolchain.clang.file, [...toolchain.clang.args, "-c", "-x", "c", "/dev/null", "-o", second]);
  writeFileSync(second, withSection(parsed(readFileSync(second)), ".note.test", Buffer.from("two.")));
  const link = spawnSync(toolchain.zig, ["ld.lld", "-r", first, second, "-o", joined], { encoding: "utf8" });
  assert.equal(link.status, 0, link.stderr);
  assert.equal(contentOf(parsed(readFileSync(joined)), ".note.test")?.toString(), "one.two.");
});

test("elf: a file cut short anywhere is a problem, never an exception", () => {
  for (let length = 0; length < bytes.length; length += 7) {
    const result = parseElf(bytes.subarray(0, length));
    assert.equal(result.kind, "bad", `${length} bytes of ${bytes.length}`);
  }
});

test("elf: damaged headers are a problem or another file, never an exception", () => {
  for (let at = 4; at < bytes.length; at += 3) {
    const damaged = Buffer.from(bytes);
    damaged[at] ^= 0xff;
    const result = parseElf(damaged);
    if (result.kind === "elf") symbolsOf(result.elf);
  }
});

/** An ELF file with a table of names and so many sections of some size over it, each of the name at that offset. */
function crafted(names: Buffer, count: number, size: number, nameOf: (index: number) => number): Buffer {
  const header = Buffer.alloc(64);
  header.write("\x7fELF\x02\x01\x01", "latin1");
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(62, 18);
  header.writeBigUInt64LE(BigInt(64 + names.length), 40);
  header.writeUInt16LE(64, 58);
  header.writeUInt16LE(count + 2, 60);
  header.writeUInt16LE(1, 62);
  const table = Buffer.alloc(64 * (count + 2));
  for (let index = 1; index < count + 2; index++) {
    table.writeUInt32LE(index === 1 ? 0 : nameOf(index), 64 * index);
    table.writeUInt32LE(1, 64 * index + 4);
    table.writeBigUInt64LE(64n, 64 * index + 24);
    table.writeBigUInt64LE(BigInt(index === 1 ? names.length : size), 64 * index + 32);
  }
  return Buffer.concat([header, names, table]);
}

test("elf: sections that are all of the file, a thousand times, are refused", () => {
  const file = crafted(Buffer.concat([Buffer.from("\0.llvmbc\0"), Buffer.alloc(1 << 20)]), 1000, 1 << 20, () => 1);
  const result = parseElf(file);
  assert.ok(result.kind === "bad" && /'\.llvmbc' together are larger/.test(result.problem));
});

test("elf: names without an end are cut, so that a thousand of them are not a thousand files", () => {
  const { sections } = parsed(crafted(Buffer.alloc(1 << 20, "B"), 1000, 0, (index) => index));
  assert.ok(sections.every(({ name }) => name.length <= 0x400));
});
