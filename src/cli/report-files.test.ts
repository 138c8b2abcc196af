// Every format of every technique's results, with names, paths and messages that somebody chose to do harm: what is written is
// what it looks like, stays of its form, and is written at all.

import assert from "node:assert/strict";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ProjectFolder } from "../project/project-folder.js";
import type { CampaignResult } from "../report/campaign-result.js";
import { composeResult } from "../report/compose-fixture.js";
import { PATCH_EXPORT_STYLES, renderPatchTest } from "../report/patch-export.js";
import { patchResult } from "../report/patch-fixture.js";
import type { PatchCampaignResult } from "../report/patch-result.js";
import { result } from "../report/result-fixture.js";
import { quoted } from "../report/shell-words.js";
import { isVisible } from "../support/visible-text.js";
import { REPORT_FORMATS, writeReport } from "./report-files.js";

const EVIL = "\x1b[2K\x1b[1A\u202e\u2066\ud800\u2028\n::error::x\nSF:/forged\nend_of_record\r\x9b*/";
/** What others choose; the rest are words of ours. */
const CHOSEN = /^(file|path|function|message|title|sentence|program|name|label|why|notes?|.*[cC]ommand|steps|chain)$/;

function hostile(value: unknown, isChosen = false): unknown {
  if (typeof value === "string") return isChosen ? `${value}${EVIL}` : value;
  if (Array.isArray(value)) return value.map((one) => hostile(one, isChosen));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hostile(one, CHOSEN.test(key))]));
}

const RESULTS: { readonly [technique: string]: CampaignResult } = {
  amplify: hostile(result()) as CampaignResult,
  patch: hostile(patchResult()) as CampaignResult,
  compose: hostile(composeResult()) as CampaignResult,
};

const top = mkdtempSync(join(tmpdir(), "tangent-report-files-"));
after(() => rmSync(top, { recursive: true, force: true }));

function isPlain(text: string, what: string): void {
  const line = text.split("\n").find((one) => !isVisible(one.replaceAll("\t", "")));
  assert.equal(line, undefined, `${what}: ${JSON.stringify(line)}`);
}

describe("a report to what is no file", () => {
  it("is written to what the user names, and does not take its place: root had no /dev/null after that", () => {
    const project = join(top, "project");
    mkdirSync(project);
    const context = { env: {}, out: () => {}, error: () => {} };
    const link = join(top, "nowhere");
    symlinkSync("/dev/null", link);
    assert.equal(writeReport(new ProjectFolder(project), result(), "sarif", link, context), true);
    assert.equal(lstatSync(link).isSymbolicLink(), true);
    // Inside of the project a link came with the repository, and may lead anywhere.
    const inside = join(project, "report.sarif");
    symlinkSync("/dev/null", inside);
    assert.equal(writeReport(new ProjectFolder(project), result(), "sarif", inside, context), true);
    assert.equal(lstatSync(inside).isFile(), true);
  });
});

describe("reports of hostile results", () => {
  for (const [technique, hostileResult] of Object.entries(RESULTS)) {
    for (const format of REPORT_FORMATS) {
      it(`${format} of ${technique}`, () => {
        const path = join(top, `${technique}.${format}`);
        const told: string[] = [];
        const context = { env: {}, out: () => {}, error: (text: string) => told.push(text) };
        assert.equal(writeReport(new ProjectFolder(top), hostileResult, format, path, context), true, told.join(""));
        const text = readFileSync(path, "utf8");
        isPlain(text, format);
        if (format === "json") assert.deepEqual(JSON.parse(text), hostileResult);
        if (format === "sarif") assert.equal((JSON.parse(text) as { readonly version: string }).version, "2.1.0");
        if (format === "lcov") assert.doesNotMatch(text, /^SF:\/forged/m);
      });
    }
  }

  it("exported scripts", () => {
    const patch = RESULTS.patch as PatchCampaignResult;
    for (const style of PATCH_EXPORT_STYLES) {
      const options = { style, native: true, check: { kind: "run" } } as const;
      for (const input of patch.inputs) isPlain(renderPatchTest(input, patch.targets, patch, options), style);
    }
    isPlain(`program=${quoted(`/x${EVIL}`)}`, "a word");
  });
});
