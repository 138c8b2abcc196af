import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { changesFromDiff } from "./diff-changes.js";
import { GitProblem } from "./git.js";
import { RepositoryFixture, removeRepositories, temporaryFolder } from "./repository-fixture.js";

after(removeRepositories);

const BEFORE = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join("");
const AFTER = BEFORE.replace("line 6\n", "line six\nand more\n");

function diffOf(before: string, then: string, name = "a.c"): Buffer {
  const fixture = RepositoryFixture.with({ [name]: before });
  fixture.write({ [name]: then });
  return Buffer.from(`${fixture.git("diff")}\n`);
}
function folderWith(files: { readonly [name: string]: string | Uint8Array }): string {
  const folder = temporaryFolder();
  new RepositoryFixture(folder).write(files);
  return folder;
}
const problem = (root: string, diff: Uint8Array | string, name = "fix.diff"): string => {
  try {
    changesFromDiff(root, name, Buffer.from(diff));
  } catch (error) {
    assert.ok(error instanceof GitProblem, String(error));
    return `${error.isUsage ? "usage" : "trouble"}: ${error.message}`;
  }
  assert.fail("nothing was wrong");
};

describe("a patch given as a file", () => {
  const diff = diffOf(BEFORE, AFTER);

  it("that can be applied: the work tree is the old version", () => {
    const root = folderWith({ "a.c": BEFORE });
    const { old, new: newer, changes } = changesFromDiff(root, "fix.diff", diff);
    assert.equal(old.kind, "work tree");
    assert.ok(newer.kind === "patched");
    assert.equal(newer.files.get("a.c")?.toString(), AFTER);
    assert.equal(changes.description, "fix.diff");
    assert.equal(readFileSync(join(root, "a.c"), "utf8"), BEFORE, "the user's file stays as it is");
  });

  it("that is applied already: the work tree is the new version", () => {
    const { old, new: newer, changes } = changesFromDiff(folderWith({ "a.c": AFTER }), "-", diff);
    assert.equal(newer.kind, "work tree");
    assert.ok(old.kind === "patched");
    assert.equal(old.files.get("a.c")?.toString(), BEFORE);
    assert.equal(changes.description, "a diff");
    assert.deepEqual(
      changes.files[0].hunks[0].lines.filter(({ kind }) => kind === "added").map(({ text }) => text),
      ["line six", "and more"],
    );
  });

  it("whose lines have moved: the hunks say where they are now", () => {
    const { changes, new: newer } = changesFromDiff(folderWith({ "a.c": `new\nnew\n${BEFORE}` }), "x.diff", diff);
    assert.deepEqual([changes.files[0].hunks[0].oldStart, changes.files[0].hunks[0].newStart], [5, 5]);
    assert.ok(newer.kind === "patched");
    assert.equal(newer.files.get("a.c")?.toString(), `new\nnew\n${AFTER}`);
    const back = changesFromDiff(folderWith({ "a.c": `new\nnew\n${AFTER}` }), "x.diff", diff);
    assert.deepEqual([back.changes.files[0].hunks[0].oldStart, back.changes.files[0].hunks[0].newStart], [5, 5]);
  });

  it("for files with CRLF, without a newline at their end, or of another encoding", () => {
    const crlf = BEFORE.replaceAll("\n", "\r\n");
    const patched = changesFromDiff(folderWith({ "a.c": crlf }), "x.diff", diff).new;
    assert.ok(patched.kind === "patched");
    assert.equal(patched.files.get("a.c")?.toString(), AFTER.replaceAll("\n", "\r\n"));
    const noEnd = changesFromDiff(folderWith({ "a.c": BEFORE.slice(0, -1) }), "x.diff", diff).new;
    assert.ok(noEnd.kind === "patched");
    assert.equal(noEnd.files.get("a.c")?.toString(), AFTER.slice(0, -1));
    const latin = Buffer.from(BEFORE.replace("line 5", "l\xe4ne 5"), "latin1");
    const latinDiff = Buffer.from(diff.toString("latin1").replace("line 5", "l\xe4ne 5"), "latin1");
    const kept = changesFromDiff(folderWith({ "a.c": latin }), "x.diff", latinDiff).new;
    assert.ok(kept.kind === "patched");
    assert.equal(kept.files.get("a.c")?.toString("latin1"), AFTER.replace("line 5", "l\xe4ne 5"));
  });

  it("that makes, deletes and renames files", () => {
    const fixture = RepositoryFixture.with({ "gone.c": "gone\n", "old.c": BEFORE });
    fixture.git("mv", "old.c", "moved.c");
    fixture.write({ "gone.c": null, "new.c": "new\n", "moved.c": AFTER });
    fixture.git("add", "-A");
    const all = Buffer.from(`${fixture.git("diff", "--cached", "-M")}\n`);
    const forward = changesFromDiff(folderWith({ "gone.c": "gone\n", "old.c": BEFORE }), "x.diff", all).new;
    assert.ok(forward.kind === "patched");
    const texts = [...forward.files].map(([name, bytes]) => [name, bytes?.toString() ?? null]).sort();
    assert.deepEqual(texts, [
      ["gone.c", null],
      ["moved.c", AFTER],
      ["new.c", "new\n"],
      ["old.c", null],
    ]);
    const back = changesFromDiff(fixture.root, "x.diff", all);
    assert.equal(back.new.kind, "work tree");
    assert.ok(back.old.kind === "patched");
    assert.equal(back.old.files.get("gone.c")?.toString(), "gone\n");
    assert.equal(back.old.files.get("moved.c"), null);
  });

  it("that fits nowhere is told, with the first place", () => {
    const root = folderWith({ "a.c": "something else\n" });
    assert.equal(
      problem(root, diff),
      `trouble: fix.diff fits neither before nor after the files below ${root}: a.c: the lines at 3 are others; check out the version that it was made for, or make it again`,
    );
    assert.match(problem(folderWith({}), diff), /there is no a.c; check out/);
    assert.match(problem(root, diffOf("x\n", "y\n"), "-"), /^trouble: the diff on standard input fits neither/);
  });

  it("that is none is told", () => {
    const root = folderWith({});
    assert.equal(
      problem(root, "hello\n"),
      "usage: fix.diff has no changes in it; a unified diff is needed, as git diff or diff -u make it",
    );
    assert.match(problem(root, "--- a/a.c\n+++ b/a.c\n@@ -1,3 +1 @@\n x\n"), /^usage: fix.diff: line 3: .*cut short/);
  });

  it("reads nothing through links", () => {
    const outside = folderWith({ "a.c": BEFORE });
    const root = folderWith({});
    symlinkSync(join(outside, "a.c"), join(root, "a.c"));
    symlinkSync(outside, join(root, "sub"));
    assert.match(problem(root, diff), /there is no a.c/);
    assert.match(problem(root, diff.toString().replaceAll("/a.c", "/sub/a.c")), /there is no sub\/a.c/);
  });
});
