import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isInputOurs, isSeedOurs, noteInputs, noteSeeds } from "./made-here.js";
import type { Seed } from "./seed.js";
import { seedId } from "./seed-store.js";
import { ProjectState } from "./state-folder.js";

const root = mkdtempSync(join(tmpdir(), "tangent-made-"));
after(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, "other"));
const env = { TANGENT_STATE: join(root, "state") };
const state = new ProjectState(root, env);
const content: Omit<Seed, "id" | "recorded"> = {
  program: "/p",
  programContent: "0".repeat(64),
  arguments: ["p", "a"],
  environment: [],
  workingDirectory: "/",
  umask: 0o022,
  stdin: { kind: "empty" },
  files: [],
  end: { kind: "exit", code: 0 },
};
const seed: Seed = { id: seedId(content), ...content, recorded: { at: "", milliseconds: 0, times: 1 } };

test("made here: a seed is ours if it was recorded in this project, and nothing of it was changed", () => {
  assert.equal(isSeedOurs(state, seed), false);
  noteSeeds(state, [seed.id]);
  assert.equal(isSeedOurs(state, seed), true);
  assert.equal(isSeedOurs(state, { ...seed, arguments: ["p", "-rf"] }), false);
  const other = { ...content, arguments: ["p", "-rf"] };
  assert.equal(isSeedOurs(state, { ...seed, ...other, id: seedId(other) }), false);
  assert.equal(isSeedOurs(new ProjectState(join(root, "other"), env), seed), false);
});

test("made here: an input is ours if it was found here, whatever else its finding says", () => {
  const found = { seedId: seed.id, inputs: [{ name: "arg0", seed: "YQ==", witness: "Yg==" }] };
  assert.equal(isInputOurs(state, found), false);
  noteInputs(state, [found, found]);
  assert.equal(isInputOurs(state, { ...found }), true);
  assert.equal(isInputOurs(state, { ...found, inputs: [{ name: "arg0", witness: "LXJm" }] }), false);
  assert.equal(isInputOurs(state, { ...found, seedId: "1" }), false);
});
