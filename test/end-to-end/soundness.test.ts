// A small part of `npm run qualify:soundness` for every day: some programs of the corpus under the truth oracle, with their
// variables or their stated input symbolic, on their seed, on random inputs, and explored for some paths.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { examine } from "../../scripts/soundness/examine.js";
import { Subjects } from "../../scripts/soundness/subjects.js";

const LANGUAGE = ["static-locals"];
const EXPLORE = [
  "libc-strtol",
  "store-then-same-test",
  "symbolic-store",
  "table-crc",
  "union-views",
  "wide-int128",
  "memcpy-overlap",
  "minimum-maximum",
  "nan-from-zero",
  "round-half-away",
  "variadic",
];
/** Random programs of floating point, by seed. */
const FLOATS = [1, 2];

const work = mkdtempSync(join(tmpdir(), "tangent-soundness-"));
after(() => rmSync(work, { recursive: true, force: true }));
/** Paths, not time, end an exploration here: a test must not depend on how busy the machine is. */
const AMOUNTS = { exploreMs: 300_000, explorePaths: 60, queries: 0, z3Ms: 0, randomInputs: 5, native: false };
const subjects = new Subjects(work, AMOUNTS);
/** Each question is hard there. */
const hard = new Subjects(work, { ...AMOUNTS, explorePaths: 4 });

describe("soundness: whatever a run tells of its path is true of its input, and predictions come true", () => {
  const floats = FLOATS.map((seed) => hard.floats(seed));
  for (const candidate of [...subjects.language(), ...subjects.explore(), ...floats]) {
    const { group, name } = candidate;
    if (group !== "floats" && !(group === "language" ? LANGUAGE : EXPLORE).includes(name)) continue;
    test(`${name} (${group})`, async () => {
      const subject = candidate.make();
      assert.ok(subject !== null);
      const report = await examine(subject);
      assert.equal(report.skipped, null);
      assert.deepEqual(report.wrong, []);
      assert.ok(report.conditions > 0, "nothing was symbolic");
      assert.ok(group === "language" || report.revived > 0, "no other path was found");
    });
  }
});
