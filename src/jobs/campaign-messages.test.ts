import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { keepFinding } from "../project/earlier-findings.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { result } from "../report/result-fixture.js";
import { ToldEarlier } from "./campaign-messages.js";

const root = mkdtempSync(join(tmpdir(), "tangent-told-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("what an earlier campaign has told is not new at another distance, as long as its test stands", () => {
  const folder = new ProjectFolder(root);
  const [found] = result().findings;
  assert.ok(keepFinding(folder, "findings.journal", found));
  const seeds = [{ id: found.seedId }] as unknown as Seed[];
  const told = new ToldEarlier(folder, "findings.journal", seeds);
  const again = { ...found, distance: found.distance + 2 };
  assert.ok(told.has(again));
  assert.equal(told.asTold(again).distance, found.distance);
  const other = { ...again, id: "0".repeat(found.id.length) };
  assert.ok(!told.has(other));
  assert.equal(told.asTold(other), other);
  assert.ok(!new ToldEarlier(folder, "findings.journal", []).has(again), "its test is gone");
  assert.ok(!new ToldEarlier(folder, "compose-findings.journal", seeds).has(again), "another technique's");
});
