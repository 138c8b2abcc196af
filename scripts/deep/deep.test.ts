import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { secondsOf } from "./afl.js";
import { type DeepBug, isThere, nativeFrames, readBugs } from "./bug.js";
import { type DeepRow, deepTable } from "./deep-table.js";
import { between, runLimited, ticksOf } from "./processor-limit.js";
import { stagedInput } from "./staged-input.js";
import { isThisOne, isTool, leaveHalf, printedStacks, type Sighting, type ToolSetup } from "./tools.js";

const PLACES = { places: ["src/patch.c:394", "lib/quote.c:12"] };

test("a bug is found at its lines, by the program's innermost frames only", () => {
  assert.equal(isThere(PLACES, [{ file: "/work/patch/src/src/patch.c", line: 394 }]), true);
  assert.equal(isThere(PLACES, [{ file: "patch.c", line: 394 }]), true);
  assert.equal(isThere(PLACES, [{ file: "/work/src/mypatch.c", line: 394 }]), false);
  assert.equal(isThere(PLACES, [{ file: "/work/src/patch.c", line: 395 }]), false);
  const helpers = [1, 2, 3].map((line) => ({ file: "lib/help.c", line }));
  assert.equal(isThere(PLACES, [...helpers, { file: "src/patch.c", line: 394 }]), true);
  assert.equal(isThere(PLACES, [...helpers, ...helpers, { file: "src/patch.c", line: 394 }]), false);
  assert.equal(isThere(PLACES, [{ file: null, line: 394 }]), false);
});

test("frames of a sanitizer's report end with the stack of the failure", () => {
  const report = `==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6 at pc 0x5
WRITE of size 1 at 0x6 thread T0
    #0 0x7f in __interceptor_memcpy ../../../../src/libsanitizer/sanitizer_common/interceptors.inc:827
    #1 0x55 in ProcessFile /work/asan/jhead.c:1190
    #2 0x56 in main /work/asan/jhead.c:1795:3
    #3 0x57 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58
    #4 0x58 in _start (/work/asan/jhead+0xf590)

0x6 is located 0 bytes to the right of 34-byte region
allocated by thread T0 here:
    #0 0x7e in malloc (/lib/libasan.so)
    #1 0x59 in ReadJpegSections /work/asan/jpgfile.c:175
`;
  assert.deepEqual(nativeFrames(report), [
    { file: "/work/asan/jhead.c", line: 1190 },
    { file: "/work/asan/jhead.c", line: 1795 },
  ]);
  assert.deepEqual(nativeFrames("patch: patch.c:1429: apply_hunk: Assertion `x' failed."), [
    { file: "patch.c", line: 1429 },
  ]);
  assert.deepEqual(nativeFrames("Segmentation fault"), []);
});

test("stacks are read from what commands print, and times from the names of crashes", () => {
  const text =
    "==tangent== ERROR: x\n    #0 strlen tangent/libc/scan.h:8\n    #1 f a.c:1:2\n    #2 main a.c:9:3\n  8 | #0 y\n\n    #0 g b.c:4:1\n";
  assert.deepEqual(printedStacks(text), [
    [
      { file: "a.c", line: 1 },
      { file: "a.c", line: 9 },
    ],
    [{ file: "b.c", line: 4 }],
  ]);
  assert.equal(secondsOf("id:000000,sig:06,src:000003,time:1234,execs:99,op:havoc"), 1.234);
});

test("the list names directories beside it, and bad descriptions are refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-deep-test-"));
  try {
    mkdirSync(join(folder, "one"));
    const meta = { name: "one", places: ["a.c:3"], program: "prog", arguments: ["@@"] };
    writeFileSync(join(folder, "one", "meta.json"), JSON.stringify(meta));
    writeFileSync(join(folder, "bed.json"), '["one"]');
    assert.equal(readBugs(join(folder, "bed.json"))[0].directory, join(folder, "one"));
    assert.equal(readBugs(join(folder, "one"))[0].name, "one");
    writeFileSync(join(folder, "one", "meta.json"), JSON.stringify({ ...meta, places: ["a.c"] }));
    assert.throws(() => readBugs(join(folder, "one")), /no FILE:LINE/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("an input of the results is put where the seed was, and nowhere else", () => {
  const bytes = Buffer.from("x");
  const objects = ["file:/bed/src/seeds/corpus/a", "file:/etc/passwd", "arg0", "file:/bed/src/seeds/../b"];
  const staged = stagedInput(
    "/bed/src/seeds",
    ["-r"],
    [...objects.map((name) => ({ name, bytes })), { name: "stdin", bytes }],
  );
  assert.deepEqual(staged, { arguments: ["-r"], files: [{ path: "corpus/a", bytes }], stdin: bytes });
});

test("tools have variants, and half of the tests is another half with another seed", () => {
  for (const name of [
    "afl",
    "compose",
    "compose-half",
    "compose-without-unit-seeds",
    "compose-without-mutations+main",
    "reach-half",
  ])
    assert.equal(isTool(name), true, name);
  for (const name of ["", "klee", "afl-half", "explore-half", "reach-without-moves", "compose-with"])
    assert.equal(isTool(name), false, name);
  const left = [1, 2].map((seed) => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-deep-test-"));
    for (const name of ["a", "b", "c", "d"]) writeFileSync(join(folder, name), "");
    leaveHalf(folder, seed);
    const names = readdirSync(folder);
    rmSync(folder, { recursive: true, force: true });
    return names.sort();
  });
  assert.deepEqual(left, [
    ["a", "c"],
    ["b", "d"],
  ]);
});

test("where two bugs share a line, the tool goes on until the one in question was found, and no sighting is judged twice", () => {
  const sighting = (seconds: number, line: number): Sighting => ({
    kind: "heap-buffer-overflow",
    frames: [{ file: "src/patch.c", line }],
    seconds,
    input: { arguments: [`${seconds}`], files: [], stdin: null },
  });
  const seen = [sighting(1, 395)];
  const judged: string[] = [];
  const judgeIt = (_: DeepBug, { arguments: [name] }: Sighting["input"]): { native: boolean; alsoMended: boolean } => {
    judged.push(name);
    return { native: true, alsoMended: name === "2" };
  };
  const setupOf = (isShared: boolean): ToolSetup =>
    ({ bug: { ...PLACES, isShared }, scratch: "" }) as unknown as ToolSetup;
  const isEnough = isThisOne(setupOf(true), () => seen, judgeIt);
  assert.equal(isEnough(), false);
  seen.push(sighting(2, 394));
  assert.equal(isEnough(), false);
  assert.equal(isThisOne(setupOf(false), () => seen, judgeIt)(), true);
  seen.push(sighting(3, 394));
  assert.equal(isEnough(), true);
  assert.equal(isEnough(), true);
  assert.deepEqual(judged, ["2", "3"]);
});

test("processor time is that of the session and of all descendants, also of those in other sessions", () => {
  const stat = (id: number, parent: number, session: number, ticks: number): string =>
    `${id} (a) b) S ${parent} ${id} ${session} 0 -1 0 0 0 0 0 ${ticks} 1 0 0 20 0`;
  // 10 is the root, 11 its child in another session, 12 below that, 13 an orphan of the session, 14 somebody else's.
  const stats = [
    stat(10, 1, 10, 5),
    stat(11, 10, 11, 7),
    stat(12, 11, 11, 11),
    stat(13, 1, 10, 13),
    stat(14, 1, 1, 99),
  ];
  assert.equal(ticksOf(stats, 10), 5 + 7 + 11 + 13 + 4);
  const samples = [
    { wall: 0, processor: 0 },
    { wall: 2, processor: 1 },
    { wall: 4, processor: 3 },
  ];
  assert.equal(between(samples, 3), 2);
  assert.equal(between(samples, 9), 3);
  assert.equal(between(samples, 0), 0);
});

test("a command is stopped when it has used its processor time, and when enough was seen", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-deep-test-"));
  const log = join(folder, "log");
  const common = { folder, env: process.env, mostSeconds: 120, log };
  try {
    const busy = ["sh", "-c", "while :; do :; done"];
    const used = await runLimited({ ...common, command: busy, processorSeconds: 0.3, enough: () => false });
    assert.equal(used.reason, "processor-time");
    assert.ok(used.processorSeconds >= 0.3);
    const seen = await runLimited({ ...common, command: ["sleep", "100"], processorSeconds: 50, enough: () => true });
    assert.equal(seen.reason, "enough");
    const ended = await runLimited({
      ...common,
      command: ["sh", "-c", "exit 3"],
      processorSeconds: 50,
      enough: () => false,
    });
    assert.deepEqual([ended.reason, ended.status], ["ended", 3]);
    const none = await runLimited({ ...common, command: ["/nonexistent"], processorSeconds: 50, enough: () => false });
    assert.equal(none.status, null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the table counts what each tool finds, alone and with the others", () => {
  const row = (bug: string, tool: string, seconds: number | null): DeepRow => ({
    bug,
    package: "p",
    reference: "CVE",
    place: "a.c:1",
    tool,
    randomSeed: 1,
    budgetSeconds: 480,
    found:
      seconds === null
        ? null
        : { kind: "null-dereference", processorSeconds: seconds, wallSeconds: seconds, native: true },
    otherBug: false,
    problem: null,
    reason: "ended",
    processorSeconds: 480,
    wallSeconds: 480,
    others: [],
  });
  const rows = [
    row("x", "afl", 3),
    row("x", "compose", 5),
    row("y", "afl", null),
    row("y", "compose", 60),
    row("z", "afl", null),
  ];
  const table = deepTable(rows);
  assert.match(table, /\| x: CVE \| a\.c:1 \| 3 s \| 5 s \|/);
  assert.match(table, /\| z: CVE \| a\.c:1 \| no \| {2}\|/);
  assert.match(table, /\*\*found\*\* of 3 \| \| 1 \| 2 \|/);
  assert.match(table, /found by no other \| \| 0 \| 1 \|/);
  assert.match(table, /2 of 3 found/);
});
