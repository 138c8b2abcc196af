import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { quoted, shellAssignment, shownWord } from "./shell-words.js";

const WORDS = [
  Buffer.from("plain-word.txt"),
  Buffer.from(""),
  Buffer.from("it's $HOME `x` \\n"),
  Buffer.from("two\nlines\n\n"),
  Buffer.from("100%d\\"),
  Buffer.from(Array.from({ length: 255 }, (_, index) => index + 1)),
  Buffer.from([0xff, 0x2e]),
];

test("shell words: what a script assigns is the same bytes, in sh and in bash", () => {
  for (const shell of ["sh", "bash"]) {
    for (const word of WORDS) {
      const script = `${shellAssignment("w", word)}; printf %s "$w"`;
      assert.deepEqual(execFileSync(shell, ["-c", script]), word, `${shell}: ${script}`);
    }
  }
});

test("shell words: what people see can be pasted into bash", () => {
  for (const word of WORDS) {
    // A locale may not take bytes as characters; printf %s does not care.
    assert.deepEqual(execFileSync("bash", ["-c", `printf %s ${shownWord(word)}`], { env: { LC_ALL: "C" } }), word);
  }
});

test("shell words: only words that need quotes have them", () => {
  assert.equal(quoted("a/b-c=1"), "a/b-c=1");
  assert.equal(quoted("a b"), "'a b'");
  assert.equal(shownWord(Uint8Array.of(1, 0x41)), "$'\\x01A'");
});
