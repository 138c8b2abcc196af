import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ItemContext, ItemEvent } from "../../campaign/technique.js";
import { reading } from "../../inputs/invocation-fixture.js";
import { loadModule } from "../../jit/load-module.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedOfInvocation } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import { type UnitProgram, unitProgram } from "../unit/unit-program-fixture.js";
import { composeSetup } from "./compose-setup-fixture.js";
import type { WholeResult, WholeWork } from "./compose-work.js";
import { runWhole } from "./whole-run.js";

/** Before it fails there are two checks that can be asked about. */
const SOURCE = `
#include <stdio.h>
static char table[128];
int main(void) {
  char line[16];
  if (!fgets(line, sizeof line, stdin)) return 1;
  table[line[1] & 127]++;
  table[(line[2] * 3) & 127]++;
  if (line[0] == 'x') *(volatile char *)0 = 1;
  return 0;
}
`;

describe("a whole run of an input that was made", () => {
  let unit: UnitProgram;
  let root: string;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), "tangent-whole-"));
    unit = await unitProgram(SOURCE);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const run = (part: Partial<WholeWork>): { readonly result: WholeResult; readonly findings: readonly ItemEvent[] } => {
    const events: ItemEvent[] = [];
    const blobs = new BlobStore(new ProjectFolder(root));
    const seed = seedOfInvocation(reading("xab\n"), { program: "/prog", programContent: "p" }, blobs);
    const context: ItemContext = {
      image: unit.image,
      module: loadModule(unit.image),
      extra: {},
      timeMs: 60_000,
      abort: { aborted: false },
      tell: (event) => events.push(event),
    };
    const work = {
      kind: "whole",
      seed,
      isMade: true,
      conditions: [],
      explores: false,
      timeMs: 60_000,
      ...part,
    } as const;
    const outcome = runWhole(work, composeSetup(root), context);
    assert.ok(outcome.kind === "report");
    return { result: outcome.report.result, findings: events.filter(({ kind }) => kind === "finding") };
  };

  it("asks no questions on the way to a failure that is known", () => {
    const { result, findings } = run({});
    assert.equal(findings.length, 1);
    assert.equal(result.accounts.solverMs, 0);
  });

  it("asks them where paths are explored", () => {
    const { result } = run({ explores: true, timeMs: 5000 });
    assert.ok(result.accounts.solverMs > 0);
  });
});
