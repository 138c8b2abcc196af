// What is exported was run: a small native program, kept as if it had been recorded here, and inputs that a campaign may have found.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { contentHash } from "../project/content-hash.js";
import { noteInputs, noteSeeds } from "../project/made-here.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { type SeedContent, SeedStore, seedId } from "../project/seed-store.js";
import { keepProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { testOfFinding } from "../report/finding-test.js";
import { pathsBelow } from "../report/finding-view.js";
import { foundInputOf } from "../report/patch-export.js";
import { patchInput, patchResult, patchTarget } from "../report/patch-fixture.js";
import type { PatchInput, PatchObserved } from "../report/patch-result.js";
import { finding } from "../report/result-fixture.js";
import { exportedPatchTests, exportedRegression } from "./exported-tests.js";

const root = mkdtempSync(join(tmpdir(), "tangent-exported-"));
after(() => rmSync(root, { recursive: true, force: true }));

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "crash")) abort();
  if (!strcmp(what, "mark")) { FILE *f = fopen(argv[2], "w"); if (f) fclose(f); }
  if (!strcmp(what, "other")) return 5;
  if (!strcmp(what, "child")) { fflush(stdout); return system("echo from a child") != 0; }
  if (!strcmp(what, "asked")) { if (access("asked", R_OK)) return 4; }
  if (!strcmp(what, "wait")) for (;;) pause();
  if (!strcmp(what, "time")) printf("it is %lld\\n%p\\n%d\\n", (long long)time(0), (void *)&argc, (int)getpid());
  printf("%s: done\\n", argv[0]);
  return 0;
}
`;
const program = join(root, "prog");
writeFileSync(join(root, "prog.c"), SOURCE);
const isCompiled = spawnSync("cc", ["-w", "-o", program, join(root, "prog.c")]).status === 0;
const skip = isCompiled ? false : "needs a C compiler";

const env = { ...process.env, TANGENT_STATE: join(root, "state") };
const folder = new ProjectFolder(root);
const state = new ProjectState(root, env);
const ground = { folder, state, env };

function kept(words: readonly string[], store: "seeds" | "made"): Seed {
  const content: SeedContent = {
    program,
    programContent: contentHash(program) ?? "",
    arguments: ["./prog", ...words],
    environment: [],
    workingDirectory: root,
    umask: 0o022,
    stdin: { kind: "empty" },
    files: [],
    end: { kind: "exit", code: 0 },
  };
  const seed = { ...content, id: seedId(content), recorded: { at: "", milliseconds: 0, times: 1 } };
  new SeedStore(folder, store).add(seed);
  noteSeeds(state, [seed.id]);
  return seed;
}

const SILENT: PatchObserved = { status: 0, stdout: "", stderr: "", varies: [], how: "exit" };

/** As a campaign has found it, with what the machine says of it. */
function input(words: readonly string[], parts: Partial<PatchInput> = {}): PatchInput {
  const { id } = kept(words, "made");
  const own = { program, workingDirectory: root, environment: [], stdin: null, tree: [], observed: SILENT };
  return patchInput({ id, seedId: kept([], "seeds").id, command: ["./prog", ...words], ...own, ...parts });
}

function exported(inputs: readonly PatchInput[], ours = inputs) {
  noteInputs(state, ours.map(foundInputOf));
  const targets = inputs.map((_, index) =>
    patchTarget(index + 1, { kind: "reached", input: index, by: "move", milliseconds: 1 }, { file: "p.c" }),
  );
  return exportedPatchTests(ground, patchResult({ project: root, inputs, targets }), "shell");
}

describe("exported tests of changed lines", { skip }, () => {
  before(() => keepProgram(state, program, { content: contentHash(program) ?? "", libraries: [] }, 0o755));

  it("expect what the native program does, and pass; the rest is not written, with the reason", () => {
    const asked = { kind: "sized", path: join(root, "asked"), size: 7, mode: 0o644 } as const;
    const { scripts, left } = exported([
      input(["steady"]),
      input(["time"], { observed: { ...SILENT, varies: ["stdout"] } }),
      // The machine has started nothing, so that it saw another end, and nothing printed.
      input(["child"], { observed: { ...SILENT, status: 1, isRefused: true } }),
      input(["asked"], { tree: [asked] }),
      input(["other"]),
      input(["crash"]),
      input(["steady", "again"], { end: "abort in main", observed: { ...SILENT, status: null, how: "finding" } }),
      input(["steady", "gone"], { id: "0123456789abcdef" }),
    ]);
    assert.deepEqual(
      scripts.map(({ name }) => name),
      ["tangent-p-c-1.sh", "tangent-p-c-2.sh", "tangent-p-c-3.sh", "tangent-p-c-4.sh"],
    );
    assert.deepEqual(
      left.map(({ name }) => name),
      ["tangent-p-c-5.sh", "tangent-p-c-6.sh", "tangent-p-c-7.sh", "tangent-p-c-8.sh"],
    );
    const reasons = [
      /natively it ends with status 5, in tangent's machine with 0/,
      /ended by a signal \(status 134\)/,
      /the program fails with it \(abort in main\)/,
      /no longer there/,
    ];
    for (const [at, reason] of reasons.entries()) assert.match(left[at].why, reason);
    for (const { name, text } of scripts) {
      const { status, stdout } = spawnSync("sh", ["-c", text], { cwd: root, encoding: "utf8" });
      assert.equal(status, 0, `${name}: ${stdout}`);
    }
    const [steady, time, child] = scripts.map(({ text }) => text);
    assert.match(steady, /^<program>: done$/m);
    assert.match(time, /^<not compared>\n<not compared>\n<not compared>\n<program>: done$/m);
    assert.match(child, /^from a child$/m);
  });

  it("without an end: not written, and nothing is left running", () => {
    const { left } = exported([input(["wait"])]);
    assert.match(left[0].why, /natively it did not end within 10 s/);
    const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
    assert.equal(stdout.split("\n").filter((line) => line.startsWith(`${program} wait`)).length, 0);
  });

  it("an input that was not found here never runs natively", () => {
    const mark = join(root, "marked");
    const { scripts, left } = exported([input(["mark", mark], { workingDirectory: "/elsewhere" })], []);
    assert.equal(scripts.length, 0);
    assert.equal(left.length, 1);
    assert.equal(existsSync(mark), false);
  });
});

describe("exported findings", { skip }, () => {
  const of = (words: readonly string[], isOurs = true) => {
    const one = finding({ seedId: kept(words, "seeds").id, kind: "abort", inputs: [], confirmed: "vm" });
    if (isOurs) noteInputs(state, [one]);
    const test = testOfFinding(folder, one);
    assert.ok(test.kind === "test");
    return exportedRegression(ground, one, test, "shell", pathsBelow(root));
  };

  it("a test that fails is written as one of the native program, one that does not is left", () => {
    const made = of(["crash"]);
    assert.ok("text" in made, JSON.stringify(made));
    const { status, stdout } = spawnSync("sh", ["-c", made.text], { cwd: root, encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stdout, /FAILED: abort/);
    // Its program has no IR, so that nothing of it runs in the machine either.
    const other = of(["steady"]);
    assert.ok("why" in other);
  });

  it("an input that was not found here never runs natively", () => {
    const mark = join(root, "marked too");
    assert.ok("why" in of(["mark", mark], false));
    assert.equal(existsSync(mark), false);
  });
});
