import assert from "node:assert/strict";
import { test } from "node:test";
import { bugsInWords, groupsOf, memberInWords, othersOf } from "./finding-groups.js";
import { pathsBelow } from "./finding-view.js";
import { finding } from "./result-fixture.js";

const FINDINGS = [
  finding({ id: "a", group: "g", severity: "low" }),
  finding({ id: "b", group: "h", severity: "high" }),
  finding({ id: "c", group: "g", severity: "critical", program: "/project/other" }),
  finding({ id: "d", group: "g", severity: "medium" }),
];

test("groups: the worst member stands for its group, and groups are sorted by theirs", () => {
  assert.deepEqual(
    groupsOf(FINDINGS).map(({ id, first, members }) => [id, first.id, members.map((member) => member.id).join("")]),
    [
      ["g", "c", "cda"],
      ["h", "b", "b"],
    ],
  );
});

test("groups: are counted as bugs, and their members as places", () => {
  assert.equal(bugsInWords(FINDINGS), "2 bugs in 4 places");
  assert.equal(bugsInWords(FINDINGS.slice(0, 2)), "2 bugs");
  assert.equal(bugsInWords([]), "0 bugs");
});

test("groups: a member tells its program if it is another one than the first's", () => {
  const shown = pathsBelow("/project");
  assert.equal(memberInWords(FINDINGS[2], FINDINGS[0], shown), "src/a b.c:6 in main (other)");
  assert.equal(memberInWords(FINDINGS[3], FINDINGS[0], shown), "src/a b.c:6 in main");
  assert.deepEqual(
    othersOf(FINDINGS[0], FINDINGS).map(({ id }) => id),
    ["c", "d"],
  );
});
