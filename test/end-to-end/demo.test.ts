// The demo is a promise to whoever tries Tangent first: every bug planted in it is found, from tests that pass.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { plantedBugs } from "../../src/cli/demo.js";
import type { CampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
let project = "";
after(() => {
  if (project !== "") rmSync(project, { recursive: true, force: true });
});

describe("tangent demo", () => {
  it("knows the line of each planted bug, at least six of at least five kinds", () => {
    const bugs = plantedBugs();
    assert.ok(bugs.length >= 6);
    assert.ok(new Set(bugs.map(({ kind }) => kind)).size >= 5);
    for (const { what, line } of bugs) assert.ok(line > 0, what);
  });

  it("finds each of them by kind and line, at distances 0, 1 and 2 from tests that pass", () => {
    const words = [join(ROOT, "bin/tangent"), "demo", "--time", "4m"];
    const { status, stdout, stderr } = spawnSync("sh", words, { encoding: "utf8", cwd: ROOT });
    const report = /^Report: (.*)$/m.exec(stdout)?.[1] ?? "";
    project = dirname(dirname(dirname(report)));
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /26 passed, 0 failed/);
    const text = readFileSync(join(project, ".tangent/report/results.json"), "utf8");
    const { findings, totals } = JSON.parse(text) as CampaignResult;
    assert.equal(totals.unconfirmed, 0);
    for (const { kind, file, line, what } of plantedBugs()) {
      const found = findings.find(
        (one) => one.kind === kind && one.location?.line === line && basename(one.location.file ?? "") === file,
      );
      assert.ok(found !== undefined, what);
      assert.ok(found.inputs.some(({ seed, witness }) => seed !== witness));
    }
    const distances = new Set(findings.map(({ distance }) => distance));
    for (const distance of [0, 1, 2]) assert.ok(distances.has(distance), `distance ${distance}`);
  });
});
