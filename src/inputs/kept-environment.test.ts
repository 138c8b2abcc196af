import assert from "node:assert/strict";
import { test } from "node:test";
import { keptEnvironment, loadedPieces, mentionsIn } from "./kept-environment.js";

const ENVIRONMENT = ["LANG=C", "HOME=/h", "GITHUB_TOKEN=ghp_1", "TOKEN=2", "EDITOR=vi", "LC_ALL=C", "TZ=UTC", "broken"];

function kept(strings: string): string[] {
  return keptEnvironment(ENVIRONMENT, mentionsIn([Buffer.from(strings, "latin1")])).map((one) => one.split("=")[0]);
}

test("environment: what no string of the program names is not kept, besides the locale and the time zone", () => {
  assert.deepEqual(kept("hello\0"), ["LANG", "LC_ALL", "TZ"]);
});

test("environment: a name may be the end of a longer string, as linkers merge them, but a secret's may not", () => {
  assert.deepEqual(kept("MY_HOME\0MY_TOKEN\0"), ["LANG", "HOME", "LC_ALL", "TZ"]);
  assert.deepEqual(kept("x\0TOKEN\0"), ["LANG", "TOKEN", "LC_ALL", "TZ"]);
});

test("environment: the last string of an image has lost its NUL", () => {
  assert.deepEqual(kept("x\0EDITOR"), ["LANG", "EDITOR", "LC_ALL", "TZ"]);
});

test("environment: a name with an equals sign is what a program compares environ with; a secret's must be bare", () => {
  assert.deepEqual(kept("EDITOR=\0GITHUB_TOKEN=\0"), ["LANG", "EDITOR", "LC_ALL", "TZ"]);
});

test("environment: a name with more behind it is another name", () => {
  assert.deepEqual(kept("EDITORS\0HOMES\0GITHUB_TOKEN=\0"), ["LANG", "LC_ALL", "TZ"]);
});

test("environment: of an executable only what is loaded counts, and a damaged one is no exception", () => {
  const elf = Buffer.alloc(64 + 56 + 32);
  elf.writeUInt32BE(0x7f454c46, 0);
  elf.writeBigUInt64LE(64n, 32);
  elf.writeUInt16LE(56, 54);
  elf.writeUInt16LE(1, 56);
  elf.writeUInt32LE(1, 64);
  elf.writeBigUInt64LE(120n, 64 + 8);
  elf.writeBigUInt64LE(16n, 64 + 32);
  elf.write("EDITOR\0", 121, "latin1");
  elf.write("TOKEN\0", 140, "latin1");
  const names = keptEnvironment(ENVIRONMENT, mentionsIn(loadedPieces(elf))).map((one) => one.split("=")[0]);
  assert.deepEqual(names, ["LANG", "EDITOR", "LC_ALL", "TZ"]);
  for (let length = 0; length < elf.length; length++) assert.ok(Array.isArray(loadedPieces(elf.subarray(0, length))));
});

test("environment: a program with a loader keeps its library path, and what libc reads for what it calls", () => {
  const given = ["LD_LIBRARY_PATH=/x/.libs", "POSIXLY_CORRECT=1", "PATH=/bin", "HOME=/root", "OTHER=1"];
  const mentions = mentionsIn([Buffer.from("getopt_long\0printf\0", "latin1")]);
  const names = (isDynamic: boolean): string[] =>
    keptEnvironment(given, mentions, isDynamic).map((one) => one.split("=")[0]);
  assert.deepEqual(names(true), ["LD_LIBRARY_PATH", "POSIXLY_CORRECT"]);
  assert.deepEqual(names(false), []);
});
