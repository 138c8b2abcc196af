// A result of patch testing made by hand for the tests of the reports: every state of a line, every kind of entry, and
// hostile wherever a real one could be.

import type { PatchCampaignResult, PatchInput, PatchTarget, TargetState } from "./patch-result.js";
import { finding, result } from "./result-fixture.js";

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");

export function patchInput(parts: Partial<PatchInput> = {}): PatchInput {
  return {
    id: "abc123def456",
    program: "/project/src/prog",
    seedId: "5eed000000000001",
    seedCommand: ["./prog", "a b.txt"],
    command: ["./prog", "--<b>brief</b>", "a b.txt"],
    steps: ["the option --<b>brief</b> was put before argument 1", "1 byte of the file a b.txt changed"],
    workingDirectory: "/project/tests",
    environment: ["LC_ALL=C", "LD_PRELOAD=/evil.so", "TZ=UTC0"],
    stdin: base64("line one\nline two\n"),
    tree: [
      { kind: "file", path: "/project/tests/a b.txt", bytes: base64("text\n"), mode: 0o644 },
      { kind: "file", path: "/project/tests/d.bin", bytes: base64("\0\u0001\u00ff"), mode: 0o600 },
      { kind: "directory", path: "/project/tests/sub", mode: 0o755 },
      { kind: "link", path: "/project/tests/sub/link", to: "../a b.txt" },
      { kind: "fifo", path: "/project/tests/pipe", mode: 0o644 },
      { kind: "missing", path: "/project/tests/none" },
    ],
    end: "exit 1",
    confirmed: "vm",
    observed: { status: 1, stdout: base64("</script><script>alert(3)</script>\n"), stderr: "", varies: [] },
    ...parts,
  };
}

export function patchTarget(line: number, state: TargetState, parts: Partial<PatchTarget> = {}): PatchTarget {
  return {
    id: `src/a b.c:${line}:3`,
    file: "src/a b.c",
    line,
    column: 3,
    function: "compare<files>",
    lines: [line],
    programs: ["/project/src/prog"],
    distance: 2,
    state,
    ...parts,
  };
}

export function patchResult(parts: Partial<PatchCampaignResult> = {}): PatchCampaignResult {
  const { version, tool, project, startedAt, durationMs, reason, files, timeline, notExplored } = result();
  return {
    ...{ version, tool, project, startedAt, durationMs, reason, files, timeline, notExplored },
    technique: "patch",
    findings: [finding()],
    totals: {
      ...{ paths: 1234, queries: 50, solverMs: 12, divergences: 0, unconfirmed: 0 },
      ...{ seeds: 7, targets: 4, coveredByTests: 1, reached: 1, unreachable: 1 },
    },
    changes: {
      description: "main...HEAD <i>",
      oldRevision: "0123456789abcdef0123456789abcdef01234567",
      newRevision: null,
      files: [
        {
          oldPath: "src/a b.c",
          newPath: "src/a b.c",
          hunks: [
            {
              oldStart: 1,
              newStart: 1,
              heading: "int main(void) /* </script> */",
              lines: [
                { kind: "context", text: "/* </script><script>alert(1)</script> \u202e */" },
                { kind: "removed", text: "  old();" },
                { kind: "added", text: "  covered();" },
                { kind: "added", text: "  reached<b>();" },
                { kind: "added", text: "  missed();" },
                { kind: "added", text: "  dead();" },
                { kind: "added", text: "  /* a comment */" },
                { kind: "context", text: "}" },
              ],
            },
          ],
        },
        {
          oldPath: "gone.c",
          newPath: null,
          hunks: [{ oldStart: 1, newStart: 0, heading: "", lines: [{ kind: "removed", text: "x" }] }],
        },
        {
          oldPath: null,
          newPath: "new.h",
          hunks: [{ oldStart: 0, newStart: 1, heading: "", lines: [{ kind: "added", text: "#define X" }] }],
        },
      ],
      notes: ["logo.png is no text <img>"],
    },
    targets: [
      patchTarget(2, { kind: "covered", seedId: "5eed000000000001" }, { distance: 0 }),
      patchTarget(3, { kind: "reached", input: 0, by: "move", milliseconds: 812 }),
      patchTarget(4, {
        kind: "not-reached",
        why: {
          sentence: "the branch at src/a b.c:40 (`if (flag<1)`) was never true",
          branch: { file: "src/a b.c", line: 40, condition: "flag<1", side: "true" },
          because: [{ file: "src/a b.c", line: 12, what: "flag is 3 since <here>" }],
          remaining: 2,
          outOfTime: true,
        },
      }),
      patchTarget(5, { kind: "unreachable", why: "nothing calls dead_<code>" }, { distance: null }),
    ],
    inputs: [patchInput()],
    lines: [
      { file: "src/a b.c", line: 2, state: "covered", targets: [0] },
      { file: "src/a b.c", line: 3, state: "reached", targets: [1] },
      { file: "src/a b.c", line: 4, state: "not-reached", targets: [2] },
      { file: "src/a b.c", line: 5, state: "unreachable", targets: [3] },
      { file: "src/a b.c", line: 6, state: "not-executable", targets: [] },
    ],
    behaviour: [
      {
        command: ["./prog", "<u>same</u>"],
        program: "/project/src/prog",
        source: { kind: "test", seedId: "5eed000000000001" },
        severity: "different",
        differences: [{ what: "standard output", before: "one\ntwo\n<script>\n", after: "one\n2\n<script>\n" }],
      },
      {
        command: ["./prog", "--brief"],
        program: "/project/src/prog",
        source: { kind: "input", input: 0 },
        severity: "crash",
        differences: [{ what: "finding", before: "none, exit status 0", after: "heap-buffer-overflow in <main>" }],
      },
    ],
    compared: 9,
    ...parts,
  };
}

/** `tangent reach`: what somebody asked for, and no patch. */
export function reachResult(): PatchCampaignResult {
  const whole = patchResult();
  const changes = { description: "", oldRevision: null, newRevision: null, files: [], notes: [] };
  return { ...whole, changes, lines: [], behaviour: [], compared: 0, findings: [] };
}
