import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { copySources } from "./build-copy.js";
import { ProjectFolder } from "./project-folder.js";
import { ProjectState } from "./state-folder.js";

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
function folderWith(...names: string[]): ProjectFolder {
  const root = mkdtempSync(join(tmpdir(), "tangent-copy-"));
  made.push(root);
  for (const name of names) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), name);
  }
  return new ProjectFolder(root);
}

describe("the copy a project is built in", () => {
  it("has the sources with their times and modes, and nothing that a build has made", () => {
    const folder = folderWith("a.c", "sub/b.c", "a.o", "liba.a", "Makefile", "Makefile.in", "config.status", "run.sh");
    writeFileSync(join(folder.root, "program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]));
    writeFileSync(join(folder.root, "run.sh"), "x", { mode: 0o755 });
    spawnSync("chmod", ["755", join(folder.root, "run.sh")]);
    symlinkSync("a.c", join(folder.root, "link.c"));
    utimesSync(join(folder.root, "a.c"), 1000, 2000);
    const { directory, copied } = copySources(folder);
    assert.equal(copied, 5);
    for (const name of ["a.o", "liba.a", "Makefile", "config.status", "program"]) {
      assert.equal(existsSync(join(directory, name)), false, name);
    }
    assert.equal(statSync(join(directory, "a.c")).mtimeMs, 2_000_000);
    assert.equal(statSync(join(directory, "run.sh")).mode & 0o777, 0o755);
    assert.ok(lstatSync(join(directory, "link.c")).isSymbolicLink());
    assert.ok(existsSync(join(directory, "sub/b.c")));
  });

  it("is brought up to date by what has changed alone", () => {
    const folder = folderWith("a.c", "b.c");
    assert.equal(copySources(folder).copied, 2);
    assert.equal(copySources(folder).copied, 0);
    const later = Date.now() / 1000 + 10;
    utimesSync(join(folder.root, "b.c"), later, later);
    assert.equal(copySources(folder).copied, 1);
  });

  it("is written to through no link, whether it came with the repository or with an earlier copy", () => {
    const folder = folderWith("a.c", "sub/b.c", "c.c", "d.c");
    const outside = join(folderWith("a.c", "b.c").root);
    const before = readFileSync(join(outside, "a.c"), "utf8");
    const directory = folder.directory("build");
    symlinkSync(join(outside, "a.c"), join(directory, "a.c"));
    symlinkSync(outside, join(directory, "sub"));
    symlinkSync(join(outside, "new.c"), join(directory, "c.c"));
    mkdirSync(join(directory, "d.c"));
    writeFileSync(join(folder.root, "a.c"), "longer than it was");
    copySources(folder);
    assert.equal(readFileSync(join(outside, "a.c"), "utf8"), before);
    assert.equal(readFileSync(join(outside, "b.c"), "utf8"), "b.c");
    assert.equal(existsSync(join(outside, "new.c")), false);
    for (const name of ["a.c", "sub/b.c", "c.c", "d.c"]) {
      assert.equal(readFileSync(join(directory, name), "utf8"), readFileSync(join(folder.root, name), "utf8"), name);
    }
  });

  it("has files whose names are not ASCII, and starts no program that the checkout names", () => {
    const folder = folderWith("ä.c", "dir é/b.c");
    const mark = join(folder.root, "started");
    const git = (...words: string[]) => spawnSync("git", words, { cwd: folder.root });
    if (git("init", "-q").status !== 0) return;
    git("config", "core.fsmonitor", `touch '${mark}'; false`);
    const { directory } = copySources(folder);
    assert.ok(existsSync(join(directory, "ä.c")));
    assert.ok(existsSync(join(directory, "dir é/b.c")));
    assert.equal(existsSync(mark), false);
  });

  it("has files whose names are no text, with git and without, and forgets them when they are gone", () => {
    for (const isGit of [false, true]) {
      const folder = folderWith("a.c");
      const at = (root: string, name: string): Buffer =>
        Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);
      const names = ["caf\xe9.c", "dir\xff/b\xfe.c", "link\xfd"];
      mkdirSync(at(folder.root, "dir\xff"));
      writeFileSync(at(folder.root, names[0]), "one");
      writeFileSync(at(folder.root, names[1]), "two");
      symlinkSync(Buffer.from(names[0], "latin1"), at(folder.root, names[2]));
      if (isGit && spawnSync("git", ["init", "-q"], { cwd: folder.root }).status !== 0) continue;
      const state = new ProjectState(folder.root, { TANGENT_STATE: join(folder.root, ".tangent", "state") });
      const { directory } = copySources(folder, state);
      assert.deepEqual(
        names.map((name) => readFileSync(at(directory, name), "utf8")),
        ["one", "two", "one"],
        String(isGit),
      );
      unlinkSync(at(folder.root, names[1]));
      copySources(folder, state);
      assert.equal(existsSync(at(directory, names[1])), false);
      assert.equal(existsSync(at(directory, names[0])), true);
    }
  });

  it("is written to nowhere else, whatever paths an index that somebody made has", () => {
    const above = mkdtempSync(join(tmpdir(), "tangent-copy-"));
    const root = join(above, "place", "project");
    // Where two steps up from the root, the index's steps from the copy, and the link from the copy lead to.
    for (const at of ["../../sent", "../sent", "sent"].map((name) => join(root, name)))
      mkdirSync(at, { recursive: true });
    for (const name of ["f", "g"]) writeFileSync(join(above, "sent", name), "theirs");
    writeFileSync(join(above, "place", "sent", "f"), "mine");
    const past = new Date(0);
    utimesSync(join(above, "place", "sent", "f"), past, past);
    if (spawnSync("git", ["init", "-q"], { cwd: root }).status !== 0) return;
    writeFileSync(join(root, "a.c"), "int main(void) { return 0; }\n");
    // `a` is a folder when a/f is copied, and a link when a/g is.
    symlinkSync("../../sent", join(root, "a"));
    writeFileSync(
      join(root, ".git", "index"),
      indexOf(["../../../sent/f", "../../sent/f", "/etc/hostname", ".git/HEAD", "x/../y", "a/f", "a", "a/g", "a.c"]),
    );
    copySources(new ProjectFolder(root));
    assert.deepEqual(readdirSync(join(root, "../sent")), ["f"]);
    assert.deepEqual(readdirSync(join(root, "sent")), []);
    assert.equal(readFileSync(join(root, "../sent/f"), "utf8"), "mine");
    assert.deepEqual(readdirSync(join(root, ".tangent/build")).sort(), ["a", "a.c"]);
    rmSync(above, { recursive: true });
  });

  it("is made without what a partial clone would fetch, by a program that the checkout names", () => {
    const root = mkdtempSync(join(tmpdir(), "tangent-copy-"));
    const git = (...words: string[]): string => spawnSync("git", words, { cwd: root, encoding: "utf8" }).stdout.trim();
    mkdirSync(join(root, "out/inner"), { recursive: true });
    writeFileSync(join(root, "out/inner/b.c"), "int b;\n");
    writeFileSync(join(root, "a.c"), "int a;\n");
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x");
    git("sparse-checkout", "init", "--cone", "--sparse-index");
    git("sparse-checkout", "set");
    // An index with a folder in one entry, whose tree is not here.
    const tree = git("rev-parse", "HEAD:out");
    if (!git("ls-files", "--sparse").split("\n").includes("out/")) return;
    rmSync(join(root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    const mark = join(root, ".git", "started");
    git("config", "core.repositoryFormatVersion", "1");
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.url", root);
    git("config", "remote.origin.uploadpack", `touch '${mark}'; false`);
    copySources(new ProjectFolder(root));
    assert.equal(existsSync(mark), false);
    assert.equal(existsSync(join(root, ".tangent/build/a.c")), true);
    rmSync(root, { recursive: true });
  });

  it("in a git work tree is what git does not ignore", () => {
    const folder = folderWith("a.c", "generated.c", ".gitignore", "new.c");
    writeFileSync(join(folder.root, ".gitignore"), "generated.c\n");
    const git = (...words: string[]) => spawnSync("git", words, { cwd: folder.root });
    if (git("init", "-q").status !== 0) return;
    git("add", "a.c", ".gitignore");
    const { directory } = copySources(folder);
    assert.ok(existsSync(join(directory, "new.c")));
    assert.equal(existsSync(join(directory, "generated.c")), false);
  });
});

/** An index as git stores it (version 2), of any names in any order. */
function indexOf(names: readonly string[]): Buffer {
  const head = Buffer.from("DIRC\0\0\0\x02\0\0\0\0");
  head.writeUInt32BE(names.length, 8);
  const entries = names.map((name) => {
    const entry = Buffer.alloc((62 + name.length + 8) & ~7);
    entry.writeUInt32BE(0o100644, 24);
    entry.writeUInt16BE(name.length, 60);
    entry.write(name, 62, "latin1");
    return entry;
  });
  const body = Buffer.concat([head, ...entries]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}
