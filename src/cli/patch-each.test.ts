import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { appendRow, type CommitRow, readRows, renderTable, statusOfRows } from "./patch-each.js";
import { placeOf } from "./reach.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-each-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function rowOf(digit: string, parts: Partial<CommitRow> = {}): CommitRow {
  return {
    ...{ commit: digit.repeat(40), settings: "s", subject: `commit ${digit}`, status: 0, lines: 10, byTests: 4 },
    ...{ withTangent: 8, findings: 0, regressions: 0, different: 1, milliseconds: 1500, why: "" },
    ...parts,
  };
}

describe("each commit of a range", () => {
  it("what is done is known again, with the same settings and without trouble; lines that were cut short are passed over", () => {
    const path = join(folder, "journal");
    assert.equal(readRows(path, "s").size, 0);
    appendRow(path, rowOf("a"));
    appendFileSync(path, '{"commit":"bbb');
    appendRow(path, rowOf("c"));
    appendRow(path, rowOf("d", { settings: "other" }));
    appendRow(path, rowOf("f", { status: 3, why: "the new version cannot be built" }));
    appendFileSync(path, `${JSON.stringify({ ...rowOf("e"), lines: "many" })}\n`);
    assert.deepEqual([...readRows(path, "s").values()], [rowOf("a"), rowOf("c")]);
  });

  it("is one table with a sum; a commit that could not be looked at says why", () => {
    const rows = [rowOf("a", { regressions: 1 }), rowOf("b", { why: "the new version cannot be built", status: 3 })];
    assert.deepEqual(
      renderTable(rows)
        .split("\n")
        .map((line) => line.trim().replace(/ +/g, " ")),
      [
        "commit lines tests Tangent findings changed time",
        "aaaaaaaaaaaa 10 4 8 0 1 (1 fail) 2 s commit a",
        "bbbbbbbbbbbb - - - - - 2 s commit b (the new version cannot be built)",
        "1 of 2 10 4 8 0 1 3 s",
        "",
      ],
    );
  });

  it("its exit status is that of what was found, or of trouble with all of them", () => {
    assert.equal(statusOfRows([rowOf("a"), rowOf("b", { status: 1 }), rowOf("c", { status: 3 })]), 1);
    assert.equal(statusOfRows([rowOf("a"), rowOf("c", { status: 3 })]), 0);
    assert.equal(statusOfRows([rowOf("c", { status: 3 })]), 3);
  });
});

describe("a place to be reached", () => {
  it("is a line of a file, from where the user is, or a function", () => {
    assert.deepEqual(placeOf("a.c:12", "/p", "/p/src"), { kind: "line", file: "src/a.c", line: 12 });
    assert.deepEqual(placeOf("/p/src/a.c:12:7", "/p", "/"), { kind: "line", file: "src/a.c", line: 12 });
    assert.deepEqual(placeOf("main", "/p", "/p"), { kind: "function", name: "main" });
  });

  it("that is none is told", () => {
    const told = (word: string): string => {
      const place = placeOf(word, "/p", "/p");
      return place.kind === "wrong" ? place.problem : "";
    };
    assert.equal(told("a.c"), "what is a.c? A place is FILE:LINE or the name of a function");
    assert.equal(told("a.c:0"), "a.c:0: lines begin at 1");
    assert.equal(told("../b.c:1"), "../b.c is not below /p");
  });
});
