import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../invocation.js";
import { reading } from "../invocation-fixture.js";
import { LengthSearch } from "./length-search.js";

function textOf({ stdin }: Invocation): string {
  return stdin.kind === "bytes" ? Buffer.from(stdin.bytes).toString() : "";
}

/** The lengths that are tried where the block is executed from `limit` on. */
function lengthsTried(length: number, limit: number): number[] {
  const search = LengthSearch.of(reading(`a ${"-".repeat(length)} b`));
  const tried: number[] = [];
  for (let next = search?.next() ?? null; search !== null && next !== null; next = search.next()) {
    const [, run] = /^a (-+) b$/.exec(textOf(next)) ?? [];
    tried.push(run.length);
    search.told(run.length >= limit);
  }
  return tried;
}

test("the lengths on both sides of a limit, and some around them, are run", () => {
  for (const limit of [2, 24, 511, 1022, 1999, 2000]) {
    const tried = lengthsTried(2000, limit);
    const around = [-3, -2, -1, 0, 1, 2].map((step) => limit + step).filter((length) => length > 0 && length !== 2000);
    for (const length of around) assert.ok(tried.includes(length), `${length} of ${limit}: ${tried}`);
    assert.ok(tried.length <= 18, `${tried.length}`);
  }
});

test("what is executed at any length is given up after one run", () => {
  assert.deepEqual(lengthsTried(2000, 0), [1]);
});

test("an input without a long run says nothing", () => {
  assert.equal(LengthSearch.of(reading("some text -------- and so on")), null);
  assert.equal(LengthSearch.of(reading("")), null);
});

test("an argument has runs too", () => {
  const from = { ...reading(""), arguments: [Buffer.from("-x"), Buffer.from("y".repeat(100))] };
  const next = LengthSearch.of(from)?.next();
  assert.deepEqual(
    next?.arguments.map((bytes) => Buffer.from(bytes).toString()),
    ["-x", "y"],
  );
});
