import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { placesOf } from "./changed-places.js";
import type { ChangedFile, DiffLine } from "./changes.js";

/** A hunk that begins at line 10, as a diff has it. */
function changed(...rows: readonly string[]): ChangedFile {
  const kinds = { "+": "added", "-": "removed", " ": "context" } as const;
  const lines = rows.map((row): DiffLine => ({ kind: kinds[row[0] as keyof typeof kinds], text: row.slice(1) }));
  return { oldPath: "a.c", newPath: "a.c", hunks: [{ oldStart: 10, newStart: 10, heading: "", lines }] };
}

describe("places that a patch changes", () => {
  it("are the lines it adds", () => {
    assert.deepEqual(placesOf(changed("   a();", "+  b();", "+  c();", "   d();")).lines, [11, 12]);
  });

  it("are where it takes code away", () => {
    assert.deepEqual(placesOf(changed("   a();", "-  if (n > 9)", "-    return;", "   d();")), {
      lines: [],
      reindented: [],
      beside: [{ line: 11, instead: [] }],
    });
  });

  it("are what follows a changed declaration, unless its lines have code", () => {
    assert.deepEqual(placesOf(changed("-  char room[12];", "+  char room[10];", "   int i;")).beside, [
      { line: 11, instead: [10] },
    ]);
  });

  it("are not where only comments, braces or directives change, nor outside of functions", () => {
    for (const text of [
      "  /* why */",
      "   * more",
      "  // so",
      "  }",
      "  #if 1",
      "",
      "int global;",
      "static int f(void)",
    ]) {
      assert.deepEqual(placesOf(changed("   a();", `-${text}`, "   d();")).beside, [], text);
    }
    assert.equal(placesOf(changed("   a();", "-  /* why */ b();", "   d();")).beside.length, 1);
    assert.equal(placesOf(changed("   a();", "-  *p = 1;", "   d();")).beside.length, 1);
  });

  it("are none in a file that is gone", () => {
    assert.deepEqual(placesOf({ ...changed("-  a();"), newPath: null }), {
      lines: [],
      reindented: [],
      beside: [],
    });
  });

  it("are not lines that were only moved to the side, which are told apart", () => {
    const wrapped = placesOf(
      changed("   a();", "-  b();", "-  c( 1 );", "+  if (n) {", "+    b();", "+    c(  1 );", "+  }"),
    );
    assert.deepEqual(wrapped, { lines: [11, 14], reindented: [12, 13], beside: [{ line: 15, instead: [11, 14] }] });
    const unwrapped = placesOf(changed("-  if (n)", "-    b();", "+  b();", "   c();"));
    assert.deepEqual(unwrapped, { lines: [], reindented: [10], beside: [{ line: 10, instead: [] }] });
    assert.deepEqual(placesOf(changed("-  b();", "+\tb();")), { lines: [], reindented: [10], beside: [] });
    const literal = placesOf(changed('-  puts("a b");', '+  puts("a  b");'));
    assert.deepEqual([literal.lines, literal.reindented], [[10], []]);
    const exchanged = placesOf(changed("-  a();", "-  b();", "+    b();", "+    a();"));
    assert.deepEqual([exchanged.lines, exchanged.reindented], [[11], [10]]);
  });
});
