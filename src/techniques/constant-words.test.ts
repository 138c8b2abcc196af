import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GlobalInfo } from "../jit/image.js";
import { constantWords } from "./constant-words.js";

function wordsOf(texts: readonly string[], constant = true): { whole: string[]; parts: string[] } {
  const globals: GlobalInfo[] = [];
  let content = "\0\0";
  for (const text of texts) {
    globals.push({ name: "s", address: content.length, size: text.length + 1, constant, file: null, line: 0 });
    content += `${text}\0`;
  }
  const { whole, parts } = constantWords(globals, Buffer.from(content, "latin1"));
  const shown = (word: Uint8Array): string => Buffer.from(word).toString("latin1");
  return { whole: whole.map(shown), parts: parts.map(shown) };
}

describe("words of constants", () => {
  it("texts without blanks stand for themselves, longer ones are taken apart", () => {
    const { whole, parts } = wordsOf(["define", "<!DOCTYPE", "CREATE TABLE %s(x)", "cannot open `%.*s': %s", "->"]);
    assert.deepEqual(whole, ["define", "<!DOCTYPE", "->"]);
    assert.deepEqual(parts, ["CREATE", "TABLE", "cannot", "open"]);
  });

  it("a word is there once, and not as a part if it stands for itself", () => {
    assert.deepEqual(wordsOf(["open", "cannot open", "open"]), { whole: ["open"], parts: ["cannot"] });
  });

  it("only of constants that can be texts", () => {
    assert.deepEqual(wordsOf(["define"], false), { whole: [], parts: [] });
    assert.deepEqual(wordsOf(["\x01\x02\x80", "q".repeat(100_000), "%d", "%-5lu"]), { whole: [], parts: [] });
    assert.deepEqual(wordsOf(["one\0two\x01three"]).whole, ["one", "two", "three"]);
  });
});
