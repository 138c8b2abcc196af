import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { noteInputs, noteSeeds } from "../project/made-here.js";
import { ProjectFolder } from "../project/project-folder.js";
import { SeedStore, seedId } from "../project/seed-store.js";
import { ProjectState } from "../project/state-folder.js";
import { foundInputOf } from "../report/patch-export.js";
import { patchResult } from "../report/patch-fixture.js";
import { finding, result as resultOf } from "../report/result-fixture.js";
import { command as amplify } from "./amplify.js";
import { exportTests, statusOfResult } from "./campaign-end.js";
import { type Command, USAGE_STATUS } from "./command.js";
import { command as report } from "./report.js";
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
  });
});

describe("a patch", () => {
  it("that only the new version fails with is a reason to fail", () => {
    const result = { ...patchResult(), findings: [] };
    assert.equal(statusOfResult({ result, isWritten: true }), 1);
    assert.equal(statusOfResult({ result: { ...result, behaviour: [] }, isWritten: true }), 0);
  });

  it("is exported as a script for each input that reaches it, native only if it was made here", () => {
    const root = mkdtempSync(join(tmpdir(), "tangent-export-"));
    try {
      const context = { env: { TANGENT_STATE: join(root, "state") }, out: () => {}, error: () => {} };
      const whole = { ...patchResult(), findings: [] };
      const name = join(root, "out", "tangent-src-a-b-c-3.sh");
      const script = (): string => {
        assert.equal(exportTests(new ProjectFolder(root), whole, "shell", join(root, "out"), context), true);
        return readFileSync(name, "utf8");
      };
      assert.match(script(), /^"\$tangent" run /m);
      assert.equal(statSync(name).mode & 0o111, 0o111 & ~process.umask());
      assert.match(readFileSync(join(root, "out", "tangent-tests.md"), "utf8"), /review it/);
      noteInputs(new ProjectState(root, context.env), whole.inputs.map(foundInputOf));
      assert.match(script(), /^"\$tangent" run /m, "the test itself was not recorded here");
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("tests that are exported", () => {
  it("start a program natively only if the test was recorded and the input found here", () => {
    const root = mkdtempSync(join(tmpdir(), "tangent-export-"));
    try {
      const context = { env: { TANGENT_STATE: join(root, "state") }, out: () => {}, error: () => {} };
      const project = new ProjectFolder(root);
      const content = {
        program: "/bin/sh",
        programContent: "0".repeat(64),
        arguments: ["sh", "-c", "rm -rf ~"],
        environment: [],
        workingDirectory: "/",
        umask: 0o022,
        stdin: { kind: "empty" as const },
        files: [],
        end: { kind: "exit" as const, code: 0 },
      };
      const id = seedId(content);
      new SeedStore(project).add({ id, ...content, recorded: { at: "", milliseconds: 0, times: 1 } });
      const claimed = finding({ seedId: id, confirmed: "native", inputs: [] });
      const script = (): string => {
        exportTests(project, resultOf([claimed]), "shell", join(root, "out"), context);
        return readFileSync(join(root, "out", `tangent-${claimed.id}.sh`), "utf8");
      };
      assert.match(script(), /^"\$tangent" run .*"\$program"/m);
      assert.doesNotMatch(script(), /^"\$program"/m);
      const state = new ProjectState(root, context.env);
      noteSeeds(state, [id]);
      assert.doesNotMatch(script(), /^"\$program"/m);
      noteInputs(state, [claimed]);
      assert.match(script(), /^"\$program"/m);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
