import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeKTest, encodeKTest, isKTest } from "./ktest.js";

const ARGS = [Buffer.from("prog.bc"), Buffer.from("--sym-args"), Buffer.from([0xff, 0x20])];
const OBJECTS = [
  { name: "arg00", bytes: Uint8Array.of(0x2d, 0x61, 0) },
  { name: "größe", bytes: Uint8Array.of(0, 1, 2, 0xff) },
];

test("ktest: the bytes are those that KLEE writes", () => {
  const expected = [
    "4b54455354", // KTEST
    "00000003", // version
    "00000001", // one argument
    "00000002",
    "612e", // a.
    "00000000",
    "00000000",
    "00000001", // one object
    "00000001",
    "78", // x
    "00000004",
    "01000000",
  ].join("");
  const written = encodeKTest([Buffer.from("a.")], [{ name: "x", bytes: Uint8Array.of(1, 0, 0, 0) }]);
  assert.equal(Buffer.from(written).toString("hex"), expected);
});

test("ktest: what is written is read again", () => {
  const result = decodeKTest(encodeKTest(ARGS, OBJECTS));
  assert.equal(result.kind, "ktest");
  if (result.kind !== "ktest") return;
  assert.equal(result.ktest.version, 3);
  assert.deepEqual(
    result.ktest.args.map((arg) => Buffer.from(arg)),
    ARGS,
  );
  assert.deepEqual(
    result.ktest.objects.map(({ name, bytes }) => ({ name, bytes: Uint8Array.from(bytes) })),
    OBJECTS,
  );
});

test("ktest: files of version 1, which have no symArgvs, and of the old name are read", () => {
  const body = "00000001".concat("00000000", "00000001", "00000001", "79", "00000001", "07");
  const old = Buffer.concat([Buffer.from("BOUT\n"), Buffer.from(body, "hex")]);
  const result = decodeKTest(old);
  assert.equal(result.kind, "ktest");
  if (result.kind !== "ktest") return;
  assert.equal(result.ktest.objects[0].name, "y");
  assert.deepEqual([...result.ktest.objects[0].bytes], [7]);
});

test("ktest: a file cut off anywhere is an error that says where, and never an exception", () => {
  const whole = encodeKTest(ARGS, OBJECTS);
  for (let length = 0; length < whole.length; length++) {
    const result = decodeKTest(whole.subarray(0, length));
    assert.equal(result.kind, "corrupt", `${length} bytes`);
    if (result.kind !== "corrupt") continue;
    assert.match(result.message, /^at byte \d+: /);
    assert.ok(result.at <= length);
  }
});

test("ktest: a length that cannot be is named, and nothing is allocated for it", () => {
  const bytes = Buffer.from(encodeKTest([Buffer.from("a")], OBJECTS));
  bytes.writeUInt32BE(0xffff_fff0, 13);
  const result = decodeKTest(bytes);
  assert.equal(result.kind, "corrupt");
  if (result.kind !== "corrupt") return;
  assert.match(result.message, /at byte 13: argument 1 of 1 should have 4294967280 bytes, but \d+ are left/);
  bytes.writeUInt32BE(0x4000_0000, 9);
  const many = decodeKTest(bytes);
  assert.ok(many.kind === "corrupt" && /1073741824 arguments cannot fit/.test(many.message));
});

test("ktest: another kind of file and a version of the future are refused by name", () => {
  assert.equal(isKTest(Buffer.from("\x7fELF")), false);
  const other = decodeKTest(Buffer.from("#!/bin/sh\n"));
  assert.ok(other.kind === "corrupt" && other.message.includes("does not begin with KTEST"));
  const later = Buffer.from(encodeKTest([], []));
  later.writeUInt32BE(4, 5);
  const future = decodeKTest(later);
  assert.ok(future.kind === "corrupt" && future.message.includes("its version is 4"));
});
