// The demo is a promise to whoever tries Tangent first: every bug planted in it is found, from tests that pass.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { plantedBugs } from "../../src/cli/demo.js";
import type { CampaignResult } from "../../src/report/campaign-result.js";
import type { PatchCampaignResult } from "../../src/report/patch-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
let project = "";
let patched = "";
after(() => {
  for (const folder of [project, patched]) if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

describe("tangent demo", () => {
  it("knows the line of each planted bug, at least six of at least five kinds", () => {
    const bugs = plantedBugs();
    assert.ok(bugs.length >= 6);
    assert.ok(new Set(bugs.map(({ kind }) => kind)).size >= 5);
    for (const { what, line } of bugs) assert.ok(line > 0, what);
  });

  it("finds each of them by kind and line, on the paths of tests that pass and beside them", () => {
    const words = [join(ROOT, "bin/tangent"), "demo", "--time", "4m"];
    const { status, stdout, stderr } = spawnSync("sh", words, { encoding: "utf8", cwd: ROOT });
    const report = /^Report: (.*)$/m.exec(stdout)?.[1] ?? "";
    project = dirname(dirname(dirname(report)));
    const other = /^Report of the patch: (.*)$/m.exec(stdout)?.[1] ?? "";
    patched = dirname(dirname(dirname(other)));
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
      // What edits made of a test fails as it is.
      assert.ok(found.moved !== undefined || found.inputs.some(({ seed, witness }) => seed !== witness), what);
    }
    const distances = new Set(findings.map(({ distance }) => distance));
    for (const distance of [0, 1]) assert.ok(distances.has(distance), `distance ${distance}`);
  });

  it("then reaches every line of a patch that no test runs, and finds what it breaks", () => {
    const text = readFileSync(join(patched, ".tangent/report/results.json"), "utf8");
    const { lines, findings, behaviour } = JSON.parse(text) as PatchCampaignResult;
    const states = new Set(lines.map(({ state }) => state));
    assert.deepEqual([...states].sort(), ["covered", "not-executable", "reached"]);
    const fresh = findings.filter(({ known }) => known !== true);
    assert.ok(
      fresh.some(({ kind, location }) => kind === "division-by-zero" && location?.function === "print_average"),
    );
    assert.ok(behaviour.some(({ severity }) => severity === "crash"));
    assert.ok(readdirSync(join(patched, "tests/made")).some((name) => /^tangent-\w+-c-\d+\.sh$/.test(name)));
    const diff = readFileSync(join(ROOT, "demo/average.diff"), "utf8");
    assert.ok(diff.includes("print_average"), "and the patch is there to be looked at");
  });
});
