import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ItemEvent } from "../campaign/technique.js";
import { compileUnit } from "../engine/unit-fixture.js";
import { loadModule } from "../jit/load-module.js";
import { BlobStore } from "../project/blob-store.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { FindingTeller, type FoundEvent } from "./tell-finding.js";
import { DEFAULT_TEST_LIMITS } from "./test-limits.js";
import { testOfSeed } from "./test-of-seed.js";

const root = mkdtempSync(join(tmpdir(), "tangent-teller-"));
after(() => rmSync(root, { recursive: true }));

/** No time is enough to see that it fails. */
const SOURCE = `
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char c = 0;
  read(0, &c, 1);
  if (c == 'x') for (volatile unsigned n = 0; n < 4000000000u; n++) ;
  if (c == 'x') abort();
  return 0;
}
`;

test("a failure that there is no time to confirm is told as seen, with an input that replay finds", async () => {
  const folder = new ProjectFolder(root);
  const image = await compileUnit(SOURCE);
  const seed: Seed = {
    id: "0123456789abcdef",
    program: join(root, "slow"),
    programContent: "0".repeat(64),
    arguments: ["./slow"],
    environment: [],
    workingDirectory: root,
    umask: 0o22,
    stdin: { kind: "bytes", content: new BlobStore(folder).put(Buffer.from("a")), regularFile: false },
    files: [],
    tree: [],
    end: { kind: "exit", code: 0 },
    recorded: { at: "2026-11-16T00:00:00Z", milliseconds: 1, times: 1 },
  };
  const setup = { ...DEFAULT_TEST_LIMITS, root };
  const made = testOfSeed(seed, setup);
  if (made.kind === "broken") assert.fail(made.problem);
  const told: ItemEvent[] = [];
  const tell = (event: ItemEvent): void => void told.push(event);
  const context = { image, module: loadModule(image), extra: {}, timeMs: 0, abort: { aborted: false }, tell };
  const finding = { kind: "abort", stackKey: "main:8", site: null };
  const event = { kind: "finding-confirmed", finding, input: Buffer.from("x"), smaller: null, depth: 1 };
  const teller = new FindingTeller(context, { seed, test: made.test, isMade: false }, setup);
  const answer = teller.tell(event as unknown as FoundEvent, (input) => [
    { name: "stdin", occurrence: 0, bytes: input },
  ]);
  assert.equal(answer, "rejected");
  assert.deepEqual(
    told.map(({ kind }) => kind),
    ["confirming", "seen", "judged"],
  );
  const [confirming, seen] = told;
  assert.ok(confirming.kind === "confirming" && confirming.seed === seed);
  assert.equal(Buffer.from(confirming.witness[0].bytes).toString(), "x");
  if (seen.kind !== "seen") assert.fail(seen.kind);
  assert.equal(seen.what, "abort");
  const kept = new SeedStore(folder, "made").find(seen.id);
  assert.ok(kept?.stdin.kind === "bytes");
  assert.equal(new BlobStore(folder).get(kept.stdin.content)?.toString(), "x");
});
