// Composition on small programs: failures deep in a function are lifted to main, and twins whose callers check are explained. Some of
// each kind; `npm run qualify:compose` does all of them.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assertComposed, composeEntry, describeComposition } from "./compose-fixture.js";
import { composeInProcess } from "./compose-in-process.js";
import { COMPOSE_PROGRAMS } from "./compose-manifest.js";

/** All of them take minutes. */
const CHOSEN = new Set([
  ...["paper", "ring-state", "two-chains", "expression-tree", "undo", "label-copy", "dotted-name", "two-wheels"],
  ...["dotted-name-twin", "two-wheels-twin", "paper-twin", "ring-state-twin", "label-copy-twin"],
]);
const BUDGET_MS = 20_000;

describeComposition((entry) => composeInProcess(entry, { budgetMs: BUDGET_MS, stopsAtMark: !entry.isTwin }), CHOSEN);

describe("results of units that are kept", () => {
  it("give the same findings as fresh ones, without exploring again", async () => {
    const root = mkdtempSync(join(tmpdir(), "tangent-compose-kept-"));
    const cache = { directory: join(root, "cache"), root };
    try {
      const program = COMPOSE_PROGRAMS.find(({ name }) => name === "two-chains");
      assert.ok(program !== undefined);
      const entry = composeEntry(program, false);
      const options = { budgetMs: BUDGET_MS, stopsAtMark: true, cache };
      const fresh = await composeInProcess(entry, options);
      const again = await composeInProcess(entry, options);
      assert.equal(fresh.totals.cached, 0);
      assert.ok(again.totals.cached > 0);
      assert.deepEqual(again.findings, fresh.findings);
      assertComposed(entry, again);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
