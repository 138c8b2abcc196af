// A campaign's result made by hand for the tests of the reports: hostile where a real one could be (markup, control
// characters, bytes that are no text, an input of a megabyte).

import type { AmplifyCampaignResult, ResultFinding, ResultFrame } from "./campaign-result.js";

export const HOSTILE_SOURCE = [
  "/* </script><script>alert(1)</script> & \u202e \0 */",
  "int main(int argc, char **argv) {",
  '  const char *s = "<img src=x onerror=alert(2)>";',
  "  /* a comment",
  "     of two lines */",
  "  char room[4]; room[argc] = `1`;",
  "}",
  "",
].join("\n");

const SOURCE_PATH = "/project/src/a b.c";

function frame(name: string, line: number, origin = "program", file: string | null = SOURCE_PATH): ResultFrame {
  return { function: name, file, line, column: 3, origin };
}

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string, "latin1").toString("base64");

export function finding(parts: Partial<ResultFinding> = {}): ResultFinding {
  return {
    id: "0123456789ab",
    identity: "prog | heap-buffer-overflow | memcpy | main at src/a b.c:6:3",
    group: `group-${parts.id ?? "of-the-fixture"}`,
    cause: "heap-buffer-overflow | main in src/a b.c | write | heap of main in src/a b.c",
    fingerprint: "ba9876543210",
    kind: "heap-buffer-overflow",
    title: "Heap buffer overflow",
    sentence: "The program touched memory next to a block from malloc that it does not own.",
    message: "write of 1 byte at 0x1000, 0 bytes after a block <b>of</b> 4 bytes",
    severity: "critical",
    cwe: 122,
    location: frame("main", 6),
    stack: [frame("memcpy", 1, "libc", null), frame("main", 6)],
    object: {
      kind: "heap",
      name: null,
      size: 4,
      offset: 4,
      file: null,
      line: 0,
      allocation: [frame("main", 3)],
      free: [],
    },
    distance: 1,
    depth: 9,
    foundMs: 1234,
    program: "/project/prog",
    seedId: "5eed000000000001",
    seedCommand: ["./prog", "12", "it's"],
    witnessCommand: ["./prog", "1\u00ff", "it's"],
    workingDirectory: "/project",
    inputs: [
      { name: "arg0", seed: base64("12"), witness: base64("1\u00ff") },
      { name: "stdin", seed: base64("one\ntwo\nthree\n"), witness: base64("one\ntwo\nthr<e\n") },
      { name: "file:/project/d.bin", seed: base64("\0\u0001\u0002\u0003"), witness: base64("\0\u0001\u00fe\u0003") },
    ],
    confirmed: "vm",
    behind: [{ id: "abcabcabcabc", place: "main:3:4 < <b>x" }],
    ...parts,
  };
}

export function result(findings: readonly ResultFinding[] = [finding()]): AmplifyCampaignResult {
  return {
    version: 2,
    technique: "amplify",
    tool: "tangent 9.9.9",
    project: "/project",
    startedAt: "2026-01-02T03:04:05.678Z",
    durationMs: 5000,
    reason: "complete",
    totals: {
      seeds: 2,
      invocations: 3,
      distance: 2,
      checks: 10,
      paths: 1234,
      queries: 50,
      solverMs: 12,
      divergences: 0,
      unconfirmed: 0,
    },
    findings,
    seeds: [
      {
        id: "5eed000000000001",
        program: "/project/prog",
        command: ["./prog", "12", "<i>&\u0001"],
        stdinBytes: 14,
        files: ["/project/d.bin"],
        end: "exit 0",
        distance: 2,
        checks: 7,
        paths: 1000,
        milliseconds: 2500,
        skipped: null,
        checked: "part",
        why: ["its <i>time</i> was used up"],
      },
      {
        id: "5eed000000000002",
        program: "/project/prog",
        command: ["./prog"],
        stdinBytes: null,
        files: [],
        end: "exit 1",
        distance: -1,
        checks: 0,
        paths: 0,
        milliseconds: 0,
        skipped: "its program could not be loaded",
      },
    ],
    files: [{ path: SOURCE_PATH, lines: [2, 3, 6, 7], byTests: [2, 3], added: [6] }],
    timeline: [
      { ms: 100, blocks: 5, findings: 0 },
      { ms: 1300, blocks: 9, findings: 1 },
    ],
    notExplored: { "solver gave up": 3, "a reason <without> words": 1 },
  };
}

/** A megabyte of which every thousandth byte is another. */
export function largeFinding(): ResultFinding {
  const seed = new Uint8Array(1 << 20).fill(0x41);
  const witness = seed.slice();
  for (let at = 0; at < witness.length; at += 1000) witness[at] = 0x42;
  const text = {
    name: "stdin",
    seed: base64(Buffer.from(seed).toString("latin1")),
    witness: base64(Buffer.from(witness).toString("latin1")),
  };
  const word = "w".repeat(100_000);
  return finding({
    id: "1a49e0000000",
    inputs: [text],
    seedCommand: ["./prog", word],
    witnessCommand: ["./prog", `${word}x`],
  });
}
