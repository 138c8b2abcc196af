import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ProjectFolder } from "../project-folder.js";
import { ProjectState } from "../state-folder.js";
import { openRepository } from "./git.js";
import type { Version } from "./git-changes.js";
import { RepositoryFixture, removeRepositories, temporaryFolder } from "./repository-fixture.js";
import { type CheckedOut, checkOutVersion } from "./versions.js";

after(removeRepositories);

class Bench {
  readonly folder: ProjectFolder;
  private readonly states = temporaryFolder();

  constructor(readonly fixture: RepositoryFixture) {
    this.folder = new ProjectFolder(fixture.root);
  }
  out(version: Version): CheckedOut {
    const repository = openRepository(this.fixture.root, process.env);
    const state = new ProjectState(this.fixture.root, { TANGENT_STATE: this.states });
    return checkOutVersion({ repository, root: repository.workTree }, version, {
      folder: this.folder,
      state,
      side: "new",
    });
  }
  commit(revision = "HEAD"): CheckedOut {
    return this.out({ kind: "commit", revision: this.fixture.git("rev-parse", revision) });
  }
  path(name: string): string {
    return join(this.folder.path, "patch", "new", name);
  }
  text(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }
}

describe("source trees of versions", () => {
  it("of commits: only what has changed is written, and what is gone is removed", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n", "b.c": "one\n", "sub/gone.c": "x\n", "ä.c": "x\n" });
    fixture.write({ "run.sh": "#!/bin/sh\n" });
    fixture.git("update-index", "--add", "--chmod=+x", "run.sh");
    fixture.commit("second");
    fixture.write({ "a.c": "two\n", "sub/gone.c": null });
    fixture.commit("third");
    const bench = new Bench(fixture);
    const first = bench.commit("HEAD~1");
    assert.deepEqual([first.written, first.removed, first.notes], [5, 0, []]);
    assert.equal(bench.text("ä.c"), "x\n");
    assert.equal(statSync(bench.path("b.c")).mtimeMs, statSync(bench.path("a.c")).mtimeMs, "one time for all");
    for (const name of ["a.c", "b.c"]) utimesSync(bench.path(name), 1000, 1000);
    writeFileSync(bench.path("made.o"), "of the build");
    const second = bench.commit();
    assert.deepEqual([second.written, second.removed], [1, 1]);
    assert.equal(bench.text("a.c"), "two\n");
    assert.ok(statSync(bench.path("a.c")).mtimeMs > 1_000_000);
    assert.equal(statSync(bench.path("b.c")).mtimeMs, 1_000_000, "the time moves only with the content");
    assert.equal(existsSync(bench.path("sub")), false);
    assert.ok(existsSync(bench.path("made.o")));
    assert.notEqual(first.identity, second.identity);
    assert.equal(bench.commit().identity, second.identity);
    assert.equal(bench.commit().written, 0);
  });

  it("of the index, the work tree and a patched one: the same content is the same file", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n", "b.c": "one\n", ".gitignore": "*.o\n" });
    const bench = new Bench(fixture);
    bench.commit();
    fixture.write({ "a.c": "staged\n" });
    fixture.git("add", "a.c");
    fixture.write({ "a.c": "on disk\n", "new.c": "new\n", "made.o": "x" });
    assert.equal(bench.out({ kind: "index" }).written, 1);
    assert.equal(bench.text("a.c"), "staged\n");
    const disk = bench.out({ kind: "work tree" });
    assert.equal(disk.written, 2);
    assert.equal(bench.text("a.c"), "on disk\n");
    assert.equal(existsSync(bench.path("made.o")), false);
    const files = new Map([
      ["a.c", Buffer.from("patched\n")],
      ["b.c", null],
    ]);
    const patched = bench.out({ kind: "patched", files });
    assert.deepEqual([patched.written, patched.removed], [1, 1]);
    assert.equal(bench.text("a.c"), "patched\n");
  });

  it("a file that vanished from the tree, or a tree that was removed, is written again", () => {
    const bench = new Bench(RepositoryFixture.with({ "a.c": "one\n", "b.c": "one\n" }));
    bench.commit();
    rmSync(bench.path("a.c"));
    assert.equal(bench.commit().written, 1);
    rmSync(bench.folder.path, { recursive: true });
    assert.equal(bench.commit().written, 2);
  });

  it("what lies there and is not of our making goes", () => {
    const bench = new Bench(RepositoryFixture.with({ "a.c": "one\n" }));
    bench.folder.directory("patch", "new");
    writeFileSync(bench.path("GNUmakefile"), "all:\n\ttouch started\n");
    bench.commit();
    assert.equal(existsSync(bench.path("GNUmakefile")), false);
  });

  it("links stay links if they stay inside", () => {
    const fixture = RepositoryFixture.with({ "sub/a.c": "one\n", "b.c": "two\n" });
    const links = {
      "sub/good": "../b.c",
      "sub/deep": "a.c",
      here: ".",
      absolute: "/etc/passwd",
      up: "../x",
      "sub/up": "../../x",
      around: "here/../../x",
      git: ".git/config",
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(fixture.root, name));
    fixture.commit("links");
    const bench = new Bench(fixture);
    const { notes } = bench.commit();
    const kept = Object.keys(links).filter(
      (name) => lstatSync(bench.path(name), { throwIfNoEntry: false }) !== undefined,
    );
    assert.deepEqual(kept, ["sub/good", "sub/deep", "here"]);
    assert.equal(bench.text("sub/good"), "two\n");
    assert.equal(notes.length, 5);
    assert.ok(notes.includes("the symbolic link absolute is left out: it leads out of the tree, to /etc/passwd"));
  });

  it("nothing is written through a link that a build or an earlier version left", () => {
    const fixture = RepositoryFixture.with({ "sub/a.c": "one\n", "b.c": "one\n" });
    const bench = new Bench(fixture);
    bench.commit();
    const outside = temporaryFolder();
    writeFileSync(join(outside, "a.c"), "not ours\n");
    rmSync(bench.path("sub"), { recursive: true });
    symlinkSync(outside, bench.path("sub"));
    fixture.write({ "sub/a.c": "two\n" });
    fixture.commit("second");
    bench.commit();
    assert.equal(readFileSync(join(outside, "a.c"), "utf8"), "not ours\n");
    assert.equal(bench.text("sub/a.c"), "two\n");
    rmSync(bench.path("sub"), { recursive: true });
    symlinkSync(outside, bench.path("sub"));
    fixture.write({ "sub/a.c": null });
    fixture.commit("third");
    bench.commit();
    assert.equal(readFileSync(join(outside, "a.c"), "utf8"), "not ours\n");
  });

  it("a tree that git would not make: names that lead out, files below links", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    const blob = fixture.git("rev-parse", "HEAD:a.c");
    const outside = temporaryFolder();
    const target = spawnSync("git", ["hash-object", "-w", "--stdin"], { cwd: fixture.root, input: outside });
    const raw = (mode: string, name: string, hash: string): Buffer =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, "hex")]);
    const write = (type: string, input: Buffer | string): string => {
      const words = ["hash-object", "-w", "-t", type, "--literally", "--stdin"];
      return spawnSync("git", words, { cwd: fixture.root, input }).stdout.toString().trim();
    };
    const inner = write("tree", raw("100644", "evil.c", blob));
    const tree = write(
      "tree",
      Buffer.concat([
        raw("40000", "..", inner),
        raw("40000", ".git", inner),
        raw("100644", "a.c", blob),
        raw("120000", "dir", target.stdout.toString().trim()),
        raw("40000", "dir", inner),
      ]),
    );
    const who = "A <a@example.org> 1 +0000";
    const commit = write("commit", `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nevil\n`);
    const bench = new Bench(fixture);
    const { files, notes } = bench.out({ kind: "commit", revision: commit });
    assert.deepEqual([...files.keys()], ["a.c", "dir"]);
    assert.deepEqual(
      notes.filter((note) => note.includes("of that name is not written")).map((note) => note.split(" ")[0]),
      ["../evil.c", ".git/evil.c"],
    );
    assert.equal(existsSync(join(outside, "evil.c")), false);
    assert.equal(existsSync(join(bench.folder.path, "patch", "evil.c")), false);
  });

  it("submodules come from their own checkout, or are told", () => {
    const inner = RepositoryFixture.with({ "inner.c": "inner\n" });
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    fixture.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
    fixture.commit("with a submodule");
    const bench = new Bench(fixture);
    assert.deepEqual(bench.commit().notes, []);
    assert.equal(bench.text("sub/inner.c"), "inner\n");
    assert.equal(bench.out({ kind: "work tree" }).written, 0);
    fixture.git("submodule", "--quiet", "deinit", "-f", "sub");
    const { notes } = bench.commit();
    assert.match(
      notes[0],
      /^the submodule sub is left out: commit [0-9a-f]{12} of it is not here; if the build needs it/,
    );
    assert.equal(existsSync(bench.path("sub/inner.c")), false);
  });

  it("no filter that the configuration names is started", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n", ".gitattributes": "*.c filter=evil export-subst\n" });
    const mark = join(temporaryFolder(), "started");
    for (const what of ["clean", "smudge", "process"])
      fixture.git("config", `filter.evil.${what}`, `touch '${mark}'; cat`);
    const bench = new Bench(fixture);
    bench.commit();
    bench.out({ kind: "work tree" });
    bench.out({ kind: "index" });
    assert.equal(existsSync(mark), false);
  });
});
