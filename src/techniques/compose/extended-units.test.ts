import assert from "node:assert/strict";
import { test } from "node:test";
import { extendedUnit, type UnitMembers } from "./extended-units.js";
import type { Relevance } from "./relevance.js";

/** f1 of the paper calls f5 calls f7 and f8, f8 calls f9 and f10; f10 calls f8 again; f4 is called by f7 alone. */
const CALLEES: Readonly<Record<number, readonly number[]>> = { 1: [5], 5: [7, 8], 7: [4], 8: [9, 10], 10: [8] };
const calls = { calleesOf: (f: number): readonly number[] => CALLEES[f] ?? [] };

function relevant(to: Readonly<Record<number, number>>, runs = 3): UnitMembers {
  const relevance: Relevance = {
    of: (f, g) => (f === 5 ? (to[g] ?? 0) : 0),
    threshold: (share) => (share === 0.3 ? 0.6 : 0),
    runsOf: () => runs,
  };
  return { kind: "relevant", relevance, share: 0.3 };
}

test("a unit is extended by callees that are closely relevant to it", () => {
  const unit = extendedUnit(5, calls, relevant({ 7: 0.8, 8: 0.6, 9: 0.9, 10: 0.4 }));
  assert.deepEqual(unit, { members: [5, 7, 8, 9], others: [4, 10] });
});

test("a callee is reached through members only", () => {
  const unit = extendedUnit(5, calls, relevant({ 7: 0.2, 8: 0.1, 9: 0.9, 4: 1 }));
  assert.deepEqual(unit, { members: [5], others: [7, 8] });
});

test("what never ran takes its callees along", () => {
  assert.deepEqual(extendedUnit(5, calls, relevant({}, 0)), { members: [4, 5, 7, 8, 9, 10], others: [] });
});

test("a unit alone has stubs only, and none for itself", () => {
  assert.deepEqual(extendedUnit(8, calls, { kind: "alone" }), { members: [8], others: [9, 10] });
  assert.deepEqual(extendedUnit(4, calls, { kind: "alone" }), { members: [4], others: [] });
});

test("members at random are about half of the callees, and the same every time", () => {
  const wide = { calleesOf: (f: number) => (f === 0 ? Array.from({ length: 1000 }, (_, n) => n + 1) : []) };
  const random: UnitMembers = { kind: "random", seed: 1, probability: 0.5 };
  const unit = extendedUnit(0, wide, random);
  assert.ok(unit.members.length > 400 && unit.members.length < 600, `${unit.members.length}`);
  assert.equal(unit.members.length + unit.others.length, 1001);
  assert.deepEqual(extendedUnit(0, wide, random), unit);
  assert.notDeepEqual(extendedUnit(0, wide, { ...random, seed: 2 }), unit);
});
