// What two versions of a program print differently although they do the same: their version, the directory they were
// built in, times, addresses, lines of their own source. Each kind of noise is a row of the table, with examples that a
// test goes through. What differs only in such things is no difference; people are shown the text as it was.

/** What is known of one version. */
export interface VersionContext {
  /** Absolute directories of its sources and builds. */
  readonly roots: readonly string[];
}

export interface NoiseRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly put: string;
  /** Texts that are the same to it, a pair a row. */
  readonly same: readonly (readonly [string, string])[];
  /** Texts that it must not confuse. */
  readonly different: readonly (readonly [string, string])[];
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const CLOCK = "\\d{1,2}:\\d\\d:\\d\\d(?:[.,]\\d+)?";
const ZONE = "(?:\\s?(?:Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)\\b)?";

/**
 * In this order: what is longer comes before what it contains. Programs print what they are made to: a pattern that begins with a
 * run of characters begins where the run does, or a long run would be tried from each of them.
 */
export const NOISE: readonly NoiseRule[] = [
  {
    name: "versions after the name of a package",
    pattern: /(\([^()\n]{1,60}\) |\bversion:? |\bVersion:? )v?\d+(?:\.\d+)+(?:[-+~.][\w.+~-]*\w)?/g,
    put: "$1<version>",
    same: [
      ["diff (GNU diffutils) 3.10.42-abcd-dirty", "diff (GNU diffutils) 3.10.41-1f2e"],
      ["this is version 1.2.3", "this is version 1.2.4-rc1"],
    ],
    different: [
      ["sqrt (of two) is 3", "sqrt (of two) is 4"],
      ["f (x) 1.5", "g (x) 1.5"],
    ],
  },
  {
    name: "a program's name and version alone in a line",
    pattern: /^([A-Za-z][\w+-]*) v?\d+\.\d+(?:\.\d+)*(?:[-+~][\w.+~-]*)?$/gm,
    put: "$1 <version>",
    same: [["jq-fork 1.7.1\n", "jq-fork 1.8\n"]],
    different: [["total 12", "total 13"]],
  },
  {
    name: "versions that git describes",
    pattern: /(?<![\w.])v?\d+(?:\.\d+)+(?:-\d+)?-g[0-9a-f]{4,40}(?:[-.](?:dirty|modified|broken))?\b/g,
    put: "<version>",
    same: [["built from 1.7-12-gdeadbee-dirty", "built from 1.7-13-gcafe123"]],
    different: [["1.7-12", "1.7-13"]],
  },
  {
    name: "dates with times",
    pattern: new RegExp(
      `\\b\\d{4}-\\d\\d-\\d\\d[T ]${CLOCK}${ZONE}|\\b${WEEKDAY},? (?:${MONTH} +\\d{1,2}|\\d{1,2} ${MONTH})(?: \\d{4})? +${CLOCK}(?: [A-Z]{2,5})?(?: \\d{4})?${ZONE}`,
      "g",
    ),
    put: "<time>",
    same: [
      ["--- a\t2024-01-01 00:00:00.000000000 +0000", "--- a\t2024-01-02 01:02:03.004000000 +0000"],
      ["2024-01-01T00:00:00Z", "2024-01-02T00:00:01Z"],
      ["Mon Jan  1 00:00:00 2024", "Tue Jan  2 01:02:03 2024"],
      ["Mon, 01 Jan 2024 00:00:00 GMT", "Tue, 02 Jan 2024 00:00:00 GMT"],
    ],
    different: [["2024-01-01", "2025-01-01"]],
  },
  {
    name: "dates and times of a build or of a listing",
    pattern: new RegExp(
      `\\b${MONTH} [ \\d]\\d(?: +\\d{4}| \\d\\d:\\d\\d)(?: ${CLOCK})?|\\b${CLOCK}(?=\\s|$|[),;\\]"])`,
      "g",
    ),
    put: "<time>",
    same: [
      ["compiled Nov 15 2026 19:17:27", "compiled Nov 14 2026 09:01:00"],
      ["-rw-r--r-- 1 u g 3 Jan  1 00:00 a", "-rw-r--r-- 1 u g 3 Jan  2 01:02 a"],
      ["started at 00:00:00", "started at 01:02:03"],
    ],
    different: [["12:30", "12:31"]],
  },
  {
    name: "process ids",
    pattern: /((?<![\w.-])[A-Za-z][\w.-]*\[|\bpid[ =:]{1,2}|\bprocess )\d+\b/gi,
    put: "$1<pid>",
    same: [
      ["server[412]: ready", "server[97]: ready"],
      ["pid=12", "pid=34"],
      ["process 5 ended", "process 6 ended"],
    ],
    different: [["word 12", "word 13"]],
  },
  {
    name: "names of temporary files",
    pattern: /((?:\/var)?\/tmp\/)[\w.+-]*[A-Za-z0-9]{6}(?![\w.])/g,
    put: "$1<temporary>",
    same: [["/tmp/sortAbC123: full", "/tmp/sortXyZ987: full"]],
    different: [["/tmp/a", "/tmp/b"]],
  },
  {
    name: "addresses",
    pattern: /\b0x[0-9a-fA-F]{5,16}\b/g,
    put: "<address>",
    same: [["at 0x104a0", "at 0x7ffc12345678"]],
    different: [["0x1f", "0x2f"]],
  },
  {
    name: "lines of the program's source",
    pattern: /(?<![\w./+-])([\w./+-]+\.(?:c|h|cc|cpp|cxx|hh|hpp|y|l)):\d+(?::\d+)?/g,
    put: "$1:<line>",
    same: [["p: src/a.c:12: f: Assertion `x' failed.", "p: src/a.c:15: f: Assertion `x' failed."]],
    different: [["p: src/a.c:12: f: failed", "p: src/b.c:12: f: failed"]],
  },
];

/** The text without what no behaviour is. */
export function normalised(text: string, { roots }: VersionContext): string {
  let quiet = text;
  // The longest first: one may lie in the other.
  for (const root of [...roots].filter((path) => path.length > 1).sort((a, b) => b.length - a.length)) {
    quiet = quiet.replaceAll(root, "<root>");
  }
  for (const { pattern, put } of NOISE) quiet = quiet.replace(pattern, put);
  return quiet;
}
