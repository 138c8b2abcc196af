import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "./config.js";
import { findProject, ProjectFolder, writeSafely } from "./project-folder.js";

const root = mkdtempSync(join(tmpdir(), "tangent-folder-"));
after(() => rmSync(root, { recursive: true, force: true }));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("project folder: it and what is in it are for this user only, also if a checkout made it", () => {
  const project = join(root, "modes");
  mkdirSync(join(project, ".tangent"), { recursive: true });
  chmodSync(join(project, ".tangent"), 0o755);
  const folder = new ProjectFolder(project);
  assert.equal(modeOf(folder.directory("a", "b")), 0o700);
  assert.equal(modeOf(folder.path), 0o700);
  writeSafely(folder.file("x"), "1", 0o600);
  assert.equal(modeOf(folder.file("x")), 0o600);
});

test("project folder: a link on the way, or at the end, is refused, and nothing is made behind it", () => {
  const outside = join(root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "file"), "as it was");
  const place = (name: string): ProjectFolder => {
    mkdirSync(join(root, name, ".tangent"), { recursive: true });
    return new ProjectFolder(join(root, name));
  };
  const whole = place("whole");
  rmSync(whole.path, { recursive: true });
  symlinkSync(outside, whole.path);
  assert.throws(() => whole.file("x"), /whole\/\.tangent' is a symbolic link/);
  const part = place("part");
  symlinkSync(outside, join(part.path, "report"));
  assert.throws(() => part.file("report", "results.json"), /report' is a symbolic link/);
  assert.throws(() => part.directory("report", "deep", "er"), /report' is a symbolic link/);
  const end = place("end");
  symlinkSync(join(outside, "file"), join(end.path, "journal"));
  assert.throws(() => end.file("journal"), { code: "ELOOP" });
  assert.throws(() => end.known("journal"), { code: "ELOOP" });
  assert.throws(() => part.known("report", "results.json"), /report' is a symbolic link/);
  assert.throws(() => whole.known("x"), /whole\/\.tangent' is a symbolic link/);
  const nowhere = place("nowhere");
  symlinkSync(join(outside, "new"), join(nowhere.path, "journal"));
  assert.throws(() => nowhere.file("journal"), { code: "ELOOP" });
  assert.deepEqual(readdirSync(outside), ["file"]);
  assert.equal(readFileSync(join(outside, "file"), "utf8"), "as it was");
});

test("project folder: no name leads out of it", () => {
  mkdirSync(join(root, "inside"));
  const folder = new ProjectFolder(join(root, "inside"));
  assert.throws(() => folder.file("..", "..", "x"), /is not inside of/);
  assert.throws(() => folder.directory("blobs", "..", "..", "x"), /is not inside of/);
});

test("project folder: it is found from below, and by a folder or a configuration", () => {
  const top = join(root, "top");
  mkdirSync(join(top, "a", "b"), { recursive: true });
  assert.equal(findProject(join(top, "a", "b")).root, join(top, "a", "b"));
  writeFileSync(join(top, "tangent.toml"), "");
  assert.equal(findProject(join(top, "a", "b")).root, top);
  mkdirSync(join(top, "a", ".tangent"));
  assert.equal(findProject(join(top, "a", "b")).root, join(top, "a"));
});

const isRoot = process.getuid?.() === 0;
const OTHER_USER = 4242;

test("project folder: what another user put above, as into /tmp, says nothing", { skip: !isRoot }, () => {
  const shared = join(root, "shared");
  const mine = join(shared, "mine");
  mkdirSync(mine, { recursive: true });
  writeFileSync(join(shared, "tangent.toml"), 'test = "touch /tmp/not-me"\n');
  assert.equal(findProject(mine).root, shared);
  chownSync(join(shared, "tangent.toml"), OTHER_USER, OTHER_USER);
  mkdirSync(join(shared, ".tangent"));
  chownSync(join(shared, ".tangent"), OTHER_USER, OTHER_USER);
  assert.equal(findProject(mine).root, mine);
  const config = readConfig(shared);
  assert.ok(config.kind === "wrong" && /belongs to another user/.test(config.problem));
  // A checkout that as a whole is another user's, as in a container.
  chownSync(shared, OTHER_USER, OTHER_USER);
  chownSync(mine, OTHER_USER, OTHER_USER);
  assert.equal(findProject(mine).root, shared);
  assert.equal(readConfig(shared).kind, "config");
});
