// The corpus of exploration through Tangent: for every program of test/programs/explore, every error it states is found, at its
// line, with an input that was derived and confirmed; nothing else is found; its correct twin raises no alarm; the numbers of paths, the
// outputs, messages and losses are those stated. What the comments of a program mean is said in
// scripts/explore-expectations.ts; scripts/verify-explore.ts checks the comments themselves against gcc's sanitizers.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import {
  type ExploreExpectations,
  type ExploreRun,
  parseExploreExpectations,
} from "../../scripts/explore-expectations.js";
import { formatKTest } from "../../scripts/ktest-file.js";
import { isTriedDaily } from "./daily-twins.js";
import { ExploreBatch } from "./explore-batch.js";
import { type ExploreFinding, type ExploreReply, PLAIN_EXPLORATION } from "./explore-fixture.js";

const ROOT = resolve(import.meta.dirname, "../../..");
const PROGRAMS = join(ROOT, "test/programs/explore");
const concurrency = Math.min(2, availableParallelism());
const directory = mkdtempSync(join(tmpdir(), "tangent-explore-test-"));
const batch = new ExploreBatch();
after(() => {
  batch.close();
  rmSync(directory, { recursive: true, force: true });
});

type Explored = Extract<ExploreReply, { kind: "explored" }>;

interface Program {
  readonly name: string;
  readonly path: string;
  readonly expected: ExploreExpectations;
}

const programs: readonly Program[] = readdirSync(PROGRAMS)
  .filter((file) => file.endsWith(".c"))
  .sort()
  .map((file) => {
    const path = join(PROGRAMS, file);
    return { name: file.replace(/\.c$/, ""), path, expected: parseExploreExpectations(readFileSync(path, "latin1")) };
  });

async function exploreProgram(
  { path, expected }: Program,
  run: ExploreRun,
  flags: readonly string[],
): Promise<Explored> {
  const { files } = expected;
  const reply = await batch.explore({ ...PLAIN_EXPLORATION, program: path, flags, ...run, files });
  assert.ok(reply.kind === "explored", reply.kind === "failed" ? reply.message : "");
  return reply;
}

function line(finding: ExploreFinding): number {
  return finding.stack.find(({ origin }) => origin === "program")?.line ?? 0;
}

function told(reply: Explored): string {
  const findings = reply.findings.map((finding) => `${finding.kind} ${finding.access ?? ""} line ${line(finding)}`);
  return [...findings, JSON.stringify(reply.numbers), reply.messages].join("\n");
}

/** What holds for every exploration, whatever is explored. */
function checkHonesty(reply: Explored): void {
  assert.equal(reply.numbers.divergences, 0, told(reply));
  assert.equal(reply.numbers.findingsNotReproduced + reply.numbers.unconfirmed, 0, told(reply));
  for (const finding of reply.findings) assert.equal(finding.confirmed, true, told(reply));
}

function sentences(findings: readonly ExploreFinding[]): string[] {
  return findings.map(({ kind, message }) => `${kind}: ${message}`);
}

function checkFindings({ expected }: Program, reply: Explored): void {
  const isExpected = (finding: ExploreFinding): boolean =>
    expected.findings.some(
      ({ alternatives, firstLine, lastLine }) =>
        line(finding) >= firstLine &&
        line(finding) <= lastLine &&
        alternatives.some(({ kind, access }) => kind === finding.kind && (access ?? finding.access) === finding.access),
    );
  assert.deepEqual(sentences(reply.findings.filter((finding) => !isExpected(finding))), [], told(reply));
  if (expected.findingCount !== null) {
    assert.equal(reply.findings.length, expected.findingCount, told(reply));
    return;
  }
  for (const { firstLine, lastLine } of expected.findings) {
    const found = reply.findings.some((finding) => line(finding) >= firstLine && line(finding) <= lastLine);
    assert.ok(found, `nothing was found at line ${firstLine}\n${told(reply)}`);
  }
}

function checkNumbers({ expected }: Program, reply: Explored): void {
  const { numbers } = reply;
  if (expected.limited) assert.equal(numbers.complete, false, told(reply));
  else if (expected.findingCount === null && expected.loses.length === 0) {
    assert.equal(numbers.reason, "exhausted", told(reply));
    assert.equal(numbers.complete, true, told(reply));
  }
  // A path that ends silently is no test.
  if (expected.paths !== null) assert.equal(numbers.paths - (numbers.ends.silent ?? 0), expected.paths, told(reply));
  const losses: Record<string, number> = {
    ...numbers.losses,
    unknown: numbers.unknown,
    limit: numbers.ends.limit ?? 0,
  };
  for (const name of expected.loses) assert.ok((losses[name] ?? 0) > 0, `no ${name}\n${told(reply)}`);
  for (const words of expected.says)
    assert.ok(reply.messages.includes(words), `"${words}" is not said\n${told(reply)}`);
  if (!expected.coversAll) return;
  const missing = reply.uncoveredLines.filter((number) => !expected.never.includes(number));
  assert.deepEqual(missing, [], told(reply));
}

function checkTests({ expected }: Program, reply: Explored): void {
  for (const pieces of expected.tests) {
    const found = reply.paths.some(({ input }) =>
      pieces.every(({ kind, name, bytes }) => {
        const object = kind === "object" ? name : kind;
        return input[object] === Buffer.from(bytes, "latin1").toString("hex");
      }),
    );
    assert.ok(found, `no test has ${JSON.stringify(pieces)}\n${told(reply)}`);
  }
}

/** Natively, with the inputs that were derived: what is printed, all in all, must be what the program states. */
function checkOutputs({ name, path, expected }: Program, reply: Explored): void {
  if (expected.outputs === null) return;
  const executable = join(directory, name);
  const built = spawnSync(join(ROOT, "bin/tangent"), ["cc", path, "-o", executable], { encoding: "utf8" });
  assert.equal(built.status, 0, built.stderr);
  const printed = new Set<string>();
  for (const { input } of reply.paths) {
    const ktest = join(directory, `${name}.ktest`);
    const objects = Object.entries(input).map(([object, hex]) => ({ name: object, bytes: Buffer.from(hex, "hex") }));
    writeFileSync(ktest, formatKTest(objects));
    const ended = spawnSync(executable, [], {
      input: Buffer.from(input.stdin ?? "", "hex"),
      env: { KTEST_FILE: ktest },
      encoding: "latin1",
    });
    printed.add(ended.stdout);
  }
  assert.deepEqual([...printed].sort(), [...expected.outputs].sort(), told(reply));
}

describe("exploring a program", { concurrency }, () => {
  for (const [index, program] of programs.entries()) {
    // Of those without an error every third.
    if (program.expected.findings.length === 0 && !isTriedDaily(index)) continue;
    // The first run of each, and every third of the others.
    for (const run of program.expected.runs.filter((_, index) => isTriedDaily(index))) {
      test(`${program.name}: explore ${[...run.options, ...run.args].join(" ")}`, async () => {
        const reply = await exploreProgram(program, run, []);
        checkHonesty(reply);
        checkFindings(program, reply);
        checkNumbers(program, reply);
        checkTests(program, reply);
        checkOutputs(program, reply);
      });
    }
  }
});

describe("exploring a correct twin", { concurrency }, () => {
  for (const [index, program] of programs.entries()) {
    const { twin, runs } = program.expected;
    if (twin === null || !isTriedDaily(index)) continue;
    test(`${program.name}: raises no alarm`, async () => {
      const reply = await exploreProgram(program, runs[0], twin);
      checkHonesty(reply);
      assert.deepEqual(sentences(reply.findings), [], told(reply));
      assert.ok(reply.numbers.paths > 0, told(reply));
    });
  }
});

test("every error of the corpus states a witness, and every program a run", () => {
  for (const { name, expected } of programs) {
    assert.ok(expected.runs.length > 0, name);
    const isSeen = expected.native?.startsWith("none") === true || expected.witness !== null;
    if (expected.findings.length > 0) assert.ok(isSeen, name);
  }
  assert.ok(programs.length >= 80);
});
