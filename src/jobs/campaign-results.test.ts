import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Campaign } from "../campaign/campaign.js";
import { FoundOnce } from "../campaign/found-once.js";
import type { WorkItem } from "../campaign/technique.js";
import { BlobStore } from "../project/blob-store.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import type { AmplifyResult, AmplifyWork } from "../techniques/amplify-item.js";
import { AmplifyResults } from "./amplify-results.js";

const root = mkdtempSync(join(tmpdir(), "tangent-cut-"));
after(() => rmSync(root, { recursive: true }));
const folder = new ProjectFolder(root);
const blobs = new BlobStore(folder);
const seed: Seed = {
  id: "0123456789abcdef",
  program: join(root, "prog"),
  programContent: "0".repeat(64),
  arguments: ["./prog"],
  environment: [],
  workingDirectory: root,
  umask: 0o22,
  stdin: { kind: "bytes", content: blobs.put(Buffer.from("a")), regularFile: false },
  files: [],
  tree: [],
  end: { kind: "exit", code: 0 },
  recorded: { at: "2026-11-16T00:00:00Z", milliseconds: 1, times: 1 },
};
const item: WorkItem<AmplifyWork> = {
  key: "item",
  program: seed.programContent,
  label: "./prog",
  work: { seed, distance: 0 },
};

function newResults(): AmplifyResults {
  const campaign = { found: new FoundOnce(), elapsedMs: () => 10 } as unknown as Campaign<AmplifyWork, AmplifyResult>;
  return new AmplifyResults(root, [seed], blobs, () => campaign);
}

/** The item runs a failure again, with this on its standard input. */
function confirm(results: AmplifyResults, text: string): void {
  const witness = [{ name: "stdin", occurrence: 0, bytes: Buffer.from(text) }];
  results.take({ kind: "item-event", item, event: { kind: "confirming", what: "abort", seed, witness } });
}

for (const how of ["cut", "lost"] as const) {
  test(`what an item was confirming when it was ${how} is told as seen, and its input is kept`, () => {
    const results = newResults();
    confirm(results, how);
    const told = results.take(
      how === "cut" ? { kind: "item-cut", item } : { kind: "item-lost", item, why: "overdue", message: "" },
    );
    const id = /seen but could not be confirmed in time: tangent replay ([0-9a-f]+)$/.exec(told ?? "")?.[1];
    assert.ok(id !== undefined, told ?? "nothing was told");
    assert.deepEqual(results.result("aborted", 10).seen, [id]);
    const kept = new SeedStore(folder, "made").find(id);
    assert.ok(kept?.stdin.kind === "bytes");
    assert.equal(blobs.get(kept.stdin.content)?.toString(), how);
  });
}

test("what was judged before the item was ended is not told as seen", () => {
  const results = newResults();
  confirm(results, "judged");
  results.take({ kind: "item-event", item, event: { kind: "judged" } });
  assert.equal(results.take({ kind: "item-cut", item }), null);
  assert.deepEqual(results.result("aborted", 10).seen, []);
});
