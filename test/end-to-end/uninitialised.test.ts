// Uses of what was never set: in each program of test/programs/uninitialised the error is reported at a line that it marks,
// with where it comes from, and of its correct twin nothing is.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isTriedDaily } from "./daily-twins.js";
import { FOLDER, markedLines, programNames, reportedLines, runUninitialised } from "./uninitialised-fixture.js";

describe("programs that use what they never set", () => {
  for (const [index, name] of programNames().entries()) {
    const file = join(FOLDER, `${name}.c`);
    it(`${name} is reported at its line, and again`, async () => {
      const run = await runUninitialised(file, ["-g"]);
      const marked = markedLines(name);
      const lines = reportedLines(run);
      assert.notDeepEqual(lines, []);
      assert.ok(
        lines.every((line) => line === 0 || marked.includes(line)),
        `${lines.join()} instead of ${marked.join()}`,
      );
      for (const finding of run.uninitialised) {
        assert.equal(finding.confirmed, true);
        assert.notEqual(finding.object, null, finding.message);
      }
    });
    if (!isTriedDaily(index)) continue;
    it(`${name}, mended, is not`, async () => {
      const run = await runUninitialised(file, ["-g", "-DFIXED"]);
      assert.deepEqual(
        run.uninitialised.map(({ message, stack }) => [message, stack]),
        [],
      );
      assert.equal(run.finding, null);
      assert.equal(run.result.end.kind, "exit");
    });
  }
});
