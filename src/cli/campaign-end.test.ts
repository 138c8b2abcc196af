import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ProjectFolder } from "../project/project-folder.js";
import { patchResult } from "../report/patch-fixture.js";
import { result as resultOf } from "../report/result-fixture.js";
import { command as amplify } from "./amplify.js";
import { exportTests, statusOfResult } from "./campaign-end.js";
import { type Command, USAGE_STATUS } from "./command.js";
import { command as report } from "./report.js";
import { writeReport } from "./report-files.js";
import { command as test } from "./test.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-choices-"));
const before = process.cwd();
after(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

async function start(command: Command, ...args: string[]): Promise<{ status: number; error: string }> {
  const told: string[] = [];
  const context = { env: process.env, out: () => {}, error: (text: string) => void told.push(text) };
  const status = await command.start(args, context);
  return { status, error: told.join("") };
}

describe("wrong choices of a campaign", () => {
  it("a bad --export, --baseline or --sanitized is a wrong command line, and is told before anything is done", async () => {
    process.chdir(folder);
    writeFileSync(join(folder, "no-results.json"), "{}");
    const wrong: readonly (readonly [words: readonly string[], told: RegExp])[] = [
      [["--export", "pdf", "out"], /pdf/],
      [["--baseline", "nowhere.json"], /nowhere\.json/],
      [["--baseline", "no-results.json"], /no-results\.json/],
      [["--sanitized", "nowhere"], /nowhere/],
      [["--sanitized", "no-results.json"], /--confirm/],
      [["--sarif", "-", "--json", "-"], /only one/],
    ];
    for (const [words, told] of wrong) {
      for (const command of [amplify, test]) {
        const own = command === test ? ["--", "touch", "ran"] : [];
        const { status, error } = await start(command, ...words, ...own);
        assert.equal(status, USAGE_STATUS, `${command.name} ${words.join(" ")}: ${error}`);
        assert.match(error, told);
      }
    }
    assert.equal((await start(report, "--sarif", "-", "--json", "-")).status, USAGE_STATUS);
    assert.equal((await start(report, "--baseline", "nowhere.json")).status, USAGE_STATUS);
    assert.deepEqual(readdirSync(folder), ["no-results.json"], "no test was run, no folder made");
  });
});

describe("the exit status of a campaign", () => {
  it("findings first, then what could not be written, then that it was stopped", () => {
    const result = resultOf();
    const none = { ...result, findings: [] };
    assert.equal(statusOfResult({ result, isWritten: false }), 1);
    assert.equal(statusOfResult({ result: { ...none, reason: "aborted" }, isWritten: false }), 3);
    assert.equal(statusOfResult({ result: { ...none, reason: "aborted" }, isWritten: true }), 130);
    assert.equal(statusOfResult({ result: { ...none, reason: "time" }, isWritten: true }), 0);
    const seen = { ...none, reason: "time" as const, seen: ["0123456789abcdef"] };
    assert.equal(statusOfResult({ result: seen, isWritten: true }), 1, "a failure that could not be confirmed");
  });
});

describe("a patch", () => {
  it("that only the new version fails with is a reason to fail", () => {
    const result = { ...patchResult(), findings: [] };
    assert.equal(statusOfResult({ result, isWritten: true }), 1);
    assert.equal(statusOfResult({ result: { ...result, behaviour: [] }, isWritten: true }), 0);
  });

  it("whose program is gone is not exported, and told", () => {
    const root = mkdtempSync(join(tmpdir(), "tangent-export-"));
    try {
      const told: string[] = [];
      const error = (text: string) => void told.push(text);
      const context = { env: { TANGENT_STATE: join(root, "state") }, out: () => {}, error };
      const whole = { ...patchResult(), findings: [] };
      assert.equal(exportTests(new ProjectFolder(root), whole, "shell", join(root, "out"), context), true);
      assert.deepEqual(readdirSync(join(root, "out")), []);
      assert.match(
        told.join(""),
        /0 tests of changed code written .*\ntangent: 1 test was not written:\n.*-3\.sh: the program/,
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("what is written by name", () => {
  it("is not written through a link of the project's that leads out of it", () => {
    const root = mkdtempSync(join(tmpdir(), "tangent-export-"));
    try {
      mkdirSync(join(root, "project", ".tangent"), { recursive: true });
      mkdirSync(join(root, "home"));
      symlinkSync("../home", join(root, "project", "tests"));
      const below = new ProjectFolder(join(root, "project"));
      const told: string[] = [];
      const error = (text: string) => void told.push(text);
      const context = { env: { TANGENT_STATE: join(root, "state") }, out: () => {}, error };
      for (const target of ["tests", "tests/new"]) {
        const where = join(below.root, target);
        assert.equal(exportTests(below, patchResult(), "shell", where, context), false);
        assert.equal(writeReport(below, patchResult(), "json", join(where, "x.json"), context), false);
      }
      assert.match(told.join(""), /leads out of the project, to .*home; name that folder/);
      assert.deepEqual(readdirSync(join(root, "home")), []);
      assert.equal(writeReport(below, patchResult(), "json", join(root, "home", "x.json"), context), true);
      writeFileSync(join(root, "other"), "as it was");
      symlinkSync(join(root, "other"), join(below.root, "x.json"));
      assert.equal(writeReport(below, patchResult(), "json", join(below.root, "x.json"), context), true);
      assert.equal(readFileSync(join(root, "other"), "utf8"), "as it was");
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
