// The draw: repeatable, only of what no test covers, nothing twice, and no commit dominates.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PatchRow, TargetRow } from "./patch-table.js";
import { drawTargets, keyOf, uncoveredTargets } from "./target-draw.js";

function target(id: string, state: TargetRow["state"]): TargetRow {
  return {
    id,
    function: "f",
    distance: 1,
    state,
    by: null,
    milliseconds: 0,
    command: "",
    confirmed: null,
    why: "",
  };
}

function commit(name: string, targets: readonly TargetRow[], failed = false): PatchRow {
  return {
    project: "p",
    commit: name,
    seeds: 1,
    lines: 1,
    without: [],
    wallMs: 0,
    cpuMs: 0,
    targets,
    findings: [],
    behaviour: [],
    compared: 0,
    failed,
  };
}

const large = commit(
  "large",
  Array.from({ length: 200 }, (_, line) => target(`a.c:${line}:1`, line % 2 === 0 ? "not-reached" : "covered")),
);
const small = ["b", "c", "d"].map((name) =>
  commit(name, [
    target("s.c:1:1", "reached"),
    target("s.c:2:1", "suite"),
    target("s.c:3:1", "unreachable"),
    target("s.c:4:1", "not-reached"),
  ]),
);
const rows = [large, ...small];

test("only what no test covers is drawn, of commits that are listed", () => {
  const open = uncoveredTargets(rows, (_, name) => name !== "d");
  assert.equal(open.length, 104);
  const states = new Map(
    rows.flatMap(({ project, commit: name, targets }) =>
      targets.map(({ id, state }) => [keyOf({ project, commit: name, target: id }), state] as const),
    ),
  );
  const { targets } = drawTargets(open, 50, 7);
  assert.equal(targets.length, 50);
  for (const one of targets) {
    assert.match(states.get(keyOf(one)) ?? "", /^(reached|not-reached)$/);
    assert.notEqual(one.commit, "d");
  }
});

test("a commit that was measured again counts as it was measured last; one that failed does not", () => {
  const again = [commit("b", [target("s.c:9:1", "not-reached")]), commit("c", [], true)];
  const open = uncoveredTargets([...small, ...again], () => true).map(keyOf);
  assert.deepEqual(open.sort(), ["p b s.c:9:1", "p c s.c:1:1", "p c s.c:4:1", "p d s.c:1:1", "p d s.c:4:1"]);
});

test("the same seed draws the same, in whichever order the targets are given; another draws otherwise", () => {
  const open = uncoveredTargets(rows, () => true);
  const first = drawTargets(open, 20, 3);
  assert.deepEqual(drawTargets([...open].reverse(), 20, 3), first);
  assert.notDeepEqual(drawTargets(open, 20, 4).targets, first.targets);
});

test("nothing is drawn twice, and no more than there is", () => {
  const open = uncoveredTargets(rows, () => true);
  const { targets, wanted } = drawTargets(open, 1000, 5);
  assert.equal(wanted, 1000);
  assert.equal(targets.length, open.length);
  assert.equal(new Set(targets.map(keyOf)).size, open.length);
});

test("a commit with many targets does not dominate", () => {
  let ofLarge = 0;
  let all = 0;
  for (let seed = 0; seed < 200; seed++) {
    for (const { commit: name } of drawTargets(
      uncoveredTargets(rows, () => true),
      4,
      seed,
    ).targets) {
      all++;
      if (name === "large") ofLarge++;
    }
  }
  // Of four commits one: a quarter, where targets drawn alike would be 94 of 100.
  assert.ok(ofLarge < all * 0.45, `${ofLarge} of ${all}`);
});
