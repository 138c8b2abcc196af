import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BlobStore } from "./blob-store.js";
import { ProjectFolder } from "./project-folder.js";
import type { Seed, SeedEntry } from "./seed.js";
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

test("seed store: a tree is what a recorder could have written, or the seed is none", () => {
  const folder = new ProjectFolder(join(root, "trees"));
  const store = new SeedStore(folder);
  const entry: SeedEntry = { kind: "file", path: "/w/x", mode: 0o644, size: 1, links: 1, seconds: 5, nanoseconds: 0 };
  const seed: Seed = {
    ...{ id: "a0", program: "/w/p", programContent: "c", arguments: ["p"], environment: [], workingDirectory: "/w" },
    ...{ umask: 0, stdin: { kind: "empty" }, files: [], tree: [entry], end: { kind: "unknown" } },
    recorded: { at: "", milliseconds: 1, times: 1 },
  };
  store.add(seed);
  assert.deepEqual(store.list(), [seed]);
  const wrong: readonly object[] = [
    ...["w/x", "/w/../x", "/w/./x", "/w//x", "/w/", "/", "/w/a\0b", `/${"n".repeat(256)}`].map((path) => ({ path })),
    ...[{ kind: "door" }, { mode: 0o10000 }, { mode: -1 }, { size: -1 }, { size: 0.5 }, { seconds: 0.5 }],
    ...[{ nanoseconds: 1e9 }, { links: -1 }, { inode: 0.5 }, { to: "" }, { to: 5 }, { isWhole: 1 }],
  ];
  for (const change of wrong) {
    store.add({ ...seed, tree: [entry, { ...entry, ...change }] });
    assert.deepEqual(store.list(), [], JSON.stringify(change));
    assert.deepEqual(store.unreadable, ["a0.json"]);
  }
});
