import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DiffError, MOST_DIFF_BYTES, parseDiff, unquoted } from "./parse-diff.js";

const parse = (...lines: string[]) => parseDiff(Buffer.from(`${lines.join("\n")}\n`));
const wrong = (...lines: string[]): string => {
  try {
    parse(...lines);
  } catch (error) {
    assert.ok(error instanceof DiffError, String(error));
    return error.message;
  }
  assert.fail("nothing was wrong");
};

describe("a unified diff", () => {
  it("of diff -u, with words around it, as people send it", () => {
    const { files } = parse(
      "Dear all, this mends it.",
      "--- prog-1.0/src/a.c\t2011-01-01 10:00:00",
      "+++ prog-1.1/src/a.c\t2011-01-02 10:00:00",
      "@@ -1,3 +1,3 @@ int main (void)",
      " one",
      "-two",
      "+TWO",
      " three",
      "-- ",
      "Somebody",
    );
    assert.deepEqual(files, [
      {
        oldPath: "src/a.c",
        newPath: "src/a.c",
        hunks: [
          {
            oldStart: 1,
            newStart: 1,
            heading: "int main (void)",
            lines: [
              { kind: "context", text: "one" },
              { kind: "removed", text: "two" },
              { kind: "added", text: "TWO" },
              { kind: "context", text: "three" },
            ],
          },
        ],
      },
    ]);
  });

  it("new and deleted files without git's words, several files, lines that look like headers", () => {
    const { files } = parse(
      "--- /dev/null",
      "+++ b/new.c",
      "@@ -0,0 +1 @@",
      "+++ x;",
      "--- a/gone.c",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "--- x;",
      "--- a/a.c.orig",
      "+++ a/a.c",
      "@@ -1 +1 @@",
      "-1",
      "\\ No newline at end of file",
      "+2",
      "\\ No newline at end of file",
    );
    assert.deepEqual(
      files.map(({ oldPath, newPath, hunks }) => [oldPath, newPath, hunks[0].lines.map(({ text }) => text)]),
      [
        [null, "new.c", ["++ x;"]],
        ["gone.c", null, ["-- x;"]],
        ["a.c", "a.c", ["1", "2"]],
      ],
    );
  });

  it("a line that a mailer has emptied is context", () => {
    const { files } = parse("--- a/a.c", "+++ b/a.c", "@@ -1,3 +1,4 @@", " one", "", "+new", " three");
    assert.deepEqual(
      files[0].hunks[0].lines.map(({ kind }) => kind),
      ["context", "context", "added", "context"],
    );
  });

  it("names as git quotes them", () => {
    assert.equal(unquoted('"\\303\\244.c"'), "ä.c");
    assert.equal(unquoted('"a\\tb\\"c\\\\.c"'), 'a\tb"c\\.c');
    assert.equal(unquoted("plain.c"), "plain.c");
    const { files } = parse('diff --git "a/\\303\\244.c" "b/\\303\\244.c"', "new file mode 100644", "index 0..1");
    assert.deepEqual(files, [{ oldPath: null, newPath: "ä.c", hunks: [] }]);
  });

  it("what does not keep to its own counts is refused, with the line", () => {
    assert.equal(
      wrong("--- a/a.c", "+++ b/a.c", "@@ -1,3 +1,3 @@", " one"),
      "line 3: this hunk ends before all the lines that its header counts; the diff was cut short",
    );
    assert.match(wrong("--- a/a.c", "+++ b/a.c", "@@ -1,2 +1,1 @@", " one", " two"), /^line 3: .*other lines/);
    assert.match(wrong("diff --cc a.c"), /^line 1: it is the combined diff of a merge/);
    assert.match(wrong("diff --git a/a.c b/b.c", "copy from a.c", "copy to b.c"), /line 2: it copies files/);
  });

  it("a path that leads out of the tree refuses all of it; one that is git's or ours is left out", () => {
    const change = ["@@ -1 +1 @@", "-1", "+2"];
    assert.match(wrong("--- a/../../x.c", "+++ b/../../x.c", ...change), /leads out of the tree; nothing of this diff/);
    assert.match(wrong("--- /etc/passwd", "+++ /etc/passwd", ...change), /leads out of the tree/);
    for (const name of [".git/config", "sub/.GIT/x.c", ".tangent/x.c"]) {
      const { files, notes } = parse(`--- a/${name}`, `+++ b/${name}`, ...change);
      assert.equal(files.length, 0, name);
      assert.match(notes[0], /is left out/);
    }
  });

  it("sizes are bounded", () => {
    assert.throws(() => parseDiff(new Uint8Array(MOST_DIFF_BYTES + 1)), /at most \d+ are read; split it/);
    assert.throws(() => parseDiff(Buffer.alloc(3_000_000, "\n")), /more than 2000000 lines; split it/);
  });
});
