import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { earlierFindings, forgetFindings, keepFinding, latestSeeds } from "./earlier-findings.js";
import { ProjectFolder } from "./project-folder.js";
import type { Seed } from "./seed.js";

const root = mkdtempSync(join(tmpdir(), "tangent-findings-"));
after(() => rmSync(root, { recursive: true, force: true }));
const seed = (id: string, program = "p", programContent = "c"): Seed => ({
  id,
  program,
  programContent,
  arguments: [],
  environment: [],
  workingDirectory: "/",
  umask: 0,
  stdin: { kind: "empty" },
  files: [],
  end: { kind: "unknown" },
  recorded: { at: "", milliseconds: 0, times: 1 },
});

const isFinding = (value: unknown): value is { id: string; seedId: string } =>
  typeof value === "object" && value !== null && /^f/.test((value as { id: string }).id);

describe("findings of earlier runs", () => {
  it("stand while their seed does, once each, and survive a line that was cut short", () => {
    const folder = new ProjectFolder(root);
    for (const [id, seedId] of [
      ["f1", "s1"],
      ["f2", "s1"],
      ["f3", "gone"],
      ["f1", "s2"],
    ]) {
      assert.ok(keepFinding(folder, "findings.journal", { id, seedId }));
    }
    appendFileSync(folder.file("findings.journal"), 'null\n7\n{"id":"../f5","seedId":"s1"}\n{"id": "f4", "see');
    const seeds = [seed("s1"), seed("s2")];
    const known = [{ id: "f2", seedId: "s1" }];
    const earlier = earlierFindings(folder, "findings.journal", seeds, known, isFinding);
    assert.deepEqual(earlier, [{ id: "f1", seedId: "s1" }]);
    assert.deepEqual(earlierFindings(folder, "compose-findings.journal", seeds, [], isFinding), []);
  });

  it("what one technique forgets, another keeps", () => {
    const folder = new ProjectFolder(root);
    const kept = { id: "f9", seedId: "s1" };
    assert.ok(keepFinding(folder, "compose-findings.journal", kept));
    forgetFindings(folder, "findings.journal");
    assert.deepEqual(earlierFindings(folder, "findings.journal", [seed("s1")], [], isFinding), []);
    assert.deepEqual(earlierFindings(folder, "compose-findings.journal", [seed("s1")], [], isFinding), [kept]);
  });

  it("seeds of an older build of a program are left out once the new one was recorded", () => {
    const seeds = [seed("1", "a", "old"), seed("2", "b", "x"), seed("3", "a", "new"), seed("4", "a", "new")];
    assert.deepEqual(
      latestSeeds(seeds).map(({ id }) => id),
      ["2", "3", "4"],
    );
  });
});
