import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BlobStore } from "./blob-store.js";
import { ProjectFolder } from "./project-folder.js";
import { SeedStore } from "./seed-store.js";

const root = mkdtempSync(join(tmpdir(), "tangent-seeds-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("seed store: a link in the place of a seed is passed over, wherever it leads", () => {
  const seeds = join(root, "linked", ".tangent", "seeds");
  mkdirSync(seeds, { recursive: true });
  symlinkSync("/dev/zero", join(seeds, "aa.json"));
  writeFileSync(join(root, "outside.json"), "{}");
  symlinkSync(join(root, "outside.json"), join(seeds, "bb.json"));
  const store = new SeedStore(new ProjectFolder(join(root, "linked")));
  assert.deepEqual(store.list(), []);
  assert.deepEqual([...store.unreadable].sort(), ["aa.json", "bb.json"]);
});

test("seed store: looking makes no folder, so that nothing becomes a project by it", () => {
  const folder = new ProjectFolder(join(root, "plain"));
  mkdirSync(folder.root);
  assert.deepEqual(new SeedStore(folder).list(), []);
  assert.equal(new BlobStore(folder).get("0".repeat(64)), null);
  assert.match(folder.known("report", "results.json"), /plain\/\.tangent\/report\/results\.json$/);
  assert.equal(existsSync(folder.path), false);
});
