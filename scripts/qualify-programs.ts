// Any C programs that say by their output and status what happens, one a file: each must end in the VM as it does natively,
// built once, by `tangent cc`. Where NAME.expected or NAME.c.expected stands beside a source, a program whose native
// output is another one is left out. A finding counts as a difference, unless the program dies natively as well.
// Exit status 1: some are different.
//
//   npm run qualify:programs -- FOLDER... [--cc gcc|embedded] [--flag FLAG]... [--with FILE.c]... [--only NAME]...
//                               [--jobs N] [--work DIR]
//
// --flag: for every compile, also libraries.  --with: a source that is linked with each program.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { scriptArguments } from "./usage.js";

const LAUNCHER = resolve(import.meta.dirname, "../../bin/tangent");
const COMPILE_LIMIT_MS = 300_000;
const NATIVE_LIMIT_MS = 20_000;
const VM_LIMIT_MS = 300_000;
const FINDING_STATUS = 99;
const TROUBLE_STATUS = 3;

const { values: options, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    cc: { type: "string", default: "gcc" },
    flag: { type: "string", multiple: true, default: [] },
    with: { type: "string", multiple: true, default: [] },
    only: { type: "string", multiple: true },
    jobs: { type: "string", default: "1" },
    work: { type: "string", default: "/tmp/tangent-programs" },
  },
});
const work = resolve(options.work);
mkdirSync(work, { recursive: true });

interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function command(program: string, args: readonly string[], cwd: string, timeout: number): Promise<Ended> {
  const env = { ...process.env, TANGENT_CC: options.cc };
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout, killSignal: "SIGKILL" });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("latin1").on("data", (part: string) => {
        if (text[name].length < 1_000_000) text[name] += part;
      });
    }
    child.on("error", (error) => done({ status: null, signal: error.message, ...text }));
    child.on("close", (status, signal) => done({ status, signal, ...text }));
  });
}

type Verdict =
  | { readonly kind: "same" }
  | { readonly kind: "not built" | "other output natively" | "no end natively" | "different"; readonly detail: string };

/** Each run has an empty folder: what programs leave behind must not be there for the next. */
function freshFolder(): string {
  return mkdtempSync(join(work, "run-"));
}

/** What is behind the last folder of its path: a program may print its own name. */
const shown = (text: string, folder: string): string => text.replaceAll(folder, "");

async function judge(source: string): Promise<Verdict> {
  const folder = freshFolder();
  const program = join(folder, basename(source, ".c"));
  try {
    const words = ["cc", "-g", "-w", source, ...options.with, "-o", program, ...options.flag];
    const built = await command(LAUNCHER, words, folder, COMPILE_LIMIT_MS);
    if (built.status !== 0) return { kind: "not built", detail: built.stderr.slice(0, 200) };
    const [here, there] = [freshFolder(), freshFolder()];
    const native = await command(program, [], here, NATIVE_LIMIT_MS);
    if (native.signal === "SIGKILL") return { kind: "no end natively", detail: "" };
    const expected = [`${source}.expected`, source.replace(/\.c$/, ".expected")].find(existsSync);
    if (expected !== undefined && native.stdout !== readFileSync(expected, "latin1")) {
      return { kind: "other output natively", detail: native.stdout.slice(0, 100) };
    }
    const vm = await command(LAUNCHER, ["run", program], there, VM_LIMIT_MS);
    const same =
      native.status === vm.status &&
      native.signal === vm.signal &&
      shown(native.stdout, here) === shown(vm.stdout, there);
    for (const used of [here, there]) rmSync(used, { recursive: true, force: true });
    return same ? { kind: "same" } : { kind: "different", detail: difference(native, vm) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function difference(native: Ended, vm: Ended): string {
  const end = ({ status, signal }: Ended): string => (signal === null ? `status ${status}` : signal);
  const said = vm.status === FINDING_STATUS || vm.status === TROUBLE_STATUS ? vm.stderr : vm.stdout + vm.stderr;
  const lines = (text: string): string => text.trim().split("\n").slice(0, 6).join("\n      ");
  return `natively ${end(native)}, VM ${end(vm)}\n      ${lines(said)}\n    natively:\n      ${lines(native.stdout + native.stderr)}`;
}

const sources = positionals
  .flatMap((folder) => readdirSync(folder).map((name) => resolve(folder, name)))
  .filter((path) => path.endsWith(".c") && (options.only?.includes(basename(path, ".c")) ?? true))
  .sort();
const counts = new Map<Verdict["kind"], number>();
const waiting = [...sources];
const lane = async (): Promise<void> => {
  for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
    const verdict = await judge(source);
    counts.set(verdict.kind, (counts.get(verdict.kind) ?? 0) + 1);
    if (verdict.kind !== "same") console.log(`${basename(source, ".c")}: ${verdict.kind}: ${verdict.detail}`);
  }
};
await Promise.all(Array.from({ length: Number(options.jobs) }, lane));
console.log(`${sources.length} programs: ${Array.from(counts, ([kind, count]) => `${count} ${kind}`).join(", ")}`);
process.exitCode = counts.has("different") ? 1 : 0;
