import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readBaseline, withKnown } from "./baseline.js";
import { finding, result } from "./result-fixture.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-baseline-"));
after(() => rmSync(folder, { recursive: true }));

test("baseline: a finding is known by its identity, or by its fingerprint if its line has moved", () => {
  const before = [
    { id: "a", fingerprint: "1" },
    { id: "b", fingerprint: "2" },
  ];
  const now = [
    finding({ id: "a", fingerprint: "9" }),
    finding({ id: "moved", fingerprint: "2" }),
    finding({ id: "c", fingerprint: "1" }),
  ];
  assert.deepEqual(
    withKnown(now, before).map(({ known }) => known),
    [true, true, false],
  );
});

test("baseline: ids of an earlier version, and ids that a finding had, are known", () => {
  const known = (now: Parameters<typeof finding>[0], before: Parameters<typeof withKnown>[1][number]): unknown =>
    withKnown([finding({ fingerprint: "now", ...now })], [before])[0].known;
  assert.equal(known({ id: "b", formerIds: ["a"] }, { id: "a", fingerprint: "before" }), true);
  assert.equal(known({ id: "b" }, { id: "c", formerIds: ["b"], fingerprint: "before" }), true);
  assert.equal(known({ id: "b", formerIds: ["a"] }, { id: "c", formerIds: ["a"], fingerprint: "before" }), false);
});

test("baseline: one finding of it answers for one: a second on an equal line is new", () => {
  const now = [finding({ id: "x", fingerprint: "1" }), finding({ id: "y", fingerprint: "1" })];
  assert.deepEqual(
    withKnown(now, [{ id: "a", fingerprint: "1" }]).map(({ known }) => known),
    [true, false],
  );
});

test("baseline: results of another version are refused with a word of what to do", () => {
  const path = join(folder, "old.json");
  writeFileSync(path, JSON.stringify({ ...result(), version: 1 }));
  const read = readBaseline(path);
  assert.ok(read.kind === "wrong");
  assert.match(read.message, /old\.json has version 1 of the results, this tangent reads \d.*tangent amplify/);
  writeFileSync(path, JSON.stringify(result()));
  assert.equal(readBaseline(path).kind, "findings");
  assert.equal(readBaseline(undefined).kind, "none");
});
