import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { expectedInMachine, expectedRun } from "./expected-run.js";

const VARIES = { status: 0, stdout: "", stderr: "", varies: ["stdout"] as const };
const run = (stdout: string, status = 0) => ({ status, stdout: Buffer.from(stdout), stderr: Buffer.alloc(0) });

/** What is expected of standard output, as text; the reason if it is not compared. */
function expected(first: string, second: string, observed?: typeof VARIES): string {
  const { stdout } = expectedRun([run(first), run(second)], observed);
  return stdout.kind === "bytes" ? stdout.bytes.toString() : stdout.why;
}

describe("what is expected of a run", () => {
  it("is what was the same both times, line by line", () => {
    assert.equal(expected("a\nb\n", "a\nb\n"), "a\nb\n");
    assert.equal(expected("a\npid 12\nb", "a\npid 13\nb"), "a\n<not compared>\nb");
    assert.equal(expectedRun([run("", 3), run("", 3)], undefined).status, 3);
  });

  it("nothing, if no line is the same, or there are others", () => {
    for (const [first, second] of [
      ["1\n", "2\n"],
      ["a\n", "a\nb\n"],
    ] as const) {
      assert.equal(expected(first, second), "is not the same each time");
    }
    assert.equal(expected("x".repeat(70_000), "x".repeat(70_000)), "is very long");
  });

  it("not what is another on another day, though it was the same twice in a minute", () => {
    const listing = "drwxr-xr-x 2 u g 40 Nov 19 23:10 d\ntotal 1\n";
    assert.equal(expected(listing, listing, VARIES), "<not compared>\ntotal 1\n");
    assert.equal(expected(listing, listing), listing, "where the machine saw the same on both days");
    assert.equal(expected("today\n", "today\n", VARIES), "is not the same each time");
  });

  it("in the machine: what was seen there, with a name for the directory", () => {
    const seen = { status: 1, stdout: Buffer.from("/w/t/a\n").toString("base64"), stderr: "", varies: [] };
    const { stdout } = expectedInMachine(seen, "/w/t") ?? assert.fail();
    assert.ok(stdout.kind === "bytes" && stdout.bytes.toString() === "<directory>/a\n");
    assert.equal(expectedInMachine({ ...seen, status: null }, "/w/t"), null);
  });
});
