import assert from "node:assert/strict";
import { test } from "node:test";
import { untracedNote } from "./untraced.js";

test("untraced: if nothing could be traced, the machine forbids it", () => {
  const one = { command: ["./p"], reason: "Operation not permitted" };
  assert.equal(
    untracedNote([one, one], 2),
    "2 could not be traced (ptrace is not permitted here): Operation not permitted; the files they read are missing",
  );
});

test("untraced: a few among many are named, with what the system said of each", () => {
  const few = Array.from({ length: 7 }, (_, at) => ({
    command: ["./p", `a b${at}`, "x".repeat(200)],
    reason: at === 1 ? "No such process" : "Operation not permitted",
  }));
  const lines = untracedNote(few, 3000).split("\n");
  assert.equal(lines[0], "7 of 3000 could not be traced; the files they read are missing:");
  assert.match(lines[1], /^ {2}\.\/p 'a b0' x+\.\.\.: Operation not permitted \(traced already, by valgrind/);
  assert.match(lines[2], /: No such process \(it was gone at once\)$/);
  assert.equal(lines.length, 7);
  assert.equal(lines[6], "  and 2 more");
});
