import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Finding } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import { FileWriter } from "./file-writer.js";
import { decodeKTest } from "./ktest.js";
import { openFolder } from "./open-folder.js";
import { type PathRecord, RunFolder, type RunFolderOptions } from "./run-folder.js";

const base = mkdtempSync(join(tmpdir(), "tangent-folder-"));
after(() => rmSync(base, { recursive: true }));

const FINDING: Finding = {
  kind: "division-by-zero",
  access: null,
  size: 0,
  address: null,
  firstBadAddress: null,
  stack: [{ functionName: "main", origin: "program", file: "/src/a.c", line: 3, column: 1 }],
  userFrame: 0,
  object: null,
  message: "a division by zero",
  check: null,
  confirmed: true,
};

const IDENTITY: FindingIdentity = {
  id: "0123456789ab",
  group: "123456789abc",
  formerId: "3456789abcde",
  fingerprint: "23456789abcd",
  identity: "prog | division-by-zero | main at a.c:3:1",
  cause: "division-by-zero | main at a.c:3",
  place: "main at a.c:3:1",
};

function runFolder(name: string, more: Partial<RunFolderOptions> = {}): RunFolder {
  return new RunFolder(
    {
      program: "./prog",
      programPath: "/bin/cat",
      native: true,
      inputs: { ...NO_INPUTS, stdin: 2 },
      producer: "tangent 1",
      writeAll: false,
      mostPlainTests: 2,
      testsBefore: 0,
      findingsBefore: 0,
      startedAt: new Date(0),
      ...more,
    },
    new FileWriter(join(base, name)),
  );
}

const path = (text: string, more: Partial<PathRecord> = {}): PathRecord => ({
  objects: [{ name: "stdin", occurrence: 0, bytes: Buffer.from(text) }],
  coversNew: false,
  finding: null,
  end: "exit 0",
  instructions: 10,
  elapsedMs: 5,
  ...more,
});

test("run folder: a path that covers new code has a test, its raw bytes, and a place in the suite", () => {
  const folder = runFolder("new");
  assert.equal(folder.addPath(path("ab", { coversNew: true })), "test000001");
  folder.update({});
  const at = (name: string): Buffer => readFileSync(join(base, "new", name));
  assert.equal(at("inputs/test000001.stdin").toString(), "ab");
  assert.match(at("test-suite/metadata.xml").toString(), /<programhash>[0-9a-f]{64}</);
  assert.match(at("test-suite/testcase-1.xml").toString(), /0x6162/);
  assert.equal(at("tests.csv").toString(), "test,end,covers_new,instructions,seconds\ntest000001,exit 0,1,10,0.005\n");
  const decoded = decodeKTest(at("test000001.ktest"));
  assert.ok(decoded.kind === "ktest" && decoded.ktest.objects[0].name === "stdin");
});

test("run folder: other paths have a test until the limit, and are counted after it", () => {
  const folder = runFolder("plain");
  for (let i = 0; i < 5; i++) if (folder.wants(false)) folder.addPath(path("xy"));
  assert.ok(folder.wants(true));
  assert.equal(folder.addPath(path("zz", { coversNew: true })), "test000003");
  assert.equal(folder.testsSkipped, 3);
  assert.deepEqual(readdirSync(join(base, "plain")).filter((name) => name.endsWith(".ktest")).length, 3);
  const all = runFolder("all", { writeAll: true });
  for (let i = 0; i < 5; i++) if (all.wants(false)) all.addPath(path("xy"));
  assert.equal(all.testsWritten, 5);
});

test("run folder: a finding has KLEE's error text beside its test, and a folder that reproduces it", () => {
  const folder = runFolder("bug");
  folder.addPath(path("0\n", { finding: FINDING, end: FINDING.kind }));
  const name = folder.addFinding(FINDING, IDENTITY, path("0\n").objects);
  assert.equal(name, "findings/001-division-by-zero");
  assert.match(
    readFileSync(join(base, "bug/test000001.div.err"), "utf8"),
    /^Error: divide by zero\nFile: \/src\/a.c\nLine: 3\n/,
  );
  assert.match(
    readFileSync(join(base, "bug", name, "report.txt"), "utf8"),
    /division-by-zero.*stdin \(2 bytes\): "0\\n"/s,
  );
  const json = JSON.parse(readFileSync(join(base, "bug", name, "finding.json"), "utf8"));
  assert.equal(json.input.stdin, "300a");
  // The program is cat: it must print what the finding's input is.
  const { stdout } = spawnSync(join(base, "bug", name, "reproduce.sh"));
  assert.equal(String(stdout), "0\n");
});

test("open folder: the first free number, and tangent-last points to it", () => {
  const where = join(base, "numbers");
  mkdirSync(where);
  const first = openFolder(where, null, false);
  const second = openFolder(where, null, false);
  assert.ok(first.kind === "opened" && first.folder === join(where, "tangent-out-1"));
  assert.ok(second.kind === "opened" && second.folder === join(where, "tangent-out-2"));
  assert.equal(readlinkSync(join(where, "tangent-last")), "tangent-out-2");
});

test("open folder: a file of the user's that is called tangent-last stays", () => {
  const where = join(base, "mine");
  mkdirSync(where);
  writeFileSync(join(where, "tangent-last"), "mine");
  assert.equal(openFolder(where, null, false).kind, "opened");
  assert.equal(readFileSync(join(where, "tangent-last"), "utf8"), "mine");
});

test("open folder: a folder with something in it is refused, unless it is resumed, and then its numbers go on", () => {
  const where = join(base, "full");
  mkdirSync(join(where, "findings/004-abort"), { recursive: true });
  writeFileSync(join(where, "test000017.ktest"), "");
  const refused = openFolder(base, where, false);
  assert.ok(refused.kind === "failed" && refused.message.includes("--resume"));
  assert.deepEqual(openFolder(base, where, true), { kind: "opened", folder: where, tests: 17, findings: 4 });
  const missing = openFolder(base, join(base, "nowhere"), true);
  assert.ok(missing.kind === "failed" && missing.message.includes("no folder"));
});

test("open folder: what cannot be made is told, and nothing is left behind", () => {
  const blocked = join(base, "file");
  writeFileSync(blocked, "");
  const result = openFolder(base, join(blocked, "out"), false);
  assert.ok(result.kind === "failed" && result.message.includes(blocked));
  assert.ok(!existsSync(join(blocked, "out")));
});

test("run folder: a folder that is continued gets the tests it has none of, and no finding twice", () => {
  const input = (byte: number) => [{ name: "stdin", occurrence: 0, bytes: Uint8Array.of(byte, 0) }];
  const first = runFolder("continued", { writeAll: true });
  const path = { coversNew: false, finding: null, end: "exit 0", instructions: 1, elapsedMs: 1 };
  first.addPath({ ...path, objects: input(1) });
  const known = first.addFinding(FINDING, IDENTITY, input(2));
  const torn = join(base, "continued", "findings", "002-torn");
  mkdirSync(torn);
  writeFileSync(join(torn, "report.txt"), "half of it");
  writeFileSync(join(base, "continued", "test000002.ktest.new"), "KTE");
  const second = runFolder("continued", { writeAll: true, testsBefore: 1, findingsBefore: 2 });
  assert.equal(second.isMissing(input(1), false), false);
  assert.equal(second.isMissing(input(3), false), true);
  assert.equal(second.isKnown(IDENTITY), true);
  assert.equal(second.isKnown({ ...IDENTITY, id: "fedcba987654" }), false);
  assert.ok(existsSync(join(base, "continued", known, "reproduce.sh")));
  assert.ok(!existsSync(torn));
  assert.ok(!existsSync(join(base, "continued", "test000002.ktest.new")));
});

test("folder: what a program asked for very often is one raw file, in order; the rest has a file for each", () => {
  const folder = runFolder("many");
  const value = (name: string, occurrence: number) => ({ name, occurrence, bytes: Uint8Array.of(occurrence & 0xff) });
  const often = Array.from({ length: 300 }, (_, occurrence) => value("nondet_uchar", occurrence));
  const objects = [value("x", 0), ...often, value("x", 1)];
  const end = { coversNew: true, finding: null, end: "exit 0", instructions: 1, elapsedMs: 0 };
  folder.addPath({ objects, ...end });
  assert.deepEqual(readdirSync(join(base, "many/inputs")).sort(), [
    "test000001.nondet_uchar.all",
    "test000001.x",
    "test000001.x_1",
  ]);
  const bytes = readFileSync(join(base, "many/inputs/test000001.nondet_uchar.all"));
  assert.deepEqual(
    [...bytes],
    [...often.keys()].map((index) => index & 0xff),
  );
  const read = decodeKTest(readFileSync(join(base, "many/test000001.ktest")));
  assert.ok(read.kind === "ktest" && read.ktest.objects.filter(({ name }) => name.startsWith("nondet")).length === 300);
});
