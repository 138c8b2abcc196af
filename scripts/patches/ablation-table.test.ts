// The table of a comparison, and the names of variants.

import assert from "node:assert/strict";
import { test } from "node:test";
import { STRATEGIES } from "../../src/techniques/reach/target-search.js";
import { groundKey } from "./ablation-bench.js";
import { type AblationRow, ablationTable, median } from "./ablation-table.js";
import { VARIANTS, variantsNamed } from "./ablation-variants.js";

const drawn = ["a.c:1:1", "a.c:2:1", "a.c:3:1"].map((target) => ({ project: "p", commit: "c", target }));

function row(
  target: number,
  variant: string,
  outcome: AblationRow["outcome"],
  by: string | null = null,
  searchMs = 1000,
): AblationRow {
  return {
    ...drawn[target],
    variant,
    outcome,
    by,
    searchMs,
    limitMs: 5000,
    cpuMs: 0,
    loadMs: 500,
    distance: 1,
    command: outcome === "reached" ? "prog -x" : "",
    confirmed: outcome === "reached" ? target === 0 : null,
    why: "",
  };
}

test("what each variant reaches, by what, how fast, and compared with the first", () => {
  const rows = [
    row(0, "full", "reached", "move", 200),
    row(1, "full", "reached", "greedy", 1200),
    row(2, "full", "not-reached"),
    row(0, "undirected", "not-reached"),
    row(1, "undirected", "lost"),
    row(2, "undirected", "reached", "luck", 4000),
    // Of another draw.
    { ...row(0, "full", "reached", "move", 9000), target: "other.c:1:1" },
  ];
  const lines = ablationTable(rows, drawn, ["full", "undirected"]).split("\n");
  assert.ok(lines.includes("| full | 3 of 3 | 2 | greedy 1, move 1 | 0.7 s | 1 | 0 | 0 |"), lines.join("\n"));
  assert.ok(lines.includes("| undirected | 3 of 3, 1 lost | 1 | luck 1 | 4.0 s | 0 | 2 | 1 |"), lines.join("\n"));
  assert.ok(lines.includes("- p c a.c:1:1: full (move, 0.2 s): prog -x"));
  assert.ok(lines.includes("- p c a.c:3:1: undirected (luck, 4.0 s): prog -x"));
});

test("targets that one of two has not searched for yet are no difference", () => {
  const rows = [row(0, "full", "reached", "move"), row(1, "full", "reached", "move"), row(0, "b", "reached", "move")];
  const table = ablationTable(rows, drawn, ["full", "b"]);
  assert.match(table, /^\| b \| 1 of 3 \| 1 \| move 1 \| 1\.0 s \| 1 \| 0 \| 0 \|$/m);
});

test("a target that two variants reach is not one's own", () => {
  const rows = [row(0, "full", "reached", "move"), row(0, "b", "reached", "greedy")];
  assert.match(ablationTable(rows, drawn, ["full", "b"]), /^none\.$/m);
});

test("the middle one, or what is between the middle two", () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test("every strategy is left out by a variant of its own; unknown names are told", () => {
  for (const part of STRATEGIES) {
    assert.ok(
      VARIANTS.some(({ without }) => without.length === 1 && without[0] === part),
      part,
    );
  }
  assert.deepEqual(variantsNamed("full,undirekted"), { unknown: "undirekted" });
  const chosen = variantsNamed("undirected,full,full");
  assert.ok(!("unknown" in chosen));
  assert.deepEqual(
    chosen.map(({ name }) => name),
    ["undirected", "full"],
  );
});

test("only what changes graphs or distances asks for ground of its own", () => {
  assert.equal(groundKey(["moves", "regeneration"]), groundKey([]));
  assert.equal(new Set([groundKey([]), groundKey(["points-to"]), groundKey(["preconditions"])]).size, 3);
});
