import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Member, readArchive, writeArchive } from "./ar.js";
import { findToolchain } from "./toolchain.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-ar-"));
after(() => rmSync(folder, { recursive: true }));

const MEMBERS: Member[] = [
  { name: "short.o", bytes: Buffer.from("odd") },
  { name: "a-name-of-more-than-fifteen-characters.o", bytes: Buffer.from("even") },
  { name: "empty.o", bytes: Buffer.alloc(0) },
];

function members(bytes: Buffer, path = "x.a"): readonly Member[] {
  const result = readArchive(bytes, path);
  if (result.kind === "bad") assert.fail(result.problem);
  return result.members;
}

test("ar: what was written is read back, with long names and odd lengths", () => {
  assert.deepEqual(members(writeArchive(MEMBERS)), MEMBERS);
});

test("ar: archives and thin archives made by LLVM's ar are read", () => {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") assert.fail(found.message);
  for (const { name, bytes } of MEMBERS) writeFileSync(join(folder, name), bytes);
  const names = MEMBERS.map(({ name }) => name);
  for (const [mode, file] of [
    ["rcs", "fat.a"],
    ["rcsT", "thin.a"],
  ]) {
    execFileSync(found.toolchain.zig, ["ar", mode, file, ...names], { cwd: folder });
    const path = join(folder, file);
    assert.deepEqual(members(readFileSync(path), path), MEMBERS);
  }
});

test("ar: an archive cut short anywhere is a problem or has fewer members, never an exception", () => {
  const whole = writeArchive(MEMBERS);
  for (let length = 0; length < whole.length; length++) {
    const result = readArchive(whole.subarray(0, length), "x.a");
    if (result.kind === "archive") assert.ok(result.members.length < MEMBERS.length);
  }
});

function header(name: string, size: string): string {
  return `${name.padEnd(16)}${"0".padEnd(24)}${"644".padEnd(8)}${size.padEnd(10)}\`\n`;
}

test("ar: a member of less than nothing, or one that is a device, is a problem and no loop without end", () => {
  const negative = readArchive(Buffer.from(`!<arch>\n${header("x/", "-60")}`), "x.a");
  assert.ok(negative.kind === "bad" && /no proper header/.test(negative.problem));
  const names = "/dev/zero/\n\n";
  const endless = readArchive(
    Buffer.from(`!<thin>\n${header("//", String(names.length))}${names}${header("/0", "4")}`),
    "x.a",
  );
  assert.ok(endless.kind === "bad" && /cannot be read/.test(endless.problem));
});
