import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../invocation.js";
import { MOVE_LIMITS } from "../moves/move.js";
import { SingleEditTurns, singleEdits } from "./single-edits.js";

function invocation(input: string): Invocation {
  return {
    program: "/p/prog",
    arguments: [Buffer.from("prog")],
    environment: [],
    workingDirectory: "/p",
    umask: 0o022,
    stdin: { kind: "bytes", bytes: Buffer.from(input, "latin1"), regularFile: false },
    tree: [],
  };
}

function inputOf({ stdin }: Invocation): string {
  return stdin.kind === "bytes" ? Buffer.from(stdin.bytes).toString("latin1") : "";
}

test("of a text: lines and words gone and doubled, other numbers, words in each other's places", () => {
  const made = new Set(Array.from(singleEdits(invocation("<a href=b/>\n<c n=12/>\n")), inputOf));
  for (const wanted of [
    "<c n=12/>\n",
    "<a href=b/>\n<a href=b/>\n<c n=12/>\n",
    "<a href=/>\n<c n=12/>\n",
    "<a href=a/>\n<c n=12/>\n",
    "<a href=b/>\n<href n=12/>\n",
    "<a href=b/>\n<c n=13/>\n",
    "<a href=b/>\n<c n=-1/>\n",
  ])
    assert.ok(made.has(wanted), wanted);
});

test("of what is no text: bytes changed, gone and doubled", () => {
  const made = new Set(Array.from(singleEdits(invocation("G\0\x04")), inputOf));
  for (const wanted of ["G\0\x03", "G\0\xff", "H\0\x04", "\0\x04", "GG\0\x04", "G\0\x04\x04"])
    assert.ok(made.has(wanted), JSON.stringify(wanted));
  assert.ok(!made.has("G\0\x04"));
});

test("of a large file a few bytes are edited, of one that no edit may be as long as nothing", () => {
  const lengths = new Set(
    Array.from(singleEdits(invocation("\0".repeat(MOVE_LIMITS.fileBytes))), (one) => inputOf(one).length),
  );
  assert.deepEqual([...lengths].sort(), [MOVE_LIMITS.fileBytes - 1, MOVE_LIMITS.fileBytes]);
  assert.deepEqual([...singleEdits(invocation("\0".repeat(MOVE_LIMITS.fileBytes + 1)))], []);
});

test("of a large text there are no more than can be run", () => {
  const words = Array.from({ length: 1500 }, (_, n) => `w${n}`).join(" ");
  let count = 0;
  for (const _ of singleEdits(invocation(words))) count++;
  assert.equal(count, 20_000);
});

test("tests take turns", () => {
  const turns = new SingleEditTurns<{ readonly invocation: Invocation; readonly name: string }>();
  assert.equal(turns.next(), null);
  for (const name of ["one", "another"]) turns.add({ invocation: invocation(name), name });
  const names: string[] = [];
  for (let next = turns.next(); next !== null; next = turns.next()) names.push(next.from.name);
  assert.deepEqual(names.slice(0, 4), ["one", "another", "one", "another"]);
  assert.ok(names.length < 40);
});
