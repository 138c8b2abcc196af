import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WORD_READ } from "../findings/word-read.js";
import { NO_SOURCES } from "../project/sources.js";
import { pathsBelow } from "./finding-view.js";
import { finding } from "./result-fixture.js";
import { wordReadHints } from "./word-read-hint.js";

const shown = pathsBelow("/project");
const reading = (id: string) => finding({ id, group: "g", cause: `${WORD_READ} | hash in src/a b.c` });

describe("hints about words read beyond their object", () => {
  it("are given when it repeats, with both ways to go on", () => {
    const [hint, ...more] = wordReadHints([reading("a"), reading("b")], false, NO_SOURCES, shown);
    assert.deepEqual(more, []);
    assert.match(hint, /^2 findings of main \(src\/a b\.c\)/);
    assert.match(hint, /`sanitizer-macros = true` in tangent.toml/);
    assert.match(hint, /\[\[suppress\]\] with function = "main" and a reason/);
    assert.deepEqual(wordReadHints([reading("a")], false, NO_SOURCES, shown), []);
    assert.deepEqual(wordReadHints([finding({ id: "a" }), finding({ id: "b" })], false, NO_SOURCES, shown), []);
  });

  it("are given for a single one if its file has other code for sanitizers", () => {
    const source = "#if __has_feature(address_sanitizer)\n#define SLOW 1\n#endif\n";
    const [hint] = wordReadHints([reading("a")], false, () => source, shown);
    assert.match(hint, /This file has other code for sanitizers/);
  });

  it("do not propose what is done already", () => {
    const [hint] = wordReadHints([reading("a"), reading("b")], true, NO_SOURCES, shown);
    assert.doesNotMatch(hint, /sanitizer-macros/);
    const settled = [reading("a"), reading("b")].map((one) => ({ ...one, suppressed: "meant" }));
    assert.deepEqual(wordReadHints(settled, false, NO_SOURCES, shown), []);
  });
});
