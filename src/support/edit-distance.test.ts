import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { editDistance, nearName } from "./edit-distance.js";

describe("the distance of two words", () => {
  it("counts letters that are missing, too many, other ones, and two in the wrong order", () => {
    assert.equal(editDistance("time", "time", 2), 0);
    assert.equal(editDistance("tme", "time", 2), 1);
    assert.equal(editDistance("tiime", "time", 2), 1);
    assert.equal(editDistance("tame", "time", 2), 1);
    assert.equal(editDistance("tiem", "time", 2), 1);
    assert.equal(editDistance("tmei", "time", 2), 2);
    assert.ok(editDistance("sample", "time", 2) > 2);
  });

  it("the name that is meant is the only nearest one, and no word of two letters is near anything", () => {
    assert.equal(nearName("tset", ["test", "text", "time"]), "test");
    assert.equal(nearName("tezt", ["test", "text"]), null);
    assert.equal(nearName("tm", ["time", "tmp"]), null);
    assert.equal(nearName("foo", ["root"]), null);
    assert.equal(nearName("tme", ["time", "root"]), "time");
  });
});
