import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, count, type ExploreStatus, LiveView, renderStatus, renderStatusLine } from "./live-view.js";

const STATUS: ExploreStatus = {
  elapsedMs: 65_000,
  limitMs: 300_000,
  paths: 12_345,
  pathsPerSecond: 189.9,
  pending: 678,
  coveredBlocks: 312,
  totalBlocks: 400,
  sinceNewMs: 2000,
  solverShare: 0.341,
  unsatisfiableShare: 0.05,
  instructions: 1_000_000,
  memoryBytes: 150 << 20,
  findings: ["heap-buffer-overflow parse a.c:12"],
  troubles: ["2 paths diverged"],
};

test("live view: it says paths, pending, coverage, the solver's share and findings", () => {
  assert.deepEqual(renderStatus(STATUS, "tangent explore ./prog", 100), [
    "tangent explore ./prog  1:05 of 5:00",
    "  paths     12,345 (190/s), 678 pending",
    "  coverage  312 of 400 blocks covered (78.0 %), something new 0:02 ago",
    "  solver    34.1 % of the time, 5.0 % of that for infeasible paths",
    "  memory    150 MB",
    "  findings  1",
    "    heap-buffer-overflow parse a.c:12",
    "  note      2 paths diverged",
  ]);
});

test("live view: on a terminal it is redrawn in place and no line is wider than the terminal", () => {
  let text = "";
  let now = 0;
  const view = new LiveView({ isTTY: true, columns: 30, write: (part: string) => (text += part) }, "t", () => now);
  view.update(STATUS);
  const lines = text.split("\n").length - 1;
  assert.ok(text.split("\n").every((line) => line.replace("\x1b[K", "").length < 30));
  text = "";
  now = 50;
  view.update(STATUS);
  assert.equal(text, "", "too soon");
  now = 400;
  view.update(STATUS);
  assert.ok(text.startsWith(`\x1b[${lines}A\x1b[G\x1b[J`));
  text = "";
  view.print("a finding\n");
  assert.equal(text, `\x1b[${lines}A\x1b[G\x1b[Ja finding\n`);
  text = "";
  view.clear();
  assert.equal(text, "");
});

test("live view: elsewhere it is a line every few seconds", () => {
  let text = "";
  let now = 0;
  const view = new LiveView({ write: (part: string) => (text += part) }, "t", () => now);
  for (now = 0; now < 11_000; now += 500) view.update(STATUS);
  assert.equal(text, renderStatusLine(STATUS).repeat(2));
  assert.equal(
    renderStatusLine(STATUS),
    "tangent: 1:05, 12,345 paths (190/s), 678 pending, 312 of 400 blocks covered (78.0 %), solver 34.1 %, 1 finding\n",
  );
});

test("live view: many findings show the newest", () => {
  const findings = Array.from({ length: 9 }, (_, index) => `f${index}`);
  const lines = renderStatus({ ...STATUS, findings, troubles: [] }, "t", 80);
  assert.deepEqual(lines.slice(-6), ["    ... 4 before these", "    f4", "    f5", "    f6", "    f7", "    f8"]);
});

test("live view: numbers and times for people", () => {
  assert.equal(count(1234567), "1,234,567");
  assert.equal(count(999), "999");
  assert.equal(clock(3_725_000), "1:02:05");
});
