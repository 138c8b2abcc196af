import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SiteId } from "../path/observer.js";
import { walk } from "./compare-paths.js";

/** Sites as letters, the side after each: "a1 b0". */
function path(text: string): { readonly sites: SiteId[]; readonly keys: number[] } {
  const words = text.split(" ").filter((word) => word !== "");
  return { sites: words.map((word) => word.charCodeAt(0) as SiteId), keys: words.map((word) => Number(word.slice(1))) };
}

describe("two paths side by side", () => {
  it("equal paths have no parting", () => {
    assert.deepEqual(walk(path("a1 b0 c1"), path("a1 b0 c1")), { common: 3, partings: [] });
  });

  it("part where the same branch goes another way", () => {
    const { common, partings } = walk(path("a1 b0 c1"), path("a1 b1 c1"));
    assert.equal(common, 1);
    assert.deepEqual(partings, [{ at: 1, other: 1, meets: 2 }]);
  });

  it("meet again after what only one of them did", () => {
    const { partings } = walk(path("a0 e1 f0 g1"), path("a1 x1 y1 e1 f1 g1"));
    assert.deepEqual(partings, [
      { at: 0, other: 0, meets: 3 },
      { at: 2, other: 4, meets: 5 },
    ]);
  });

  it("a path that ends after a parting does not meet again", () => {
    assert.deepEqual(walk(path("a0 b1"), path("a1")).partings, [{ at: 0, other: 0, meets: null }]);
  });
});
