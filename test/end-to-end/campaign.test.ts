// A campaign as a user meets it on a bad day: a test that never ends, Ctrl-C, a kill, a journal that somebody else wrote, and
// several threads.

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** One bug next to every test; with a second argument it copies for hours. */
const PROGRAM = `#include <stdlib.h>
#include <string.h>
static char a[1 << 20], b[1 << 20];
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (argc > 2) for (volatile int i = 0; i < 2000000000; i++) memcpy(a, b, sizeof a);
  if (n > 5 && n % 7 == 3) return a[n];
  return n >= 0 && n < 99 ? letters[n] : 1;
}
`;

let project = "";
const words = (...more: string[]): string[] => [join(ROOT, "bin/tangent"), ...more];
const tangent = (...more: string[]) => spawnSync("sh", words(...more), { cwd: project, encoding: "utf8" });
const journal = (): string => join(project, ".tangent/campaign.journal");

function results(): AmplifyCampaignResult {
  return JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as AmplifyCampaignResult;
}

/** Starts a campaign and waits until it has found something. */
async function untilFound(...more: string[]): Promise<ChildProcess> {
  const child = spawn("sh", words("amplify", ...more), { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString();
      if (output.includes("show it:")) resolve();
    });
    child.once("exit", () => reject(new Error("it ended before it found anything")));
  });
  return child;
}

/** A finding is told before the test that has it is done, so whoever wants a test that was done waits for the journal. */
async function untilJournalled(child: ChildProcess): Promise<void> {
  while (!existsSync(journal()) || !readFileSync(journal(), "utf8").includes('"item":')) {
    assert.equal(child.exitCode, null, "it ended before any test was done");
    await delay(10);
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once("exit", (code) => resolve(code)));

describe("a campaign", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-campaign-"));
    writeFileSync(join(project, "prog.c"), PROGRAM);
    assert.equal(tangent("cc", "-g", "-o", "prog", "prog.c").status, 0);
    const script = "./prog 3; ./prog 12; ./prog 60; timeout 0.2 ./prog 4 x; ./prog 1; ./prog 2; exit 0";
    assert.equal(tangent("record", "--", "sh", "-c", script).status, 0);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("Ctrl-C ends it although a test never would, and what was found is kept", async () => {
    const child = await untilFound("--distance", "1");
    child.kill("SIGINT");
    assert.equal(await ended(child), 1);
    const { reason, findings } = results();
    assert.equal(reason, "aborted");
    assert.equal(findings.length, 1);
  });

  it("a kill loses nothing that was found, and what was done is not done again, which is told", async () => {
    rmSync(journal());
    const child = await untilFound("--distance", "0", "--again");
    await untilJournalled(child);
    child.kill("SIGKILL");
    await ended(child);
    const { status, stderr } = tangent("amplify", "--distance", "0", "--seed-time", "2s");
    assert.equal(status, 1, stderr);
    assert.match(stderr, /items? (was|were) done by an earlier campaign/);
    assert.equal(results().findings.length, 1);
  });

  it("a test that does not end is a limit that is counted, and the others are done", () => {
    const ran = tangent("amplify", "--distance", "0", "--seed-time", "1s", "--again");
    assert.equal(ran.status, 1, ran.stderr);
    const { seeds, notExplored } = results();
    assert.equal(seeds.filter(({ distance }) => distance === 0).length >= 5, true);
    assert.ok(
      Object.keys(notExplored).some((reason) => /limit/.test(reason)),
      JSON.stringify(notExplored),
    );
  });

  it("a journal of another version is told and not believed, nor is one with nonsense in it", () => {
    const lines = readFileSync(journal(), "utf8").split("\n");
    writeFileSync(journal(), [lines[0].replace(/"tool":"[^"]*"/, '"tool":"0.0.1"'), ...lines.slice(1)].join("\n"));
    const other = tangent("amplify", "--distance", "0", "--seed-time", "1s");
    assert.equal(other.status, 1, other.stderr);
    assert.match(other.stderr, /0\.0\.1.*done anew/);
    assert.equal(/done by an earlier campaign/.test(other.stderr), false);
    const header = readFileSync(journal(), "utf8").split("\n")[0];
    const ids = results().seeds.map(({ id }) => id);
    const forged = ids.map((id) => JSON.stringify({ item: `${id}/0`, memory: { path: 7, ms: {}, blocks: "%" } }));
    writeFileSync(journal(), [header, ...forged, "{{{", ""].join("\n"));
    const nonsense = tangent("amplify", "--distance", "0", "--seed-time", "1s");
    assert.equal(nonsense.status, 1, nonsense.stderr);
    assert.match(nonsense.stderr, /a line makes no sense and is ignored/);
    assert.equal(/done by an earlier campaign/.test(nonsense.stderr), false);
  });

  it("several threads find the same", () => {
    const findingsWith = (workers: string): unknown => {
      const some = results().seeds.filter(({ command }) => command.length < 3);
      const ids = some.map(({ id }) => id);
      const { status, stderr } = tangent("amplify", "--distance", "1", "--again", "--jobs", workers, ...ids);
      assert.equal(status, 1, stderr);
      // How much was asked depends on which tests a short look was enough for, and so on the machine.
      const { findings, seeds } = results();
      return {
        findings: findings.map(({ id, identity, seedId, distance }) => ({ id, identity, seedId, distance })),
        seeds: seeds.map(({ id, distance, skipped }) => ({ id, distance, skipped })),
      };
    };
    assert.deepEqual(findingsWith("3"), findingsWith("1"));
  });
});
