// Checks the corpora of exploration against the native world, independently of Tangent: with the witness it states, gcc's
// sanitizers must see an error at its line; its correct twin, and every program that states no error, must raise no alarm with the
// witness nor with random inputs, and print nothing but what is stated. Needs gcc. The intrinsics are those of
// runtime/native/, so this tests them as well.
//
//   node dist/scripts/verify-explore.js [name...]
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type ExploreExpectations, type InputPiece, parseExploreExpectations } from "./explore-expectations.js";
import { formatKTest } from "./ktest-file.js";
import { REPORTS, sanitizerEnvironment } from "./sanitizer-reports.js";
import { scriptWords } from "./usage.js";

const root = resolve(import.meta.dirname, "../..");
const work = "/tmp/tangent-verify-explore";
const directories = ["test/programs/explore", "test/programs/floats"].map((name) => join(root, name));
const names = scriptWords(import.meta.url);
const RANDOM_INPUTS = 40;
const TIMEOUT_MS = 5000;

interface Native {
  readonly stdout: string;
  readonly report: string;
  readonly timedOut: boolean;
}
interface Program {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly expected: ExploreExpectations;
}

function gcc(args: readonly string[]): string | null {
  const result = spawnSync("gcc", ["-w", "-g", "-O0", "-I", join(root, "runtime/include"), ...args], {
    encoding: "utf8",
  });
  return result.status === 0 ? null : result.stderr;
}

function build(program: Program, flags: readonly string[], executable: string): string | null {
  const undefinedBehaviour = program.expected.native === "undefined" ? ",undefined" : "";
  const harness = program.source.includes("LLVMFuzzerTestOneInput")
    ? [join(root, "runtime/symbolic/fuzzer-main.c")]
    : [];
  const own = ["klee.c", "verifier.c"].map((name) => join(root, "runtime/native", name));
  return gcc([
    `-fsanitize=address${undefinedBehaviour}`,
    ...flags,
    program.path,
    ...harness,
    ...own,
    "-lm",
    "-o",
    executable,
  ]);
}

function run(executable: string, program: Program, input: readonly InputPiece[]): Native {
  const folder = join(work, "files");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { kind, name, bytes } of input) {
    if (kind === "file") writeFileSync(join(folder, name), bytes, "latin1");
  }
  const objects = input.filter(({ kind }) => kind === "object");
  const entries = objects.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes, "latin1") }));
  writeFileSync(join(work, "test.ktest"), formatKTest(entries));
  const args = input.filter(({ kind }) => kind === "arg").map(({ bytes }) => bytes.replace(/\0.*/s, ""));
  const result = spawnSync(executable, [...args, ...program.expected.runs[0].args], {
    input: Buffer.from(input.find(({ kind }) => kind === "stdin")?.bytes ?? "", "latin1"),
    env: {
      PATH: "/usr/bin:/bin",
      KTEST_FILE: join(work, "test.ktest"),
      ...sanitizerEnvironment(program.expected.native === "leaks"),
    },
    timeout: TIMEOUT_MS,
    cwd: folder,
  });
  return {
    stdout: result.stdout.toString("latin1"),
    report: result.stderr.toString("latin1"),
    timedOut: result.error !== undefined,
  };
}

function checkWitness(program: Program, executable: string): string[] {
  const { expected, name } = program;
  if (expected.findings.length === 0) return [];
  if (expected.witness === null) return ["states no witness"];
  const native = run(executable, program, expected.witness);
  const wanted = expected.findings.flatMap(({ alternatives }) => alternatives);
  if (wanted.some(({ kind }) => kind === "no-progress")) return native.timedOut ? [] : ["ends natively"];
  const seen = REPORTS.find(([pattern]) => pattern.test(native.report));
  if (seen === undefined) return [`no report natively\n${native.report}${native.stdout}`];
  const line = Number(new RegExp(`${name}\\.c:(\\d+)`).exec(native.report)?.[1] ?? 0);
  const access = /\b(READ|WRITE) of size/.exec(native.report)?.[1].toLowerCase() ?? null;
  const agrees = expected.findings.some(
    ({ alternatives, firstLine, lastLine }) =>
      line >= firstLine &&
      line <= lastLine &&
      alternatives.some((alternative) => {
        // What a program reports itself is an abort natively.
        const kind = alternative.kind === "reported-error" ? "abort" : alternative.kind;
        return seen[1].includes(kind) && (access === null || (alternative.access ?? access) === access);
      }),
  );
  return agrees ? [] : [`natively ${seen[1][0]} ${access ?? ""} at line ${line}\n${native.report.slice(0, 1500)}`];
}

function checkInnocent(program: Program, executable: string): string[] {
  const { expected } = program;
  const inputs = Array.from({ length: RANDOM_INPUTS }, (_, seed) => randomInput(program, seed));
  if (expected.witness !== null) inputs.unshift([...expected.witness]);
  const printed = new Set<string>();
  for (const input of inputs) {
    const native = run(executable, program, input);
    const what = JSON.stringify(input);
    if (native.timedOut) return [`does not end with ${what}`];
    if (/ERROR: .*Sanitizer|runtime error|Assertion .* failed/.test(native.report))
      return [`${what}\n${native.report}`];
    printed.add(native.stdout);
  }
  const { outputs } = expected;
  const unknown = [...printed].find((text) => text !== "" && outputs !== null && !outputs.includes(text));
  return unknown === undefined ? [] : [`prints ${JSON.stringify(unknown)}`];
}

/** Input of the shape that the options ask for, of bytes that the program mentions and others. */
function randomInput(program: Program, seed: number): InputPiece[] {
  let state = seed * 2654435761 + 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
  const letters =
    Array.from(program.source.matchAll(/'(.)'|"((?:\\.|[^"\\\n])*)"/g), ([, a, b]) => a ?? b).join("") || "a";
  const bytes = (length: number): string =>
    Array.from({ length }, () =>
      random(3) === 0
        ? String.fromCharCode(random(4) === 0 ? random(256) : random(12))
        : letters[random(letters.length)],
    ).join("");
  const pieces: InputPiece[] = [];
  const { options } = program.expected.runs[0];
  options.forEach((option, at) => {
    const value = (offset: number): number => Number(options[at + offset]);
    if (option === "--sym-stdin") pieces.push({ kind: "stdin", name: "", bytes: bytes(value(1)) });
    if (option === "--sym-arg") pieces.push({ kind: "arg", name: "", bytes: bytes(value(1)) });
    if (option === "--sym-args")
      for (let i = value(1) + random(value(2) - value(1) + 1); i > 0; i--)
        pieces.push({ kind: "arg", name: "", bytes: bytes(value(3)) });
    if (option === "--sym-files")
      for (let i = 0; i < value(1); i++)
        pieces.push({ kind: "file", name: String.fromCharCode(65 + i), bytes: bytes(value(2)) });
  });
  const objects = Array.from(
    program.source.matchAll(/klee_(?:make_symbolic|int|range)\([^\n]*"(\w+)"\)|__VERIFIER_(nondet_\w+)\(/g),
  );
  for (const [, object, value] of objects) pieces.push({ kind: "object", name: object ?? value, bytes: bytes(24) });
  return pieces;
}

function check(program: Program): string[] {
  const { expected } = program;
  if (expected.runs.length === 0) return ["states no run"];
  const executable = join(work, "program");
  const problems: string[] = [];
  const none = expected.native?.startsWith("none") === true;
  const trouble = build(program, [], executable);
  if (trouble !== null) return [`does not compile: ${trouble}`];
  if (!none) {
    const check = expected.findings.length > 0 ? checkWitness : checkInnocent;
    problems.push(...check(program, executable));
  }
  if (expected.twin === null) return problems;
  const twinTrouble = build(program, expected.twin, executable);
  if (twinTrouble !== null) return [...problems, `the twin does not compile: ${twinTrouble}`];
  if (!none) problems.push(...checkInnocent(program, executable).map((problem) => `twin: ${problem}`));
  return problems;
}

mkdirSync(work, { recursive: true });
let failures = 0;
let count = 0;
const files = directories.flatMap((directory) =>
  readdirSync(directory)
    .sort()
    .map((file) => join(directory, file)),
);
for (const path of files) {
  const name = basename(path, ".c");
  if (!path.endsWith(".c") || (names.length > 0 && !names.includes(name))) continue;
  const source = readFileSync(path, "latin1");
  const problems = check({ name, path, source, expected: parseExploreExpectations(source) });
  count++;
  for (const problem of problems) console.log(`${name}: ${problem}`);
  failures += problems.length;
}
console.log(`${count} programs, ${failures} problems`);
process.exitCode = failures === 0 ? 0 : 1;
