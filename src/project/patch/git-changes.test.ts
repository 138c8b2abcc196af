import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Changes } from "./changes.js";
import { GitProblem, openRepository } from "./git.js";
import { type ChangeRequest, type Comparison, changesFromGit, commitsOf, selectedChanges } from "./git-changes.js";
import { RepositoryFixture, removeRepositories, temporaryFolder } from "./repository-fixture.js";

after(removeRepositories);

const OWN: ChangeRequest = { kind: "own work" };
const revisions = (text: string): ChangeRequest => ({ kind: "revisions", text });

function comparison(fixture: RepositoryFixture, request: ChangeRequest): Comparison {
  return changesFromGit(openRepository(fixture.root, process.env), request);
}
function changes(fixture: RepositoryFixture, request: ChangeRequest): Changes {
  return comparison(fixture, request).changes;
}
/** The message, and whether it is the command line that is wrong. */
function problem(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof GitProblem, String(error));
    return `${error.isUsage ? "usage" : "trouble"}: ${error.message}`;
  }
  assert.fail("nothing was wrong");
}
/** `path +line` and `path -line` of what was added and removed. */
function lines({ files }: Changes): string[] {
  return files.flatMap(({ oldPath, newPath, hunks }) =>
    hunks.flatMap((hunk) => {
      let oldLine = hunk.oldStart;
      let newLine = hunk.newStart;
      return hunk.lines.flatMap(({ kind, text }) => {
        if (kind === "added") return [`${newPath} +${newLine++} ${text}`];
        if (kind === "removed") return [`${oldPath} -${oldLine++} ${text}`];
        newLine++;
        oldLine++;
        return [];
      });
    }),
  );
}

describe("what has changed, as git knows it", () => {
  it("own work is all since the main branch, committed or not", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n", "b.c": "one\n" });
    const base = fixture.git("rev-parse", "HEAD");
    fixture.git("checkout", "-q", "-b", "mine");
    fixture.write({ "a.c": "one\ntwo\n" });
    fixture.commit("second");
    fixture.write({ "b.c": "none\n" });
    const { old, new: newer, changes: found } = comparison(fixture, OWN);
    assert.deepEqual(lines(found), ["a.c +2 two", "b.c -1 one", "b.c +1 none"]);
    assert.deepEqual([old, newer], [{ kind: "commit", revision: base }, { kind: "work tree" }]);
    assert.equal(found.description, `the work tree against ${base.slice(0, 12)}, where it left main`);
    assert.deepEqual([found.oldRevision, found.newRevision], [base, null]);
  });

  it("the server's main branch counts before the local one", () => {
    const server = RepositoryFixture.with({ "a.c": "one\n" });
    const fixture = new RepositoryFixture();
    fixture.git("clone", "-q", server.root, ".");
    fixture.write({ "a.c": "one\nours\n" });
    fixture.commit("not pushed");
    assert.deepEqual(lines(changes(fixture, OWN)), ["a.c +2 ours"]);
    assert.match(changes(fixture, OWN).description, /where it left origin\/main$/);
  });

  it("on the main branch it is what is uncommitted, else the last commit", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    fixture.write({ "a.c": "two\n" });
    const last = fixture.commit("second");
    const clean = comparison(fixture, OWN);
    assert.deepEqual(lines(clean.changes), ["a.c -1 one", "a.c +1 two"]);
    assert.deepEqual(clean.new, { kind: "commit", revision: last });
    assert.deepEqual(clean.changes.notes, ["nothing is uncommitted, so this is the last commit"]);
    fixture.write({ "a.c": "three\n" });
    assert.deepEqual(lines(changes(fixture, OWN)), ["a.c -1 two", "a.c +1 three"]);
    assert.equal(changes(fixture, OWN).description, "the work tree against HEAD");
  });

  it("a source that git does not know is told", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    fixture.write({ "a.c": "two\n", "new.c": "x\n", "note.txt": "x\n" });
    assert.deepEqual(changes(fixture, OWN).notes, [
      "new.c is new to git and not among the changes; to count: git add -N FILE",
    ]);
    fixture.git("add", "-N", "new.c");
    assert.deepEqual(lines(changes(fixture, OWN)), ["a.c -1 one", "a.c +1 two", "new.c +1 x"]);
  });

  it("two versions, where two parted, one commit, and what is staged", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n", "b.c": "one\n" });
    fixture.git("checkout", "-q", "-b", "side");
    fixture.write({ "b.c": "side\n" });
    const side = fixture.commit("side");
    fixture.git("checkout", "-q", "main");
    fixture.write({ "a.c": "two\n" });
    fixture.commit("second");
    assert.deepEqual(lines(changes(fixture, revisions("main..side"))), [
      "a.c -1 two",
      "a.c +1 one",
      "b.c -1 one",
      "b.c +1 side",
    ]);
    assert.deepEqual(lines(changes(fixture, revisions("main...side"))), ["b.c -1 one", "b.c +1 side"]);
    assert.deepEqual(lines(changes(fixture, revisions("HEAD~1.."))), ["a.c -1 one", "a.c +1 two"]);
    const one = comparison(fixture, revisions("side"));
    assert.deepEqual(lines(one.changes), ["b.c -1 one", "b.c +1 side"]);
    assert.deepEqual(one.new, { kind: "commit", revision: side });
    assert.equal(one.changes.description, `side (commit ${side.slice(0, 12)})`);
    fixture.write({ "a.c": "staged\n" });
    fixture.git("add", "a.c");
    fixture.write({ "a.c": "not staged\n" });
    const staged = comparison(fixture, { kind: "staged" });
    assert.deepEqual(lines(staged.changes), ["a.c -1 two", "a.c +1 staged"]);
    assert.deepEqual(staged.new, { kind: "index" });
  });

  it("a merge is compared with its first parent, and the first commit with nothing", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    fixture.git("checkout", "-q", "-b", "side");
    fixture.write({ "b.c": "side\n" });
    fixture.commit("side");
    fixture.git("checkout", "-q", "main");
    fixture.write({ "a.c": "two\n" });
    const second = fixture.commit("second");
    fixture.git("merge", "-q", "--no-edit", "side");
    const merged = changes(fixture, revisions("HEAD"));
    assert.deepEqual(lines(merged), ["b.c +1 side"]);
    assert.deepEqual(merged.notes, [
      `HEAD is a merge of 2 commits: it is compared with the first, ${second.slice(0, 12)}`,
    ]);
    const first = comparison(fixture, revisions("HEAD~2"));
    assert.deepEqual(lines(first.changes), ["a.c +1 one"]);
    assert.deepEqual(first.old, { kind: "nothing" });
    assert.deepEqual(first.changes.notes, [
      "HEAD~2 is the first commit: all of its lines are new, and there is no old version",
    ]);
    const repository = openRepository(fixture.root, process.env);
    assert.deepEqual(commitsOf(repository, "HEAD~2..HEAD").length, 2);
    assert.match(
      problem(() => commitsOf(repository, "HEAD")),
      /usage: --each goes through a range of commits, and HEAD is none: REV1..REV2/,
    );
  });

  it("renames, deletions, new files, binary files, modes, links and submodules", () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");
    const fixture = RepositoryFixture.with({
      "old.c": text,
      "gone.c": "gone\n",
      "run.sh": "x\n",
      "image.c": Buffer.from([0, 1, 2]),
    });
    const inner = RepositoryFixture.with({ "inner.c": "x\n" });
    fixture.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
    fixture.commit("with a submodule");
    fixture.git("mv", "old.c", "new.c");
    fixture.write({ "new.c": text.replace("line 7", "line seven"), "gone.c": null, "fresh.c": "fresh\n" });
    fixture.write({ "image.c": Buffer.from([0, 3]) });
    chmodSync(join(fixture.root, "run.sh"), 0o755);
    symlinkSync("/etc/passwd", join(fixture.root, "link.c"));
    const other = new RepositoryFixture(join(fixture.root, "sub"));
    other.write({ "inner.c": "y\n" });
    other.commit("inside");
    fixture.commit("all kinds");
    const found = changes(fixture, revisions("HEAD"));
    assert.deepEqual(
      found.files.map(({ oldPath, newPath, hunks }) => [oldPath, newPath, hunks.length]),
      [
        [null, "fresh.c", 1],
        ["gone.c", null, 1],
        ["image.c", "image.c", 0],
        ["old.c", "new.c", 1],
      ],
    );
    assert.ok(lines(found).includes("new.c +8 line seven"), lines(found).join("\n"));
    assert.deepEqual(found.notes, [
      "image.c is a binary file: it has no lines to be covered",
      "link.c is a symbolic link: what it leads to is not looked at",
      "run.sh: only its mode has changed",
      "sub is a submodule: what changed inside of it is not looked at",
    ]);
  });

  it("names that git quotes, no newline at the end, CRLF", () => {
    const fixture = RepositoryFixture.with({ "ä ö.c": "one", 'tab\t"q".c': "one\n", "crlf.c": "one\r\ntwo\r\n" });
    fixture.write({ "ä ö.c": "two", 'tab\t"q".c': "two\n", "crlf.c": "one\r\nthree\r\n" });
    fixture.commit("second");
    assert.deepEqual(lines(changes(fixture, revisions("HEAD"))), [
      "crlf.c -2 two",
      "crlf.c +2 three",
      'tab\t"q".c -1 one',
      'tab\t"q".c +1 two',
      "ä ö.c -1 one",
      "ä ö.c +1 two",
    ]);
  });

  it("only C below the folders counts; the rest is told", () => {
    const fixture = RepositoryFixture.with({
      "src/a.c": "1\n",
      "lib/b.c": "1\n",
      "src/README": "1\n",
      "src/d.c": "1\n",
    });
    fixture.write({ "src/a.c": "2\n", "lib/b.c": "2\n", "src/README": "2\n", "src/d.c": null });
    fixture.commit("second");
    const all = changes(fixture, revisions("HEAD"));
    const some = selectedChanges(all, ["./src/"]);
    assert.deepEqual(
      some.files.map(({ oldPath }) => oldPath),
      ["src/a.c", "src/d.c"],
    );
    assert.deepEqual(some.notes, [
      "src/README: no C, so there is nothing to reach",
      "lib/b.c: not below src (folders)",
      "src/d.c: deleted, so there is nothing to reach",
    ]);
    assert.equal(selectedChanges(all, []).files.length, 3);
    assert.equal(selectedChanges(all, ["."]).files.length, 3);
  });

  it("no program that the repository's configuration names is started", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n", ".gitattributes": "*.c filter=evil diff=evil\n" });
    const mark = join(fixture.root, "started");
    const command = `touch '${mark}'; cat`;
    const names = ["core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "core.pager"];
    const filters = ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.sshCommand"];
    for (const name of [...names, ...filters]) fixture.git("config", name, command);
    fixture.git("config", "filter.evil.required", "true");
    const hooks = join(fixture.root, "hooks");
    mkdirSync(hooks);
    fixture.git("config", "core.hooksPath", hooks);
    fixture.write({ "a.c": "two\n", "hooks/post-index-change": `#!/bin/sh\n${command}\n` });
    chmodSync(join(hooks, "post-index-change"), 0o755);
    assert.deepEqual(lines(changes(fixture, OWN)), ["a.c -1 one", "a.c +1 two"]);
    assert.equal(existsSync(mark), false);
  });

  it("the user's own GIT_ variables and settings do not lead elsewhere", () => {
    const other = RepositoryFixture.with({ "other.c": "x\n" });
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    for (const [name, value] of [
      ["diff.noprefix", "true"],
      ["diff.mnemonicPrefix", "true"],
      ["color.ui", "always"],
      ["core.quotePath", "false"],
      ["diff.context", "0"],
      ["diff.relative", "true"],
    ]) {
      fixture.git("config", name, value);
    }
    fixture.write({ "a.c": "two\n" });
    const env = {
      ...process.env,
      GIT_DIR: join(other.root, ".git"),
      GIT_WORK_TREE: other.root,
      GIT_EXTERNAL_DIFF: "false",
    };
    const found = changesFromGit(openRepository(fixture.root, env), OWN).changes;
    assert.deepEqual(lines(found), ["a.c -1 one", "a.c +1 two"]);
  });
});

describe("what is told when git cannot say what has changed", () => {
  it("no repository", () => {
    const folder = temporaryFolder();
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: join(folder, "..") };
    assert.equal(
      problem(() => openRepository(folder, env)),
      `trouble: ${folder} is not in a git repository, so there is nothing to compare with; go to your checkout, or give the patch itself: tangent patch --diff FILE`,
    );
  });

  it("no git", () => {
    assert.match(
      problem(() => openRepository(temporaryFolder(), { PATH: "/nowhere" })),
      /trouble: git is not installed, or not in PATH; install it, or give the patch with --diff FILE/,
    );
  });

  it("no commits", () => {
    const fixture = new RepositoryFixture();
    fixture.git("init", "-q");
    const told =
      "this repository has no commits yet, so the work tree cannot be compared with anything; commit once, then change something";
    assert.equal(
      problem(() => comparison(fixture, OWN)),
      `trouble: ${told}`,
    );
    assert.match(
      problem(() => comparison(fixture, revisions("HEAD"))),
      /has no commits yet, so HEAD cannot be compared/,
    );
    fixture.write({ "a.c": "one\n" });
    fixture.git("add", "a.c");
    const staged = comparison(fixture, { kind: "staged" });
    assert.deepEqual(lines(staged.changes), ["a.c +1 one"]);
    assert.deepEqual(staged.old, { kind: "nothing" });
  });

  it("no such revision, an option in its place, a file in its place", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    assert.equal(
      problem(() => comparison(fixture, revisions("nonsense"))),
      "usage: there is no commit nonsense in this repository; `git log --oneline` shows those there are; a branch of a server may have to be fetched first (git fetch)",
    );
    for (const text of ["--output=x", "main..--output=x", "-h", "HEAD:a.c", "a.c"]) {
      assert.match(
        problem(() => comparison(fixture, revisions(text))),
        /usage: there is no commit /,
        text,
      );
    }
    assert.equal(existsSync(join(fixture.root, "x")), false);
    assert.equal(
      problem(() => comparison(fixture, revisions("fix.diff"))),
      "usage: fix.diff is no commit; if it is a file: tangent patch --diff fix.diff",
    );
    assert.match(
      problem(() => comparison(fixture, revisions("a..b..c"))),
      /names more than two versions/,
    );
  });

  it("a shallow clone", () => {
    const server = RepositoryFixture.with({ "a.c": "one\n" });
    server.git("checkout", "-q", "-b", "side");
    server.write({ "a.c": "two\n" });
    server.commit("side");
    server.git("checkout", "-q", "main");
    server.write({ "b.c": "two\n" });
    server.commit("second");
    const fixture = new RepositoryFixture();
    fixture.git("clone", "-q", "--depth", "1", "--no-single-branch", `file://${server.root}`, ".");
    assert.equal(
      problem(() => comparison(fixture, revisions("HEAD"))),
      "trouble: the commit before HEAD is not in this clone, which is shallow; get it: git fetch --unshallow (GitHub Actions: fetch-depth: 0)",
    );
    fixture.git("checkout", "-q", "side");
    assert.equal(
      problem(() => comparison(fixture, OWN)),
      "trouble: where origin/main and HEAD parted is not in this clone, which is shallow; get the rest: git fetch --unshallow (GitHub Actions: fetch-depth: 0)",
    );
    assert.match(
      problem(() => comparison(fixture, revisions("0123456789abcdef0123456789abcdef01234567"))),
      /shallow and may lack it: git fetch --unshallow/,
    );
  });

  it("a partial clone: nothing is fetched, by whatever program its configuration names", () => {
    const server = RepositoryFixture.with({ "a.c": "one\n" });
    server.git("config", "uploadpack.allowFilter", "true");
    server.write({ "a.c": "two\n" });
    server.commit("second");
    const fixture = new RepositoryFixture();
    fixture.git("clone", "-q", "--filter=blob:none", "--no-checkout", `file://${server.root}`, ".");
    const mark = join(temporaryFolder(), "started");
    fixture.git("config", "remote.origin.url", `ext::sh -c touch% '${mark}'`);
    fixture.git("config", "protocol.ext.allow", "always");
    assert.equal(
      problem(() => comparison(fixture, revisions("HEAD"))),
      "trouble: git diff needs files that are not in this clone, which is partial (--filter), and nothing is fetched here; get them: git fetch --refetch --no-filter",
    );
    assert.equal(existsSync(mark), false);
  });

  it("an answer that nobody could read", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n".repeat(500_000) });
    const { git } = openRepository(fixture.root, process.env);
    assert.equal(
      problem(() => git.read(["cat-file", "blob", "HEAD:a.c"], { mostBytes: 0x10_0000 })),
      "trouble: git cat-file printed more than 1 MB; compare versions that differ less",
    );
  });

  it("histories that have nothing in common, and a bare repository", () => {
    const fixture = RepositoryFixture.with({ "a.c": "one\n" });
    fixture.git("checkout", "-q", "--orphan", "other");
    fixture.commit("other");
    assert.equal(
      problem(() => comparison(fixture, OWN)),
      "trouble: main and HEAD have no commit in common; name two versions: tangent patch REV1..REV2",
    );
    const bare = new RepositoryFixture();
    bare.git("clone", "-q", "--bare", fixture.root, ".");
    assert.match(
      problem(() => comparison(bare, OWN)),
      /usage: this repository is bare/,
    );
    assert.deepEqual(lines(changes(bare, revisions("main"))), ["a.c +1 one"]);
  });
});
