import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "./arguments.js";
import { wrappedSymbols } from "./wrapped-symbols.js";

const wrapped = (words: string): string[] => wrappedSymbols(parseCommandLine(words.split(" ")));

test("names are found in every way of writing them, each once", () => {
  assert.deepEqual(wrapped("a.o -Wl,--wrap=open -Wl,-wrap=read -o a"), ["open", "read"]);
  assert.deepEqual(wrapped("a.o -Wl,--wrap,open,-z,now,--wrap=read,--wrap=open"), ["open", "read"]);
  assert.deepEqual(wrapped("a.o -Xlinker --wrap=open -Xlinker --wrap -Xlinker read"), ["open", "read"]);
});

test("only a whole link wraps names", () => {
  assert.deepEqual(wrapped("-c a.c -Wl,--wrap=open"), []);
  assert.deepEqual(wrapped("-r a.o b.o -Wl,--wrap=open -o c.o"), []);
  assert.deepEqual(wrapped("a.o -Wl,--wrap"), []);
  assert.deepEqual(wrapped("a.o -fwrapv -Wl,--wrapper"), []);
});
