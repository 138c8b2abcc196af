// Edits of inputs (engine/input-tries.ts) lead where no question does: to a command whose name is only known by its hash.

import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { type ExploreReply, explore, PLAIN_EXPLORATION } from "./explore-fixture.js";

const PROGRAM = join(resolve(import.meta.dirname, "../../../test/programs/tried"), "hashed-words.c");

async function explored(options: readonly string[]): Promise<Extract<ExploreReply, { kind: "explored" }>> {
  const all = ["--sym-stdin", "14", "--stop-at-first", ...options];
  const reply = await explore({ ...PLAIN_EXPLORATION, program: PROGRAM, options: all, timeLimitMs: 300_000 });
  assert.ok(reply.kind === "explored", reply.kind === "failed" ? reply.message : "");
  assert.equal(reply.numbers.divergences, 0);
  return reply;
}

describe("edits of inputs", () => {
  test("a word of the program is put in, and the search goes on from there", async () => {
    // Stopped long before, unless something is wrong.
    const { findings, numbers } = await explored(["--max-time", "200s"]);
    assert.deepEqual(
      findings.map(({ kind, confirmed }) => `${kind} ${confirmed}`),
      ["assertion-failure true"],
      JSON.stringify(numbers),
    );
    assert.match(Buffer.from(findings[0].input.stdin, "hex").toString("latin1"), /transpose.*!$/s);
  });

  test("without them it is not found", async () => {
    const { findings, numbers } = await explored(["--try-edits", "no", "--max-paths", "2000", "--max-time", "60s"]);
    assert.deepEqual(findings, [], JSON.stringify(numbers));
  });
});
