import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import type { Found, WorkItem } from "../campaign/technique.js";
import { BlobStore } from "../project/blob-store.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { Desk } from "./desk.js";

const root = mkdtempSync(join(tmpdir(), "tangent-desk-"));
after(() => rmSync(root, { recursive: true }));

const folder = new ProjectFolder(root);
const blobs = new BlobStore(folder);
const SEED: Seed = {
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
const ITEM = { key: "k", program: "p", label: "l", work: { seed: SEED, distance: 0 } } as unknown as WorkItem;

function found(input: Uint8Array): Found {
  const witness = [{ name: "stdin", occurrence: 0, bytes: input }];
  return { finding: { kind: "wild-access", message: "wild" }, witness, depth: 1 } as unknown as Found;
}

it("what is run again for workers has the campaign's time, its turn included; what that is too short for is kept", {
  timeout: 60_000,
}, async () => {
  const setup = { technique: "amplify", setup: { root }, env: {}, startable: [] };
  const desk = new Desk(new URL("./silent-thread-fixture.js", import.meta.url), setup);
  const program = { content: "c", path: "/none", name: "none" };
  const endMs = performance.now() + 200;
  // Nobody answers, neither to the loading nor to the runs, each of which would be waited for by itself.
  const inputs = ["x", "y", "z"].map((text) => Buffer.from(text));
  const all = await Promise.all(inputs.map((input) => desk.again({ program }, ITEM, found(input), endMs)));
  for (const [index, events] of all.entries()) {
    assert.equal(events.length, 1);
    const [seen] = events;
    if (seen.kind !== "seen") assert.fail(seen.kind);
    const kept = new SeedStore(folder, "made").find(seen.id);
    assert.ok(kept?.stdin.kind === "bytes");
    assert.deepEqual(blobs.get(kept.stdin.content), inputs[index]);
  }
  const large = await desk.again({ program }, ITEM, found(new Uint8Array(0x100_0001)), endMs);
  assert.deepEqual(large, [{ kind: "unconfirmed", what: "wild-access" }], "a worker does not fill the disk");
  desk.close();
});
