import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { printfFormat, quoted, shellAssignment, shownWord } from "./shell-words.js";

const WORDS = [
  Buffer.from("plain-word.txt"),
  Buffer.from(""),
  Buffer.from("it's $HOME `x` \\n"),
  Buffer.from("two\nlines\n\n"),
  Buffer.from("100%d\\"),
  Buffer.from(Array.from({ length: 255 }, (_, index) => index + 1)),
  Buffer.from([0xff, 0x2e]),
  Buffer.from("-r--r--\n"),
  Buffer.from("-n"),
  Buffer.from("--\n"),
  Buffer.from("-%s\x01"),
];
const SHELLS = ["sh", "dash", "bash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

test("shell words: what a script assigns is the same bytes, in every sh there is", () => {
  for (const shell of SHELLS) {
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

test("shell words: printf writes all bytes, whatever they begin with", () => {
  for (const shell of SHELLS) {
    for (const word of [...WORDS, Buffer.from([0x2d, 0, 0x2d]), Buffer.from("-v name")]) {
      const script = `printf '${printfFormat(word)}'`;
      assert.deepEqual(execFileSync(shell, ["-c", script]), word, `${shell}: ${script}`);
    }
  }
});
