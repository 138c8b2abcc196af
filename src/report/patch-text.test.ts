import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { safeOutput } from "../support/visible-text.js";
import type { PatchCampaignResult, PatchLine, TargetState } from "./patch-result.js";
import { patchCoverage, renderPatch } from "./patch-text.js";
import { finding, result } from "./result-fixture.js";

const WHY = {
  sentence: "the branch at src/a.c:3 (`if (flag)`) was never true",
  branch: null,
  because: [],
  remaining: 2,
  outOfTime: false,
};
const STATES: readonly TargetState[] = [
  { kind: "covered", seedId: "1" },
  { kind: "reached", input: 0, by: "move", milliseconds: 5 },
  { kind: "not-reached", why: WHY },
  { kind: "unreachable", why: "nothing calls old\x1b[31m_helper" },
];
const KINDS: readonly PatchLine["state"][] = [
  "covered",
  "covered",
  "reached",
  "not-reached",
  "unreachable",
  "not-executable",
];
const TARGETS = [[0], [0], [1], [2], [3], []];

function patched(parts: Partial<PatchCampaignResult> = {}): PatchCampaignResult {
  const { version, tool, project, startedAt, durationMs, reason, files, timeline, notExplored } = result();
  return {
    ...{ version, tool, project, startedAt, durationMs, reason, files, timeline, notExplored },
    technique: "patch",
    findings: [],
    changes: {
      description: "HEAD",
      oldRevision: null,
      newRevision: null,
      notes: ["README: no C, so there is nothing to reach"],
      files: [
        {
          oldPath: "src/a.c",
          newPath: "src/a.c",
          hunks: [
            {
              oldStart: 9,
              newStart: 9,
              heading: "",
              lines: [
                { kind: "context", text: "{" },
                ...KINDS.map((_, at) => ({ kind: "added", text: `  line ${10 + at};` }) as const),
              ],
            },
          ],
        },
      ],
    },
    totals: {
      ...{ paths: 1, queries: 1, solverMs: 1, divergences: 0, unconfirmed: 0 },
      ...{ seeds: 1, targets: 4, coveredByTests: 1, reached: 1, unreachable: 1 },
    },
    targets: STATES.map((state, at) => ({
      ...{ id: `src/a.c:${at}:1`, file: "src/a.c", line: 10 + at, column: 1, function: "main", lines: [10 + at] },
      ...{ programs: ["/p/a"], distance: 1, state },
    })),
    inputs: [
      {
        ...{ id: "1", program: "/p/a", seedId: "1", seedCommand: ["a"], command: ["./a", "--brief", "two words"] },
        ...{
          steps: [],
          workingDirectory: "/p",
          environment: [],
          stdin: null,
          tree: [],
          end: "exit 0",
          confirmed: "vm",
        },
      },
    ],
    lines: KINDS.map((state, at) => ({ file: "src/a.c", line: 10 + at, state, targets: TARGETS[at] })),
    behaviour: [],
    compared: 0,
    ...parts,
  };
}

describe("patch testing as text", () => {
  it("has each changed line that has code, with its fate and a mark, and the coverage in one sentence", () => {
    const text = renderPatch(patched(), false);
    assert.deepEqual(
      text.split("\n").map((line) => line.replace(/ +/g, " ")),
      [
        "src/a.c",
        " + 10-11 line 10; by the tests",
        " * 12 line 12; reached: ./a --brief 'two words' (tangent replay 1)",
        " ! 13 line 13; not reached: the branch at src/a.c:3 (`if (flag)`) was never true",
        " x 14 line 14; unreachable: nothing calls old\\u001b[31m_helper",
        "note: README: no C, so there is nothing to reach",
        "patch coverage: 2 of 5 changed lines by the tests, 3 with Tangent (1 can never be reached)",
        "",
      ],
    );
  });

  it("has colours only when asked for, and says the same with them", () => {
    const coloured = safeOutput(renderPatch(patched(), true));
    const start = "\x1b";
    assert.ok(coloured.includes(`${start}[32m`));
    assert.equal(coloured.replaceAll(new RegExp(`${start}\\[[0-9;]*m`, "g"), ""), renderPatch(patched(), false));
  });

  it("regressions come first among what the patch changes", () => {
    const difference = (what: string) => [{ what, before: "0", after: "" }];
    const behaviour: PatchCampaignResult["behaviour"] = [
      {
        command: ["a"],
        program: "p",
        source: { kind: "test", seedId: "1" },
        severity: "different",
        differences: difference("standard output"),
      },
      {
        command: ["b"],
        program: "p",
        source: { kind: "input", input: 0 },
        severity: "crash",
        differences: difference("exit status"),
      },
    ];
    const text = renderPatch(patched({ behaviour, compared: 9 }), false);
    assert.match(
      text,
      /behaviour that this patch changes \(2 of 9 inputs\):\n {2}REGRESSION: b\n {4}exit status: 0 -> nothing\n {2}different: a\n/,
    );
    assert.match(renderPatch(patched({ compared: 9 }), false), /both versions do the same with 9 inputs/);
    const before = renderPatch(patched({ findings: [{ ...finding(), since: "before" }] }), false);
    assert.match(before, /^failed before this patch too: \S+ in \S+ \(finding \w+\)$/m);
  });

  it("of a patch without code, and of places that somebody named", () => {
    assert.match(renderPatch(patched({ lines: [] }), false), /no changed line has code/);
    const loading = patched({ lines: [], targets: [], timeline: [], reason: "time" });
    assert.match(renderPatch(loading, false), /^patch coverage: There was no time to look/m);
    assert.deepEqual(patchCoverage({ lines: [] }), { lines: 0, byTests: 0, withTangent: 0, unreachable: 0 });
    const named = patched({ changes: { ...patched().changes, files: [], notes: [] }, lines: [] });
    assert.match(
      renderPatch(named, false),
      /^\+ src\/a.c:10 \(main\): by the tests\n\* src\/a.c:11 \(main\): reached: /,
    );
    assert.match(renderPatch(named, false), /1 of 4 places reached by the tests, 1 more with Tangent\n$/);
  });
});
