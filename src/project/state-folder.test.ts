import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  forgetVanishedProjects,
  isSealed,
  ProjectState,
  pendingJournals,
  sealOf,
  stateDirectory,
} from "./state-folder.js";

const root = mkdtempSync(join(tmpdir(), "tangent-state-"));
after(() => rmSync(root, { recursive: true, force: true }));
const env = { TANGENT_STATE: join(root, "state") };
const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("state: TANGENT_STATE comes before XDG_STATE_HOME, which comes before ~/.local/state; relative ones are ignored", () => {
  assert.equal(stateDirectory({ TANGENT_STATE: "/a", XDG_STATE_HOME: "/b", HOME: "/c" }), "/a");
  assert.equal(stateDirectory({ TANGENT_STATE: "a", XDG_STATE_HOME: "/b", HOME: "/c" }), "/b/tangent");
  assert.equal(stateDirectory({ XDG_STATE_HOME: "b", HOME: "/c" }), "/c/.local/state/tangent");
});

test("state: it is for this user only, also where it was open before", () => {
  mkdirSync(env.TANGENT_STATE, { mode: 0o777 });
  chmodSync(env.TANGENT_STATE, 0o777);
  const state = new ProjectState(root, env);
  assert.equal(modeOf(state.file("a", "b").replace(/\/b$/, "")), 0o700);
  assert.equal(modeOf(env.TANGENT_STATE), 0o700);
  assert.equal(modeOf(state.directory("c")), 0o700);
});

test("state: what others could have written is not believed, and asking makes nothing", () => {
  const place = join(root, "shared");
  const asked = new ProjectState(root, { TANGENT_STATE: place });
  assert.equal(asked.known("x"), null);
  assert.equal(existsSync(place), false);
  mkdirSync(join(place, "pending"), { recursive: true });
  writeFileSync(join(place, "pending", "0.journal"), "");
  assert.equal(pendingJournals({ TANGENT_STATE: place }).length, 1);
  chmodSync(place, 0o777);
  assert.equal(asked.known("x"), null);
  assert.deepEqual(pendingJournals({ TANGENT_STATE: place }), []);
});

test("state: a project is known by its real path", () => {
  mkdirSync(join(root, "project"));
  symlinkSync("project", join(root, "link"));
  assert.equal(new ProjectState(join(root, "link"), env).path, new ProjectState(join(root, "project"), env).path);
  assert.notEqual(new ProjectState(root, env).path, new ProjectState(join(root, "project"), env).path);
});

test("state: what projects that are gone have left is forgotten, unless programs are still to be put back", () => {
  for (const name of ["gone", "owed"]) mkdirSync(join(root, name));
  const gone = new ProjectState(join(root, "gone"), env);
  const owed = new ProjectState(join(root, "owed"), env);
  const paths = [gone.path, owed.path];
  writeFileSync(owed.journal, "");
  assert.deepEqual(pendingJournals(env), [owed.journal]);
  for (const name of ["gone", "owed"]) rmSync(join(root, name), { recursive: true });
  forgetVanishedProjects(env);
  assert.deepEqual(paths.map(existsSync), [false, true]);
  rmSync(owed.journal);
  forgetVanishedProjects(env);
  assert.equal(existsSync(paths[1]), false);
});

test("state: a seal holds for one text, on one machine", () => {
  const seal = sealOf("text", env);
  assert.equal(isSealed("text", seal, env), true);
  for (const wrong of [
    "",
    seal.slice(1),
    `${seal}0`,
    seal.replace(/^./, (char) => (char === "0" ? "1" : "0")),
    7,
    null,
  ]) {
    assert.equal(isSealed("text", wrong, env), false);
  }
  assert.equal(isSealed("Text", seal, env), false);
  assert.equal(isSealed("text", seal, { TANGENT_STATE: join(root, "elsewhere") }), false);
  assert.equal(modeOf(join(env.TANGENT_STATE, "key")), 0o600);
});

test("state: where nothing can be made the message says what to do", () => {
  writeFileSync(join(root, "file"), "");
  assert.throws(
    () => new ProjectState(root, { TANGENT_STATE: join(root, "file", "state") }).path,
    /TANGENT_STATE may name/,
  );
});
