import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { ExplorePlan } from "../techniques/explore.js";
import { isPlanOurs, progressOf, RESUME_FOLDER, readPlan, resumedPlan, writePlan } from "./resume.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-resume-"));
mkdirSync(join(folder, RESUME_FOLDER));
after(() => rmSync(folder, { recursive: true }));
const env = { TANGENT_STATE: join(folder, "state") };

const PLAN: ExplorePlan = {
  program: "p",
  workingDirectory: "/w",
  environment: ["A=1"],
  heapBytes: 1,
  inputs: { ...NO_INPUTS, words: [{ kind: "fixed", bytes: new Uint8Array(Buffer.from([0xff, 0])) }], stdin: 3 },
  seeds: [[{ name: "stdin", occurrence: 0, bytes: Uint8Array.of(1, 2, 3) }]],
  mode: "pending",
  checks: "eager",
  joins: true,
  tries: true,
  searcher: "dfs",
  randomSeed: 1,
  limits: { timeMs: 5000 },
  stopAtFirst: false,
  solver: {},
};

test("resume: a plan is the same after it was written and read, bytes included", () => {
  writePlan(folder, { program: "./p", clang: null, flags: ["-DX"], plan: PLAN }, env);
  const read = readPlan(folder);
  assert.ok(read.kind === "saved");
  if (read.kind === "saved") assert.deepEqual(read.saved, { program: "./p", clang: null, flags: ["-DX"], plan: PLAN });
  const other = { ...PLAN, inputs: { ...NO_INPUTS, words: [{ kind: "fixed" as const, bytes: Buffer.from("hi") }] } };
  writePlan(folder, { program: "./p", clang: null, flags: [], plan: other }, env);
  const again = readPlan(folder);
  assert.ok(again.kind === "saved");
  if (again.kind === "saved") {
    assert.deepEqual(again.saved.plan.inputs.words, [{ kind: "fixed", bytes: new Uint8Array(Buffer.from("hi")) }]);
  }
});

test("resume: a plan that another machine wrote, or that was changed, is not ours", () => {
  writePlan(folder, { program: "./p", clang: null, flags: [], plan: PLAN }, env);
  assert.equal(isPlanOurs(folder, env), true);
  assert.equal(isPlanOurs(folder, { TANGENT_STATE: join(folder, "other") }), false);
  const path = join(folder, RESUME_FOLDER, "plan.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace('"clang":null', '"clang":"/evil"'));
  assert.equal(isPlanOurs(folder, env), false);
  writeFileSync(path, text);
  assert.equal(isPlanOurs(folder, env), true);
  rmSync(join(folder, RESUME_FOLDER, "plan.seal"));
  assert.equal(isPlanOurs(folder, env), false);
});

test("resume: what is no plan is told, whatever stands in it", () => {
  const path = join(folder, RESUME_FOLDER, "plan.json");
  const saved = { program: "./p", clang: null, flags: [], plan: PLAN };
  const file = { ...PLAN.inputs, files: [{ name: "../../x", size: 3 }] };
  const odd = [
    null,
    [],
    {},
    { ...saved, flags: null },
    { ...saved, plan: null },
    { ...saved, plan: { ...PLAN, seeds: [[7]] } },
  ];
  for (const value of [...odd, { ...saved, plan: { ...PLAN, inputs: file } }]) {
    writePlan(folder, value as typeof saved, env);
    const read = readPlan(folder);
    assert.ok(read.kind === "failed", JSON.stringify(value));
    assert.match(read.message, /is no plan of an exploration/);
  }
  writeFileSync(path, "{");
  assert.equal(readPlan(folder).kind, "failed");
});

test("resume: limits are the new ones and count from now on; seeds stay", () => {
  writeFileSync(join(folder, "statistics.json"), JSON.stringify({ timeMs: 7000, paths: 40, complete: false }));
  const given = { limits: { timeMs: 1000, paths: 10 }, stopAtFirst: true, solver: {} };
  const plan = resumedPlan(PLAN, given, null, progressOf(folder));
  assert.deepEqual(plan.limits, { timeMs: 8000, paths: 50 });
  assert.deepEqual(plan.seeds, PLAN.seeds);
  assert.equal(plan.searcher, "dfs");
  assert.equal(plan.stopAtFirst, true);
});

test("resume: a folder that is none is told", () => {
  const read = readPlan(join(folder, "nowhere"));
  assert.ok(read.kind === "failed" && read.message.includes("nowhere holds no exploration to resume"));
  assert.deepEqual(progressOf(join(folder, "nowhere")), { timeMs: 0, paths: 0, complete: false });
});

test("resume: a plan that asks for more input than any test has is none", () => {
  const several = (most: number): ExplorePlan["inputs"]["words"][number] => ({
    kind: "several",
    least: 0,
    most,
    length: 10,
  });
  const strange: readonly ExplorePlan["inputs"][] = [
    { ...NO_INPUTS, stdin: 3e9 },
    { ...NO_INPUTS, stdin: -1 },
    { ...NO_INPUTS, stdin: 1.5 },
    { ...NO_INPUTS, words: [several(1e9)] },
    { ...NO_INPUTS, words: Array.from({ length: 100 }, () => several(1e4)) },
    { ...NO_INPUTS, files: Array.from({ length: 100 }, (_, index) => ({ name: `f${index}`, size: 1e6 })) },
  ];
  for (const inputs of strange) {
    writePlan(folder, { program: "./p", clang: null, flags: [], plan: { ...PLAN, inputs } }, env);
    assert.equal(readPlan(folder).kind, "failed", JSON.stringify(inputs).slice(0, 100));
  }
  const inputs = { ...NO_INPUTS, stdin: 1 << 20, words: [several(256)] };
  writePlan(folder, { program: "./p", clang: null, flags: [], plan: { ...PLAN, inputs } }, env);
  assert.equal(readPlan(folder).kind, "saved");
});

test("resume: links in the place of a plan or its statistics are not followed, least of all to what has no end", () => {
  const other = join(folder, "linked");
  mkdirSync(join(other, RESUME_FOLDER), { recursive: true });
  symlinkSync("/dev/zero", join(other, RESUME_FOLDER, "plan.json"));
  symlinkSync("/dev/zero", join(other, "statistics.json"));
  assert.equal(readPlan(other).kind, "failed");
  assert.equal(isPlanOurs(other, env), false);
  assert.deepEqual(progressOf(other), { timeMs: 0, paths: 0, complete: false });
});
