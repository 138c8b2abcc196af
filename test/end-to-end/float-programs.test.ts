// Floating point through Tangent: for every program of test/programs/floats (each day every second) the error it states is found, at its line, with an
// input that was derived and confirmed; nothing else is found, no prediction is wrong, and its correct twin raises no
// alarm. The comments are those of scripts/explore-expectations.ts; the stated witness is shown to fail natively by
// scripts/verify-explore.ts.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import { parseExploreExpectations } from "../../scripts/explore-expectations.js";
import { isTriedDaily } from "./daily-twins.js";
import { ExploreBatch } from "./explore-batch.js";
import { type ExploreReply, PLAIN_EXPLORATION } from "./explore-fixture.js";

const PROGRAMS = join(resolve(import.meta.dirname, "../../.."), "test/programs/floats");
const concurrency = Math.min(2, availableParallelism());
const batch = new ExploreBatch();
after(() => batch.close());
type Explored = Extract<ExploreReply, { kind: "explored" }>;

const programs = readdirSync(PROGRAMS)
  .filter((file) => file.endsWith(".c"))
  .sort()
  .map((file) => {
    const path = join(PROGRAMS, file);
    return { name: file.replace(/\.c$/, ""), path, expected: parseExploreExpectations(readFileSync(path, "latin1")) };
  });

function told(reply: Explored): string {
  const findings = reply.findings.map(({ kind, message, stack }) => `${kind} ${message} ${JSON.stringify(stack[0])}`);
  return [...findings, JSON.stringify(reply.numbers), reply.messages].join("\n");
}

async function exploreProgram(
  program: string,
  options: readonly string[],
  flags: readonly string[],
): Promise<Explored> {
  const reply = await batch.explore({ ...PLAIN_EXPLORATION, program, options, flags, timeLimitMs: 300_000 });
  assert.ok(reply.kind === "explored", reply.kind === "failed" ? reply.message : "");
  assert.equal(reply.numbers.divergences, 0, told(reply));
  assert.equal(reply.numbers.findingsNotReproduced + reply.numbers.unconfirmed, 0, told(reply));
  return reply;
}

describe("exploring floating point", { concurrency }, () => {
  for (const [index, { name, path, expected }] of programs.entries()) {
    if (!isTriedDaily(index, 2)) continue;
    test(name, async () => {
      assert.ok(expected.findings.length === 1 && expected.witness !== null && expected.runs.length === 1);
      const reply = await exploreProgram(path, expected.runs[0].options, []);
      assert.equal(reply.findings.length, 1, told(reply));
      const [{ alternatives, firstLine }] = expected.findings;
      const [{ kind, stack }] = reply.findings;
      assert.equal(kind, alternatives[0].kind, told(reply));
      assert.equal(stack.find(({ origin }) => origin === "program")?.line, firstLine, told(reply));
    });
    const { twin } = expected;
    if (twin === null || !isTriedDaily(index / 2)) continue;
    test(`${name}: its correct twin raises no alarm`, async () => {
      const reply = await exploreProgram(path, expected.runs[0].options, twin);
      assert.deepEqual(reply.findings, [], told(reply));
      assert.ok(reply.numbers.paths > 0);
    });
  }
});
