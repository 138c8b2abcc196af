import assert from "node:assert/strict";
import {
  chmodSync,
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
import { ProjectFolder, writeSafely } from "./project-folder.js";

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
