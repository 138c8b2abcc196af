import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { KINDS, type KindName } from "./kinds.js";
import { weightOf } from "./severity.js";

function weighed(kind: KindName, access: "read" | "write" | null, offset: number | null, size = 1, of = 10) {
  const object = offset === null ? null : { kind: "heap" as const, offset, size: of };
  const { severity, score, cwe } = weightOf({ kind, access, address: 0x1_0000, size, object });
  return [severity, score, cwe];
}

describe("the weight of a finding", () => {
  it("one byte read behind a heap block is a low over-read, not a critical overflow", () => {
    assert.deepEqual(weighed("heap-buffer-overflow", "read", 10), ["low", 3.3, 126]);
    assert.deepEqual(weighed("heap-buffer-overflow", "read", 8, 8), ["low", 3.3, 126]);
    assert.deepEqual(weighed("heap-buffer-overflow", "read", -1), ["low", 3.3, 127]);
  });

  it("a read that goes further may show more", () => {
    assert.deepEqual(weighed("heap-buffer-overflow", "read", 10 + 16), ["medium", 6.1, 126]);
    assert.deepEqual(weighed("stack-buffer-overflow", "read", 0, 65_536), ["medium", 6.1, 126]);
    assert.deepEqual(weighed("global-buffer-overflow", "read", -1 - 16), ["medium", 6.1, 127]);
    assert.deepEqual(weighed("argument-overflow", "read", null), ["medium", 6.1, 125]);
    assert.deepEqual(weighed("wild-access", "read", null), ["medium", 6.1, 125]);
    assert.deepEqual(weighed("heap-use-after-free", "read", 0), ["medium", 6.1, 416]);
  });

  it("writes are high, and numbered by where they are", () => {
    assert.deepEqual(weighed("heap-buffer-overflow", "write", 10), ["high", 7.8, 122]);
    assert.deepEqual(weighed("stack-buffer-overflow", "write", 10), ["high", 7.8, 121]);
    assert.deepEqual(weighed("global-buffer-overflow", "write", 10), ["high", 7.8, 787]);
    assert.deepEqual(weighed("argument-overflow", "write", 10), ["high", 7.8, 787]);
    assert.deepEqual(weighed("stack-buffer-overflow", "write", -4), ["high", 7.8, 124]);
    assert.deepEqual(weighed("wild-access", "write", null), ["high", 7.8, 787]);
    assert.deepEqual(weighed("heap-use-after-free", "write", 0), ["high", 7.8, 416]);
  });

  it("what only ends the program is medium, also a call through a null pointer", () => {
    assert.deepEqual(weighed("null-dereference", "read", null), ["medium", 5.5, 476]);
    assert.deepEqual(weighed("assertion-failure", null, null), ["medium", 5.5, 617]);
    assert.deepEqual(weighed("wild-call", null, null), ["high", 7.8, 824]);
    const called = weightOf({ kind: "wild-call", access: null, address: 0, size: 0, object: null });
    assert.equal(called.severity, "medium");
  });

  it("docs/findings.md has every kind under the harm it may do, and the scores", () => {
    const text = readFileSync(new URL("../../../docs/findings.md", import.meta.url), "utf8");
    const section = text.slice(text.indexOf("## Severity"), text.indexOf("## Test and witness"));
    const rows = new Map(
      [...section.matchAll(/^\| (\w+) +\| ([\d.]+) +\|[^|]*\| ([^|]*)\|/gm)].map(([, severity, score, kinds]) => [
        `${severity} ${score}`,
        kinds,
      ]),
    );
    for (const kind of Object.keys(KINDS) as KindName[]) {
      const { severity, score } = weightOf({ kind, access: "write", address: 0x1_0000, size: 1, object: null });
      assert.match(rows.get(`${severity} ${score}`) ?? "", new RegExp(`\`${kind}\``), kind);
    }
  });
});
