// "Every feasible path was explored" is never untrue: small programs whose inputs can all be tried send input through every
// system call there is (test/programs/ways/system-call.c; the table of system calls makes the programs, so a new one is in it),
// and on every way that leaves the program's own code and memory (way.c). All inputs are run with nothing symbolic; whenever an
// exploration says that it has seen every path, each outcome of these runs must be one of a path that it saw.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { Engine } from "../../src/engine/engine.js";
import { executorOfTest } from "../../src/engine/program-executor.js";
import type { InputValue } from "../../src/inputs/input-value.js";
import { argumentName, fileObjectName, STDIN_NAME } from "../../src/inputs/symbolic-inputs.js";
import { runOptionsOf, type TestInput } from "../../src/inputs/test-input.js";
import type { ProgramImage } from "../../src/jit/image.js";
import { loadModule } from "../../src/jit/load-module.js";
import { SYMBOLIC_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { assembleSolver } from "../../src/solver/chain.js";
import { Random } from "../../src/support/random.js";
import { Machine } from "../../src/vm/machine.js";
import type { RunEnd } from "../../src/vm/run-end.js";
import { BUFFERS } from "../../src/vm/syscalls/buffers.js";
import { FAMILIES } from "../../src/vm/syscalls/table.js";

const PROGRAMS = resolve(import.meta.dirname, "../../../test/programs/ways");
const LIMITS = { instructions: 1e7, milliseconds: 60_000, heapBytes: 1 << 26, outputBytes: 1 << 22 };

const folder = mkdtempSync(join(tmpdir(), "tangent-ways-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What all inputs come to, and what an exploration saw of that. */
interface Seen {
  readonly isComplete: boolean;
  readonly losses: Readonly<Record<string, number>>;
  readonly outcomes: ReadonlySet<string>;
  readonly missed: readonly string[];
}

class Program {
  private constructor(
    private readonly image: ProgramImage,
    private readonly module: WebAssembly.Module,
  ) {}

  static async load(name: string): Promise<Program> {
    const options = { env: process.env, clang: null, flags: [], compile: SYMBOLIC_COMPILE_OPTIONS };
    const loaded = await loadProgram([join(PROGRAMS, name)], options);
    if (loaded.kind === "failed") throw new Error(loaded.message);
    return new Program(loaded.image, loadModule(loaded.image));
  }

  /** `inputs`: every input there is, or one of each kind. */
  explore(test: TestInput, inputs: readonly (readonly InputValue[])[]): Seen {
    const outcomes = new Set(inputs.map((values) => this.outcome(test, values)));
    const executor = executorOfTest(this.image, test, { heapBytes: LIMITS.heapBytes, seed: 1 }, this.module);
    try {
      const engine = new Engine(executor, {
        solver: assembleSolver(executor.arena, {}),
        random: new Random(1),
        seeds: [executor.space.modelOf(inputs[0])],
        limits: { paths: 80, instructionsPerPath: LIMITS.instructions },
      });
      const seen = new Set<string>();
      let isComplete = false;
      for (const event of engine.explore()) {
        if (event.kind === "done") isComplete = event.complete;
        if (event.kind !== "run-finished" || !event.isPath) continue;
        const values = event.outcome.objects.map(({ name, firstVariable: first, size }) => {
          return { name, occurrence: 0, bytes: event.input.slice(first, first + size) };
        });
        seen.add(this.outcome(test, values));
      }
      const missed = [...outcomes].filter((outcome) => !seen.has(outcome));
      return { isComplete, losses: engine.counters.losses, outcomes, missed };
    } finally {
      executor.release();
    }
  }

  private outcome(test: TestInput, values: readonly InputValue[]): string {
    const options = { ...runOptionsOf(test, values), stdout: "capture", limits: LIMITS, seed: 1 } as const;
    const machine = Machine.lend(this.image, options);
    const { end, stdout } = machine.run(this.module);
    Machine.giveBack(machine);
    return `${wordsOf(end)}: ${Buffer.from(stdout).toString("latin1")}`;
  }

  /** What it prints without any words. */
  names(): string[] {
    const test = testOf([], {});
    const { stdout } = new Machine(this.image, { ...runOptionsOf(test), stdout: "capture" }).run(this.module);
    return Buffer.from(stdout).toString("latin1").trim().split("\n");
  }
}

/** The status of a program's end is no path of its own. */
function wordsOf(end: RunEnd): string {
  return end.kind === "fault" ? end.fault.name : end.kind === "signal" ? `signal ${end.signal}` : end.kind;
}

function testOf(words: readonly string[], input: Readonly<Record<string, number>>): TestInput {
  const fixed = words.map((word) => ({ kind: "fixed", bytes: Buffer.from(word) }) as const);
  const symbolic = input.arg0 === undefined ? [] : [{ kind: "symbolic", length: input.arg0 } as const];
  const { stdin = null, in: file } = input;
  const files = file === undefined ? [] : [{ name: "in", size: file }];
  return {
    program: "way",
    workingDirectory: folder,
    environment: [],
    inputs: { words: [...fixed, ...symbolic], stdin, files, environment: [] },
    values: [],
    given: {},
  };
}

function valuesOf(input: Readonly<Record<string, string>>): readonly InputValue[] {
  return Object.entries(input).map(([name, text]) => ({ name, occurrence: 0, bytes: Buffer.from(text, "latin1") }));
}

const BYTES = [0, 1, 2, 3].map((byte) => valuesOf({ [STDIN_NAME]: String.fromCharCode(byte) }));

/** What is untrue of an exploration, in words. */
function untruth(name: string, { isComplete, missed, losses, outcomes }: Seen): string[] {
  if (!isComplete || missed.length === 0) return [];
  return [`${name}: ${missed.length} of ${outcomes.size} outcomes were missed (losses ${JSON.stringify(losses)})`];
}

// ---- every system call, by the table of what it reads and writes

/** Sockets, processes and the end have their own ways; what waits for ever ends the run. */
const LEFT_OUT = new Set(["exit", "exit_group", "fork", "vfork", "execve", "threads", "thread_waits"]);
/** What they say of the disk is another thing every moment. */
const UNSTEADY = new Set(["statfs", "fstatfs"]);
const ARGUMENTS = 6;
/** Most calls have no more, and few do something of their own with the others. */
const TRIED_ARGUMENTS = 3;
/** What x may be: descriptors, flags and sizes, and numbers that are none. */
const VALUES: readonly (readonly number[])[] = [
  [3, 4, 5, 77],
  [0, 1, 8, 0x800],
  [2, 0x242, 4096, -1],
];
/** The bytes that x may be in what an argument points to: letters of a name, and small numbers. */
const LETTERS = [0x70, 0x71, 0x2f, 0];
const NUMBERS = [0, 1, 2, 10];
const TEXTS = ["plain", "made", "plain", "made", "plain", "made"];
/** Other first words than a descriptor and eight, where those would only be refused. */
const BASES: Readonly<Record<string, readonly (readonly (number | string)[])[]>> = {
  ioctl: [0x5402, 0x5414, 0x5421, 0x541b].map((request) => [3, request, "p2"]),
  fcntl: [0, 2, 4, 5, 6, 36, 1030].map((command) => [3, command, "p2"]),
  rt_sigprocmask: [[2, "p1", "p2", 8]],
  rt_sigaction: [[10, "p1", "p2", 8]],
  setitimer: [[0, "p1", "p2"]],
  timer_create: [[1, "p1", "p2"]],
  nanosleep: [["p0", "p1"]],
  futex: [["p0", 0, 0, "p3"]],
  writev: [[3, "p1", 1]],
  readv: [[3, "p1", 1]],
  mmap: [[0, 4096, 3, 2, 3, 0]],
  openat: [[-100, "p1", 0x42, 0o644]],
  newfstatat: [[-100, "p1", "p2", 0]],
  utimensat: [[-100, "p1", "p2", 0]],
  kill: [[4242, 0]],
  tgkill: [[4242, 4242, 0]],
  tkill: [[4242, 0]],
  rt_sigqueueinfo: [[4242, 10, "p2"]],
  pselect6: [[5, "p1", "p2", "p3", "p4", 0]],
  select: [[5, "p1", "p2", "p3", "p4"]],
};

interface Case {
  readonly name: string;
  readonly words: readonly string[];
}

/** The programs for one system call: its words, with input in one of them at a time. */
function casesOf(number: number, call: string): Case[] {
  const roles = BUFFERS[call];
  const pointers = new Map(roles.map((role) => [role.argument, role]));
  const plain = Array.from({ length: ARGUMENTS }, (_, n) => (pointers.has(n) ? `p${n}` : n === 0 ? 3 : 8));
  const cases: Case[] = [];
  for (const own of BASES[call] ?? [plain]) {
    const base = [...own, ...Array(ARGUMENTS).fill(0)].slice(0, ARGUMENTS).map(String);
    for (let slot = 0; slot < TRIED_ARGUMENTS; slot++) {
      if (base[slot].startsWith("p")) {
        const isPath = pointers.get(slot)?.kind === "path";
        for (const at of isPath ? [0] : [0, 8]) {
          const values = isPath ? LETTERS : NUMBERS;
          cases.push({
            name: `${call}(${base.join(", ")}) with input in p${slot}[${at}]`,
            words: [String(number), ...base, ...values.map(String), base[slot].slice(1), String(at), ...TEXTS],
          });
        }
        continue;
      }
      const words = base.map((word, n) => (n === slot ? "x" : word));
      const values = VALUES[(number + slot) % VALUES.length];
      cases.push({
        name: `${call}(${words.join(", ")}), x one of ${values}`,
        words: [String(number), ...words, ...values.map(String), "-1", "0", ...TEXTS],
      });
    }
  }
  return cases;
}

describe("whenever every feasible path is said to be explored, it was", () => {
  let calls: Program;
  let ways: Program;
  before(async () => {
    writeFileSync(join(folder, "other"), "");
    [calls, ways] = [await Program.load("system-call.c"), await Program.load("way.c")];
  });

  for (const [index, family] of FAMILIES.entries()) {
    const names = Object.values(family).map(({ name }) => name);
    it(`input in the way of the system calls of family ${index}: ${names[0]} …`, () => {
      const untrue: string[] = [];
      let complete = 0;
      let differing = 0;
      const cases = Object.entries(family)
        .filter(([, { name }]) => !LEFT_OUT.has(name) && !UNSTEADY.has(name))
        .flatMap(([number, { name }]) => casesOf(Number(number), name));
      for (const { name, words } of cases) {
        const seen = calls.explore(testOf(words, { stdin: 1 }), BYTES);
        untrue.push(...untruth(name, seen));
        if (seen.isComplete || seen.losses["refused-call"] !== undefined) complete++;
        if (seen.outcomes.size > 1) differing++;
      }
      assert.deepEqual(untrue, []);
      // Not for want of saying it, nor of programs in which it matters.
      assert.ok(cases.length === 0 || (complete > cases.length / 3 && differing > 0), `${complete}, ${differing}`);
    });
  }

  it("input on every way that leaves the program's code and memory", () => {
    const untrue: string[] = [];
    for (const name of ways.names()) untrue.push(...untruth(name, exploredWay(name)));
    assert.deepEqual(untrue, []);
  });

  function exploredWay(name: string): Seen {
    if (name.startsWith("of_")) {
      const texts = ["\x00", "\x01", "\x02", "\x03", "b"].flatMap((first) => [`${first}a`, `${first}b`]);
      const inputs = texts.map((text) => valuesOf({ [STDIN_NAME]: "\x01", [fileObjectName("in")]: text }));
      return ways.explore(testOf([name], { stdin: 1, in: 2 }), inputs);
    }
    if (name === "by_command_line") {
      const inputs = ["a", "b"].map((word) => valuesOf({ [STDIN_NAME]: "\x01", [argumentName(0)]: word }));
      return ways.explore(testOf([name], { stdin: 1, arg0: 1 }), inputs);
    }
    return ways.explore(testOf([name], { stdin: 1 }), BYTES);
  }
});
