import assert from "node:assert/strict";
import { test } from "node:test";
import { failedRow, type LibraryRow, libraryTable } from "./library-row.js";
import { recordedTests, testsInWords } from "./recorded-tests.js";

const FILE = { path: "/bed/a/src/one.yaml", content: "00", mode: 0o644 };
const ELSEWHERE = { path: "/bed/a/src2/one.yaml", content: "00", mode: 0o644 };
const EMPTY = { kind: "empty" } as const;

test("a recorded test counts once, by the first that it has to vary", () => {
  const counts = recordedTests(
    [
      { arguments: ["p", "one.yaml"], stdin: EMPTY, files: [FILE] },
      { arguments: ["p", "-x"], stdin: { kind: "bytes", content: "00" }, files: [ELSEWHERE] },
      { arguments: ["p", "-x"], stdin: EMPTY, files: [] },
      { arguments: ["p"], stdin: EMPTY, files: [{ ...FILE, content: null }] },
    ],
    "/bed/a/src",
  );
  assert.deepEqual(counts, { all: 4, withFiles: 1, withStdin: 1, withArguments: 1, literalsOnly: 1 });
  assert.equal(
    testsInWords({ ...counts, withStdin: 0, withArguments: 0 }),
    "4 tests: 1 with files, 1 with literals only",
  );
});

test("the table has those apart last, and findings by library", () => {
  const described = { version: "1-1", seconds: 1.4 };
  const row: LibraryRow = {
    ...described,
    name: "b",
    isApart: false,
    problem: null,
    tested: 3,
    functions: 5,
    paths: 70,
    failingLines: 2,
    seconds: 9.6,
    findings: [
      {
        id: "0f",
        kind: "heap-buffer-overflow",
        place: "b.c:3",
        function: "f",
        stack: ["f b.c:3"],
        by: "unit",
        command: ["./b", "x"],
        workingDirectory: ".",
        replay: "tangent replay 0f",
      },
    ],
  };
  const text = libraryTable([failedRow({ ...described, name: "a", isApart: true }, "no results"), row]);
  assert.deepEqual(text.split("\n").slice(2), [
    "| b | 1-1 | 3 of 5 | 70 | 2 | 1 | 10 |",
    "| a (apart) | 1-1 | none: no results |  |  |  | 1 |",
    "",
    "1 of 2 libraries have results; 1 findings, in 1 of them.",
    "",
    "b:",
    "- 0f: heap-buffer-overflow at b.c:3 in f, by unit",
  ]);
});
