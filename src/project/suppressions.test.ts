import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readSuppressions, type Suppression, suppressedBy } from "./suppressions.js";

const one = (parts: Partial<Suppression>): Suppression => ({
  id: null,
  function: null,
  file: null,
  kind: null,
  reason: "because",
  ...parts,
});
const finding = {
  ids: ["c0ffee000001", "0123456789ab"],
  function: "hash",
  file: "src/lib/hash.c",
  kind: "heap-buffer-overflow",
};

describe("suppressions", () => {
  it("fit if all that they name fits", () => {
    assert.equal(suppressedBy(finding, [one({ function: "hash" })]), "because");
    assert.equal(suppressedBy(finding, [one({ function: "hash", kind: "abort" })]), null);
    assert.equal(suppressedBy(finding, [one({ kind: "heap-buffer-overflow", file: "src/lib/hash.c" })]), "because");
    assert.equal(suppressedBy(finding, [one({ function: "hash_more" })]), null);
    assert.equal(suppressedBy(finding, []), null);
  });

  it("name files by their whole path, with stars for any part of it", () => {
    for (const file of ["src/lib/hash.c", "./src/lib/hash.c", "src/*", "*/hash.c", "src/**/hash.*"]) {
      assert.equal(suppressedBy(finding, [one({ file })]), "because", file);
    }
    for (const file of ["hash.c", "src/lib", "src/lib/hash?c", "src/lib/hash.cc"]) {
      assert.equal(suppressedBy(finding, [one({ file })]), null, file);
    }
    assert.equal(suppressedBy({ ...finding, file: null }, [one({ file: "*" })]), null);
  });

  it("are no way to keep a campaign busy: a file of many stars is compared at once", { timeout: 60_000 }, () => {
    const file = `${"a".repeat(200)}.c`;
    assert.equal(suppressedBy({ ...finding, file }, [one({ file: `${"*a".repeat(40)}*b` })]), null);
  });

  it("name one finding by its id or a former one, or by the beginning of it", () => {
    assert.equal(suppressedBy(finding, [one({ id: "c0ffee" })]), "because");
    assert.equal(suppressedBy(finding, [one({ id: "0123456789ab" })]), "because");
    assert.equal(suppressedBy(finding, [one({ id: "fee000001" })]), null);
    assert.equal(suppressedBy(finding, [one({ id: "c0ffee", kind: "abort" })]), null);
    const wrong = readSuppressions([{ id: "c0f", reason: "x" }]);
    assert.match(wrong.kind === "wrong" ? wrong.problem : "", /id must be six digits/);
    assert.equal(readSuppressions([{ id: "c0ffee", reason: "x" }]).kind, "suppressions");
  });

  it("are refused if all files fit them", () => {
    for (const file of ["*", "**", "./*", "*.*", "**/*.*"]) {
      const wrong = readSuppressions([{ file, reason: "x" }]);
      assert.match(wrong.kind === "wrong" ? wrong.problem : "", /^suppress: file must name a file/, file);
    }
    assert.equal(readSuppressions([{ file: "*.h", reason: "x" }]).kind, "suppressions");
  });

  it("the first that fits says the reason", () => {
    assert.equal(suppressedBy(finding, [one({ kind: "abort" }), one({ function: "hash", reason: "b" })]), "b");
  });
});
