import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { finding, result } from "../report/result-fixture.js";
import { appendHistory, historyEntry, readHistory } from "./history.js";
import { type UiProject, uiProject } from "./ui-fixture.js";

let project: UiProject;
beforeEach(() => {
  project = uiProject();
});
afterEach(() => rmSync(project.top, { recursive: true, force: true }));

it("a campaign is a line: what it did, found and covered", () => {
  const findings = [finding(), finding({ id: "abc", known: true }), finding({ id: "abd", suppressed: "why" })];
  const entry = historyEntry(result(findings));
  assert.deepEqual(entry, {
    ...{ at: "2026-01-02T03:04:05.678Z", technique: "amplify", reason: "complete", tests: 2, checks: 10, paths: 1234 },
    ...{ fresh: 1, known: 2, lines: 4, byTests: 2, added: 1, durationMs: 5000 },
  });
  assert.equal(appendHistory(project.folder, entry), true);
  assert.deepEqual(readHistory(project.folder), [entry]);
});

it("the oldest go beyond a thousand, and what is no entry is passed over", () => {
  const entry = historyEntry(result([]));
  const lines = Array.from({ length: 1200 }, (_, tests) => JSON.stringify({ ...entry, tests }));
  writeFileSync(join(project.folder.path, "history.jsonl"), `${lines.join("\n")}\nnonsense\n{"at":"<b>"}\n`);
  appendHistory(project.folder, { ...entry, tests: 9999 });
  const kept = readHistory(project.folder);
  assert.ok(kept.length <= 1000 && kept.length > 900);
  assert.equal(kept.at(-1)?.tests, 9999);
  assert.equal(kept.at(-2)?.tests, 1199);
});
