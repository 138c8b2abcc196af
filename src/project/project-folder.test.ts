import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  lchownSync,
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
  // A link of theirs to a file of ours chooses which one is obeyed.
  const own = join(root, "own");
  mkdirSync(own);
  writeFileSync(join(own, "other-project.toml"), 'build = "make"\n');
  rmSync(join(shared, "tangent.toml"));
  symlinkSync(join(own, "other-project.toml"), join(shared, "tangent.toml"));
  lchownSync(join(shared, "tangent.toml"), OTHER_USER, OTHER_USER);
  assert.equal(findProject(mine).root, mine);
  const linked = readConfig(shared);
  assert.ok(linked.kind === "wrong" && linked.problem.includes(`${join(shared, "tangent.toml")} belongs to another`));
  rmSync(join(shared, "tangent.toml"));
  writeFileSync(join(shared, "tangent.toml"), "");
  chownSync(join(shared, "tangent.toml"), OTHER_USER, OTHER_USER);
  // A checkout that as a whole is another user's, as in a container.
  chownSync(shared, OTHER_USER, OTHER_USER);
  chownSync(mine, OTHER_USER, OTHER_USER);
  assert.equal(findProject(mine).root, shared);
  assert.equal(readConfig(shared).kind, "config");
});

test("project folder: what others may write, or lead elsewhere, says nothing to who works below", {
  skip: !isRoot,
}, () => {
  const shared = join(root, "open");
  const mine = join(shared, "mine");
  const elsewhere = join(root, "elsewhere");
  for (const path of [mine, elsewhere]) mkdirSync(path, { recursive: true });
  const toml = join(shared, "tangent.toml");
  writeFileSync(toml, "");
  const found = (path: string, mode: number, gid = 0): string => {
    const before = modeOf(path);
    chmodSync(path, mode);
    chownSync(path, 0, gid);
    try {
      return findProject(mine).root;
    } finally {
      chmodSync(path, before);
      chownSync(path, 0, 0);
    }
  };
  assert.equal(found(toml, 0o644), shared);
  assert.equal(found(toml, 0o666), mine);
  assert.equal(found(toml, 0o664, OTHER_USER), mine);
  assert.equal(found(toml, 0o664), shared, "a group of one's own");
  assert.equal(found(shared, 0o777), mine);
  assert.equal(found(shared, 0o1777), shared, "only its owner may rename it");
  // Where one works in such a folder, those others could change the makefile as well.
  chmodSync(mine, 0o777);
  assert.equal(found(shared, 0o777), shared);
  chmodSync(mine, 0o755);
  const target = join(elsewhere, "tangent.toml");
  writeFileSync(target, "");
  rmSync(toml);
  symlinkSync("../elsewhere/tangent.toml", toml);
  assert.equal(found(elsewhere, 0o755), shared);
  assert.equal(found(elsewhere, 0o777), mine);
  chownSync(target, OTHER_USER, OTHER_USER);
  assert.equal(found(elsewhere, 0o755), mine);
  rmSync(toml);
  symlinkSync("tangent.toml", toml);
  assert.equal(findProject(mine).root, mine, "a link to itself");
});
