import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Causes } from "./causes.js";
import type { FindingIdentity } from "./identity.js";

function identity(group: string, place: string): FindingIdentity {
  return { id: group, formerId: group, group, fingerprint: group, identity: group, cause: group, place };
}

describe("causes", () => {
  it("memory errors at one place are of the group of the first, whatever they are called", () => {
    const causes = new Causes();
    assert.equal(causes.joined("global-buffer-overflow", identity("a", "main at a.c:3:1")).group, "a");
    assert.equal(causes.joined("read-only-write", identity("b", "main at a.c:3:1")).group, "a");
    assert.equal(causes.joined("wild-access", identity("c", "main at a.c:4:1")).group, "c");
  });

  it("other kinds keep their group, also at the same place", () => {
    const causes = new Causes();
    causes.joined("heap-buffer-overflow", identity("a", "main at a.c:3:1"));
    assert.equal(causes.joined("division-by-zero", identity("b", "main at a.c:3:1")).group, "b");
    assert.equal(causes.joined("null-dereference", identity("c", "main at a.c:3:1")).group, "c");
  });
});
