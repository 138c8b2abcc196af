import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Glob } from "./glob.js";

const LONG = "a".repeat(4000);

describe("patterns of paths", () => {
  it("with stars alone: all else stands for itself", () => {
    for (const [pattern, text, fits] of [
      ["", "", true],
      ["*", "a/b.c", true],
      ["src/*", "src/a/b.c", true],
      ["src/***.c", "src/a/b.c", true],
      ["*.c", "a.cc", false],
      ["a.c", "abc", false],
      ["*a*b*", "xxbxxa", false],
      ["(*)[+]", "(x)[+]", true],
    ] as const) {
      assert.equal(Glob.withStars(pattern).fits(text), fits, `${pattern} for ${text}`);
    }
  });

  it("as .editorconfig has them", () => {
    for (const [pattern, text, fits] of [
      ["*.c", "src/a.c", true],
      ["/*.c", "src/a.c", false],
      ["src/*.c", "src/x/a.c", false],
      ["src/**.c", "src/x/a.c", true],
      ["?.c", "ab.c", false],
      ["*.{c,h}", "src/a.h", true],
      ["{a,{b,bc},d}.c", "bc.c", true],
      ["{a,{b,bc},d}.c", "cc.c", false],
      ["{a,}b", "b", true],
      ["a,b", "a,b", true],
      ["{a.c", "{a.c", true],
      ["a.c}(", "a.c}(", true],
    ] as const) {
      assert.equal(Glob.ofEditorConfig(pattern).fits(text), fits, `${pattern} for ${text}`);
    }
  });

  it("do not look at a text again and again, however many stars there are", { timeout: 60_000 }, () => {
    const pattern = `${"*a".repeat(60)}*b`;
    assert.equal(Glob.withStars(pattern).fits(LONG), false);
    assert.equal(Glob.ofEditorConfig(pattern).fits(LONG), false);
    assert.equal(Glob.ofEditorConfig(`${"**a".repeat(60)}b`).fits(LONG), false);
    assert.equal(Glob.withStars(pattern).fits(`${LONG}b`), true);
  });
});
