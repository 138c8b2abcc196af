// A run that whoever watches it stops leaves nothing open: an exploration has thousands of such runs.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RunStopped } from "../path/run-stopped.js";
import { QUIET } from "./finding-ledger.js";
import { hookedTest } from "./hooked-program.js";
import { compileUnit, testWith } from "./unit-fixture.js";

const RUNS = 40;
const openFiles = (): number => readdirSync("/proc/self/fd").length;

describe("a run that is stopped", () => {
  it("closes the real files that it had open", async () => {
    await leavesNothingOpen("return stopped(fgetc(file));");
  });

  it("closes those of a process that it started and that never ran", async () => {
    await leavesNothingOpen("if (fork() == 0) return 0; return stopped(fgetc(file));");
  });

  it("closes those of a process that ran, and of the life it had before its birth", async () => {
    await leavesNothingOpen("if (fork() == 0) return 0; wait(0); return stopped(fgetc(file));");
  });
});

/** `rest` of main, which has a file open and calls stopped(). */
async function leavesNothingOpen(rest: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tangent-open-"));
  try {
    const path = join(folder, "data.txt");
    writeFileSync(path, "some text\n");
    const image = await compileUnit(`
      #include <stdio.h>
      #include <sys/wait.h>
      #include <unistd.h>
      int stopped(int c) { return c; }
      int main(void) { FILE *file = fopen("${path}", "r"); if (!file) return 7; ${rest} }
    `);
    let seen = 0;
    const hook = (): never => {
      seen++;
      throw new RunStopped("assumption");
    };
    const execution = { heapBytes: 0x100_0000, seed: 1 };
    const made = hookedTest(image, testWith({}), execution, { hooks: [{ function: "stopped", hook }] });
    assert.ok(made.kind === "program");
    const { executor } = made;
    const limits = { instructions: 1e7, timeMs: 1e4 };
    executor.run(executor.firstInput, QUIET, limits);
    const before = openFiles();
    for (let n = 0; n < RUNS; n++) {
      const { end } = executor.run(executor.firstInput, QUIET, limits);
      assert.deepEqual(end, { kind: "stopped", reason: "assumption" });
    }
    assert.equal(seen, RUNS + 1);
    assert.ok(openFiles() <= before, `${openFiles()} are open, ${before} before`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
