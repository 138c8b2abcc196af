import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ProjectFolder } from "../project/project-folder.js";
import { patchResult } from "../report/patch-fixture.js";
import { readResultFile } from "../report/result-file.js";
import { result } from "../report/result-fixture.js";
import { writeResults } from "./campaign-end.js";
import { keepOtherResults } from "./kept-results.js";

const root = mkdtempSync(join(tmpdir(), "tangent-kept-"));
after(() => rmSync(root, { recursive: true }));

test("kept results: a campaign of another technique takes nothing away; one of the same replaces what was there", () => {
  const folder = new ProjectFolder(root);
  const told: string[] = [];
  const context = { env: {}, out: () => {}, error: (text: string) => void told.push(text) };
  keepOtherResults(folder, "amplify", context);
  assert.ok(writeResults(folder, result(), context));
  writeFileSync(folder.file("report", "index.html"), "the page");
  keepOtherResults(folder, "amplify", context);
  assert.deepEqual(told, [], "nothing to keep");
  keepOtherResults(folder, "patch", context);
  assert.ok(writeResults(folder, patchResult(), context));
  const kept = readResultFile(folder.known("report", "results-amplify.json"));
  assert.ok(kept.kind === "result");
  assert.deepEqual(kept.result.findings, result().findings);
  assert.equal(readFileSync(folder.known("report", "amplify.html"), "utf8"), "the page");
  assert.equal(existsSync(folder.known("report", "index.html")), false);
  assert.match(told.join(""), /amplify campaign are kept: tangent report .*results-amplify\.json/);
});
