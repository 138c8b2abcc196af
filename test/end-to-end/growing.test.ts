// Bugs that need an input of another size or a further option (test/programs/growing), from the recorded test to the exported one.
// `npm run qualify:growing` goes through all of the programs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult, ResultFinding } from "../../src/report/campaign-result.js";
import { growingPrograms, layOut } from "./growing-fixture.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TANGENT = join(ROOT, "bin/tangent");
const folder = mkdtempSync(join(tmpdir(), "tangent-growing-"));
const programs = growingPrograms(join(ROOT, "test/programs/growing"));

function tangent(name: string, ...words: string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync("sh", [TANGENT, ...words], {
    cwd: join(folder, name),
    encoding: "utf8",
  });
  return { status, text: stdout + stderr };
}

function record(name: string): void {
  const program = programs.find((one) => one.name === name);
  assert.ok(program);
  layOut(program, join(folder, name));
  const built = tangent(name, "cc", "-g", "-O0", "-o", "prog", "prog.c");
  assert.equal(built.status, 0, built.text);
  const recorded = tangent(name, "record", "--", "sh", "tests.sh");
  assert.equal(recorded.status, 0, recorded.text);
}

function amplify(name: string, ...words: string[]): { readonly result: AmplifyCampaignResult; readonly text: string } {
  const { text } = tangent(name, "amplify", "--distance", "2", "--time", "2m", ...words);
  const path = join(folder, name, ".tangent/report/results.json");
  return { result: JSON.parse(readFileSync(path, "utf8")) as AmplifyCampaignResult, text };
}

/** Without what says when it was. */
function plain({ findings }: AmplifyCampaignResult): unknown {
  return findings.map(({ foundMs: _, ...finding }: ResultFinding) => finding);
}

describe("inputs that grow", { concurrency: false }, () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("an argument longer by just so much; shown, explained, replayed and exported; the same with two threads and after a stop", () => {
    const name = "argument-window";
    record(name);
    // Edits by chance find it, too, and first.
    const moves = ["--moves", "arguments"];
    assert.deepEqual(amplify(name, "--moves", "none").result.findings, []);
    const { result, text } = amplify(name, "--again", ...moves);
    assert.equal(result.findings.length, 1, text);
    const [finding] = result.findings;
    assert.deepEqual([finding.kind, finding.distance], ["global-buffer-overflow", 1]);
    assert.deepEqual(finding.moved?.steps, ["`ada` longer by 37 bytes"]);
    assert.match(
      text,
      /test \(distance 1\): \.\/prog ada\nmade of it: +`ada` longer by 37 bytes\nfails with: +\.\/prog ada{38}\n/,
    );
    const shown = tangent(name, "show", finding.id).text;
    assert.match(shown, /an input made of the test/);
    assert.match(shown, /test +\.\/prog ada\n +made +`ada` longer by 37 bytes/);
    const explained = tangent(name, "explain", finding.id).text;
    assert.match(explained, /Made of the test: `ada` longer by 37 bytes\.\n/);
    assert.match(explained, /Both take the same way for \d+ decisions on the input, then they part/);
    assert.match(tangent(name, "replay", finding.id).text, /global-buffer-overflow/);
    tangent(name, "report", "--export", "exported");
    const script = join(folder, name, "exported", `tangent-${finding.id}.sh`);
    assert.match(readFileSync(script, "utf8"), /# made of a test: `ada` longer by 37 bytes/);
    const env = { ...process.env, TANGENT };
    assert.equal(spawnSync("sh", [script], { env }).status, 1);
    // The same findings, whoever does the work and in however many parts.
    assert.deepEqual(plain(amplify(name, "--again", "--workers", "2", ...moves).result), plain(result));
    const resumed = amplify(name, ...moves);
    assert.match(resumed.text, /1 more of earlier runs of these tests/);
    assert.deepEqual(plain(resumed.result), plain(result));
  });

  it("an option that no test has, and then a longer value: two moves", () => {
    const name = "untested-long-option";
    record(name);
    assert.deepEqual(
      amplify(name, "--moves", "arguments,stdin,files,environment", "--distance", "1").result.findings,
      [],
    );
    const { result, text } = amplify(name, "--again", "--moves", "options,arguments");
    const finding = result.findings.find(({ kind }) => kind === "stack-buffer-overflow");
    assert.ok(finding, text);
    assert.equal(finding.distance, 2);
    // Or a longer word first, of which the search makes the option: which of the two comes first is a matter of time.
    const steps = finding.moved?.steps.join(", ") ?? "";
    assert.match(steps, /^`(--prefix=1|-p1|-p` `1)` inserted before .*longer by \d+ bytes$|^`one` (written|longer) /);
  });

  it("a variable of the environment, which the exported test sets for the program alone", () => {
    const name = "variable-longer";
    record(name);
    const { result, text } = amplify(name, "--moves", "environment");
    const [finding] = result.findings;
    assert.equal(finding?.kind, "stack-buffer-overflow", text);
    assert.deepEqual(finding.moved?.steps, ["the variable `APP_PROFILE` longer by 20 bytes"]);
    tangent(name, "report", "--export", "exported");
    const [script] = readdirSync(join(folder, name, "exported")).filter((one) => one.endsWith(".sh"));
    const path = join(folder, name, "exported", script);
    assert.match(readFileSync(path, "utf8"), /env APP_PROFILE="\$value0" "\$tangent"/);
    assert.equal(spawnSync("sh", [path], { env: { ...process.env, TANGENT } }).status, 1);
  });

  it("a file that lacks its last byte; of a correct program nothing is told", () => {
    record("file-cut-short");
    const { result } = amplify("file-cut-short", "--moves", "files", "--distance", "1");
    assert.deepEqual(
      result.findings.map(({ kind, moved }) => [kind, moved?.steps]),
      [["heap-buffer-overflow", ["`message.bin` shorter by 1 byte"]]],
    );
    record("correct-argument");
    const correct = amplify("correct-argument", "--distance", "1").result;
    assert.deepEqual(correct.findings, []);
    assert.ok((correct.totals.moved ?? 0) > 0);
  });

  it("a wrong list of moves is a wrong command line", () => {
    const { status, text } = tangent("argument-window", "amplify", "--moves", "sizes");
    assert.equal(status, 2);
    assert.match(text, /--moves sizes: all, none or some of options, arguments, environment, stdin, files, random/);
  });
});
