// Composition on odd programs (compose-odd-programs.ts): nothing is thrown, and what is told is true. Once with a little time, and once cut
// short at every item: then units are not done, and nothing is told of them either.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ComposeTechnique, DEFAULT_COMPOSE_PLAN } from "../../src/techniques/compose/compose-technique.js";
import { composeInProcess, type InProcessOptions, type InProcessResult } from "./compose-in-process.js";
import { ODD_PROGRAMS, type OddProgram } from "./compose-odd-programs.js";
import { TRIES_ALL } from "./daily-twins.js";

/** Those that look for a failure stop when they have it. */
const BUDGET_MS = 8_000;
/** Of those in which there is nothing to be found some go on to the end; the whole time is theirs when all is tried. */
const VAIN_BUDGET_MS = TRIES_ALL ? BUDGET_MS : 3_000;
const MARK = "// FAILS";

async function composed(odd: OddProgram, options: Partial<InProcessOptions> = {}): Promise<InProcessResult> {
  const folder = mkdtempSync(join(tmpdir(), "tangent-odd-"));
  try {
    const source = join(folder, "odd.c");
    writeFileSync(source, odd.source);
    const [line = 0] = markedLines(odd);
    const entry = { source, line, program: odd };
    const trace = process.env.TANGENT_TRACE === undefined ? {} : { trace: (text: string) => console.error(text) };
    return await composeInProcess(entry, {
      budgetMs: odd.isFound === true ? BUDGET_MS : VAIN_BUDGET_MS,
      stopsAtMark: odd.isFound === true,
      ...trace,
      ...options,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function markedLines({ source }: OddProgram): readonly number[] {
  return source.split("\n").flatMap((line, index) => (line.endsWith(MARK) ? [index + 1] : []));
}

describe("composition of odd programs", () => {
  for (const odd of ODD_PROGRAMS) {
    it(`${odd.name}: only what can happen is told`, async () => {
      const { findings, targets } = await composed(odd);
      const marked = markedLines(odd);
      const wrong = findings.filter(({ line }) => !marked.includes(line));
      assert.deepEqual(wrong, [], JSON.stringify(targets, null, 1));
      if (odd.isFound !== true) return;
      const lines = new Set(findings.map(({ line }) => line));
      assert.deepEqual([...lines], marked, JSON.stringify(targets, null, 1));
    });
  }
});

describe("composition that is cut short", () => {
  for (const name of ["direct recursion", "setjmp and longjmp", "types that are hard to make"]) {
    const odd = ODD_PROGRAMS.find((one) => one.name === name);
    assert.ok(odd);
    it(`${name}: an item without time is not done, and no function is called untestable`, async () => {
      const { findings, functions, unfinished } = await composed(odd, {
        itemMs: 1,
        budgetMs: 3_000,
        stopsAtMark: false,
      });
      // The first run of a test, and what fails next to it, may be known before anybody looks at the clock.
      const marked = markedLines(odd);
      assert.deepEqual(
        findings.filter(({ line }) => !marked.includes(line)),
        [],
      );
      assert.deepEqual(
        functions.flatMap(({ problem }) => problem ?? []),
        [],
      );
      assert.ok(unfinished > 0, "they are done by the next campaign");
    });
    it(`${name}: whoever stops the profile gets nothing, and no complaint`, async () => {
      const { findings } = await composed(odd, { isAborted: true, budgetMs: 3_000 });
      assert.deepEqual(findings, []);
    });
  }

  it("without tests there is nothing to do", () => {
    const technique = new ComposeTechnique([], [], DEFAULT_COMPOSE_PLAN);
    assert.equal(technique.nextRound(), null);
    assert.equal(technique.totals().units, 0);
  });
});
