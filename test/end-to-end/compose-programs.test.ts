// The programs made for composition are what their table says (compose-manifest.ts): the recorded run passes, the failing
// one fails at the marked line, by the stated kind and chain of calls; the twin passes both. Kind and chain are shown by
// the VM, the rest by gcc's sanitizers, independently of it, or by the VM if there is no gcc. And the judge of
// composition's results is itself judged.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { sanitizerEnvironment } from "../../scripts/sanitizer-reports.js";
import { VmPool } from "../../scripts/vm/pool.js";
import { PLAIN_REQUEST, type VmReply } from "../../scripts/vm/protocol.js";
import { testOfInvocation } from "../../src/project/invocation-test.js";
import {
  assertComposed,
  type Composed,
  type ComposeEntry,
  composeEntry,
  composeInvocation,
} from "./compose-fixture.js";
import { COMPOSE_PROGRAMS, type ComposeProgram, type ComposeRun, INPUT_FILE } from "./compose-manifest.js";

const PROGRAMS = resolve(import.meta.dirname, "../../../test/programs/compose");
const parallel = Math.min(2, availableParallelism());
const pool = new VmPool(parallel);
const directory = mkdtempSync(join(tmpdir(), "tangent-compose-"));
after(() => {
  pool.close();
  rmSync(directory, { recursive: true, force: true });
});

const SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const hasGcc = ((): boolean => {
  const source = join(directory, "probe.c");
  writeFileSync(source, "int main(void) { return 0; }\n");
  const built = spawnSync("gcc", [...SANITIZERS, "--coverage", source, "-o", join(directory, "probe")]);
  return built.status === 0 && spawnSync("gcov", ["--version"]).status === 0;
})();

/** A directory of its own for each run, with the run's file. */
function place(entry: ComposeEntry, run: ComposeRun, what: string): string {
  const folder = join(directory, `${basename(entry.source, ".c")}-${what}`);
  mkdirSync(folder, { recursive: true });
  if (run.file !== undefined) writeFileSync(join(folder, INPUT_FILE), run.file, "latin1");
  return folder;
}

function inVm(entry: ComposeEntry, run: ComposeRun): Promise<VmReply> {
  return pool.run({
    ...PLAIN_REQUEST,
    inputs: [entry.source],
    options: ["--leaks"],
    args: run.args ?? [],
    stdin: run.stdin ?? "",
    directory: place(entry, run, run === entry.program.failing ? "failing" : "recorded"),
  });
}

const told = (reply: VmReply): string => JSON.stringify(reply, null, 1);

async function assertPassesInVm(entry: ComposeEntry, run: ComposeRun): Promise<void> {
  const reply = await inVm(entry, run);
  assert.deepEqual(reply.findings, [], told(reply));
  assert.equal(reply.end.kind, "exit", told(reply));
}

async function assertFailsInVm(entry: ComposeEntry): Promise<void> {
  const reply = await inVm(entry, entry.program.failing);
  assert.equal(reply.findings.length, 1, told(reply));
  const [{ kind, stack }] = reply.findings;
  const own = stack.filter(({ origin }) => origin === "program");
  assert.equal(kind, entry.program.kind, told(reply));
  assert.equal(own[0]?.line, entry.line, told(reply));
  assert.deepEqual(own.map(({ functionName }) => functionName).reverse(), entry.program.chain);
}

function build(entry: ComposeEntry): string {
  const folder = join(directory, `${basename(entry.source, ".c")}-built`);
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, "program");
  const warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-maybe-uninitialized", "-Wno-use-after-free"];
  const words = ["-O0", "-g", ...warnings, ...SANITIZERS, "--coverage", entry.source, "-o", executable];
  const built = spawnSync("gcc", words, { encoding: "utf8", cwd: folder });
  assert.equal(built.status, 0, built.stderr);
  return executable;
}

interface NativeEnd {
  readonly status: number | null;
  readonly report: string;
}

function natively(entry: ComposeEntry, executable: string, run: ComposeRun): NativeEnd {
  const ended = spawnSync(executable, run.args ?? [], {
    input: Buffer.from(run.stdin ?? "", "latin1"),
    cwd: place(entry, run, "native"),
    env: { PATH: process.env.PATH, ...sanitizerEnvironment(false) },
    timeout: 20_000,
  });
  return { status: ended.status, report: ended.stderr.toString("latin1") };
}

const isAlarm = ({ status, report }: NativeEnd): boolean =>
  status === null || /Sanitizer|runtime error|Assertion/.test(report);

/** Functions of the program that have run, by what gcov counted. */
function executed(executable: string): string[] {
  const folder = dirname(executable);
  const data = readdirSync(folder).filter((name) => name.endsWith(".gcda"));
  const counted = spawnSync("gcov", ["--stdout", "--json-format", ...data], { encoding: "utf8", cwd: folder });
  assert.equal(counted.status, 0, counted.stderr);
  interface Counts {
    readonly files: readonly { readonly functions: readonly { name: string; execution_count: number }[] }[];
  }
  const { files } = JSON.parse(counted.stdout) as Counts;
  return files.flatMap(({ functions }) =>
    functions.filter(({ execution_count }) => execution_count > 0).map(({ name }) => name),
  );
}

function lengths({ args = [], stdin, file }: ComposeRun): unknown {
  return [args.map((word) => word.length), stdin?.length, file?.length];
}

describe("the table of programs for composition", () => {
  test("lists every file, and each once", () => {
    const files = readdirSync(PROGRAMS).sort();
    const listed = COMPOSE_PROGRAMS.flatMap(({ name }) => [`${name}.c`, `${name}-twin.c`]).sort();
    assert.deepEqual(files, listed);
  });
  for (const program of COMPOSE_PROGRAMS) {
    test(`${program.name}: the failing input has the recorded one's shape, or is longer`, () => {
      const isSame = isDeepStrictEqual(lengths(program.failing), lengths(program.recorded));
      assert.equal(isSame, !program.needs.includes("longer-text"));
      assert.notDeepEqual(program.failing, program.recorded);
    });
  }
});

test("all bytes of a recorded run are input", () => {
  for (const { name, recorded } of COMPOSE_PROGRAMS) {
    const { args = [], stdin = "", file = "" } = recorded;
    const { values } = testOfInvocation(composeInvocation(recorded, directory), directory);
    const symbolic = values.map(({ bytes }) => Buffer.from(bytes).toString("latin1")).join("");
    assert.equal(symbolic, [...args, stdin, file].join(""), name);
  }
});

describe("a program for composition in the VM", { concurrency: parallel }, () => {
  for (const program of COMPOSE_PROGRAMS) {
    test(program.name, async () => {
      const entry = composeEntry(program, false);
      await assertFailsInVm(entry);
      if (hasGcc) return;
      await assertPassesInVm(entry, program.recorded);
      const twin = composeEntry(program, true);
      await assertPassesInVm(twin, program.recorded);
      await assertPassesInVm(twin, program.failing);
    });
  }
});

describe("a program for composition natively", { skip: !hasGcc && "needs gcc with sanitizers, and gcov" }, () => {
  for (const program of COMPOSE_PROGRAMS) {
    test(program.name, () => {
      const entry = composeEntry(program, false);
      const executable = build(entry);
      const recorded = natively(entry, executable, program.recorded);
      assert.ok(!isAlarm(recorded), recorded.report);
      const reached = executed(executable).includes(program.chain[program.chain.length - 1]);
      assert.equal(reached, program.isReached, "whether the recorded run calls the function that can fail");
      const failing = natively(entry, executable, program.failing);
      const first = new RegExp(`${program.name}\\.c:(\\d+)`).exec(failing.report);
      assert.ok(isAlarm(failing) && Number(first?.[1]) === entry.line, failing.report);

      const twin = composeEntry(program, true);
      const other = build(twin);
      for (const run of [program.recorded, program.failing]) {
        const ended = natively(twin, other, run);
        assert.ok(!isAlarm(ended), ended.report);
      }
    });
  }
});

describe("the judge of composition", () => {
  const program: ComposeProgram = COMPOSE_PROGRAMS[0];
  const bad = composeEntry(program, false);
  const twin = composeEntry(program, true);
  const finding = { file: bad.source, line: bad.line, kind: program.kind };
  const judged = (entry: ComposeEntry, composed: Partial<Composed>) => () =>
    assertComposed(entry, { findings: [], notLifted: [], ...composed });

  test("wants the failure at its line and nothing else", () => {
    judged(bad, { findings: [finding] })();
    assert.throws(judged(bad, {}), /not found/);
    assert.throws(judged(bad, { findings: [{ ...finding, line: 1 }] }), /not found/);
    assert.throws(judged(bad, { findings: [{ ...finding, kind: "abort" }] }), /not found/);
    assert.throws(judged(bad, { findings: [finding, { ...finding, line: 1 }] }), /found where nothing is/);
  });

  test("wants silence about twins, and reasons", () => {
    judged(twin, {})();
    judged(twin, { notLifted: [{ line: twin.line, explained: true }] })();
    judged(twin, { notLifted: [{ line: 1, explained: false }] })();
    assert.throws(judged(twin, { findings: [{ ...finding, line: twin.line }] }), /cannot fail/);
    assert.throws(judged(twin, { notLifted: [{ line: twin.line, explained: false }] }), /nobody says why/);
  });
});
