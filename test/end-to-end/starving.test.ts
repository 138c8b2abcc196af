// Programs in the style of Test-Comp's tasks (test/programs/starving): on most paths they loop or recurse without end, and beside these lies an
// error. With default options it is found in most, because long runs are set aside.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { explore, PLAIN_EXPLORATION } from "./explore-fixture.js";

const PROGRAMS = resolve(import.meta.dirname, "../../../test/programs/starving");
/** Not found in 40 s; of the first it is known that the time goes to the solver. */
const TOO_HARD: readonly string[] = ["array-of-unknowns.c", "collatz.c", "gcd-by-subtraction.c"];
const STOP = "--stop-at-first=assertion-failure";

describe("starving", { concurrency: Math.min(2, availableParallelism()) }, () => {
  for (const name of readdirSync(PROGRAMS).sort()) {
    test(name, { skip: TOO_HARD.includes(name) ? "not found yet" : false }, async () => {
      // Stopped long before, unless something is wrong.
      const options = [STOP, "--max-time", "240s"];
      const program = join(PROGRAMS, name);
      const reply = await explore({ ...PLAIN_EXPLORATION, program, options, timeLimitMs: 300_000 });
      assert.ok(reply.kind === "explored", reply.kind === "failed" ? reply.message : "");
      const { findings, numbers } = reply;
      assert.ok(
        findings.some(({ stack }) => stack.some((frame) => frame.function === "reach_error")),
        JSON.stringify(numbers),
      );
      assert.equal(numbers.reason, "first-finding");
      assert.equal(numbers.complete, false);
      assert.equal(numbers.divergences, 0);
    });
  }

  test("several threads find it too, and set runs aside", async () => {
    const program = join(PROGRAMS, "event-loop.c");
    const options = ["--workers", "2", STOP, "--max-time", "240s"];
    const reply = await explore({ ...PLAIN_EXPLORATION, program, options, timeLimitMs: 300_000 });
    assert.ok(reply.kind === "explored", reply.kind === "failed" ? reply.message : "");
    assert.ok(reply.findings.some(({ kind }) => kind === "assertion-failure"));
    assert.equal(reply.numbers.reason, "first-finding");
    assert.equal(reply.numbers.divergences, 0);
  });
});
