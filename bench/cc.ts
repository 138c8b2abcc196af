// What `tangent cc` costs a build: each project is configured twice, once with the plain compiler and once with `tangent cc` (host mode),
// and built with -j2, in turns; the best wall time of each is compared. Sources are named by their folders, which are copied:
//
//   npm run bench:cc -- DIR... [--runs N] [--cc gcc]
//
// A project is configured by its CMakeLists.txt, its configure script, or is ready to be made. CPU time is shown too: on a machine that
// does other things it is the better number. The bar is a ratio of 2.2.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptArguments } from "../scripts/usage.js";

const TANGENT = fileURLToPath(new URL("../../bin/tangent-cc", import.meta.url));
const BAR = 2.2;

const { values, positionals } = scriptArguments(import.meta.url, {
  options: { runs: { type: "string", default: "3" }, cc: { type: "string", default: "gcc" } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error("bench:cc: name the source folders of the projects to build");
  process.exit(3);
}

interface Tree {
  /** Where make runs. */
  readonly folder: string;
  readonly compiler: string;
}

interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

function run(folder: string, file: string, args: readonly string[], compiler: string): void {
  const env = { ...process.env, CC: compiler, TANGENT_CC: values.cc };
  const child = spawnSync(file, args, { cwd: folder, env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (child.status === 0) return;
  console.error(`bench:cc: ${file} ${args.join(" ")} failed in ${folder}:\n${child.stdout}${child.stderr}`);
  process.exit(1);
}

function configured(source: string, into: string, compiler: string): Tree {
  cpSync(source, into, { recursive: true, verbatimSymlinks: true });
  if (existsSync(join(into, "CMakeLists.txt"))) {
    run(into, "cmake", ["-S", ".", "-B", "bench-build"], compiler);
    return { folder: join(into, "bench-build"), compiler };
  }
  if (existsSync(join(into, "configure"))) run(into, "./configure", [], compiler);
  return { folder: into, compiler };
}

function build({ folder, compiler }: Tree): Cost {
  run(folder, "make", ["clean"], compiler);
  const started = performance.now();
  const timed = spawnSync("sh", ["-c", 'make -j2 CC="$CC" LD="$CC" >/dev/null 2>&1; echo "$?"; times'], {
    cwd: folder,
    env: { ...process.env, CC: compiler, TANGENT_CC: values.cc },
    encoding: "utf8",
  });
  const wall = (performance.now() - started) / 1000;
  const [status, , children] = timed.stdout.split("\n");
  if (status !== "0") {
    console.error(`bench:cc: make failed in ${folder} with ${compiler}`);
    process.exit(1);
  }
  return { wall, cpu: seconds(children) };
}

/** The shell's `times`: 0m1.20s 0m0.30s. */
function seconds(line: string): number {
  return Array.from(line.matchAll(/(\d+)m([\d.]+)s/g)).reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
}

function best(tree: Tree, known: Cost | null): Cost {
  const { wall, cpu } = build(tree);
  return known === null ? { wall, cpu } : { wall: Math.min(wall, known.wall), cpu: Math.min(cpu, known.cpu) };
}

const work = mkdtempSync(join(tmpdir(), "tangent-bench-cc-"));
let worst = 0;
try {
  console.log("project                     plain s  tangent s  ratio   plain CPU s  tangent CPU s  ratio");
  for (const [index, source] of positionals.entries()) {
    const plain = configured(resolve(source), join(work, `${index}-plain`), values.cc);
    const ours = configured(resolve(source), join(work, `${index}-ours`), TANGENT);
    let first: Cost | null = null;
    let second: Cost | null = null;
    for (let turn = 0; turn < Number(values.runs); turn++) {
      first = best(plain, first);
      second = best(ours, second);
    }
    if (first === null || second === null) continue;
    const ratio = second.wall / first.wall;
    worst = Math.max(worst, ratio);
    console.log(
      `${basename(source).padEnd(26)} ${first.wall.toFixed(2).padStart(8)} ${second.wall.toFixed(2).padStart(10)} ` +
        `${ratio.toFixed(2).padStart(6)} ${first.cpu.toFixed(2).padStart(13)} ${second.cpu.toFixed(2).padStart(14)} ` +
        `${(second.cpu / first.cpu).toFixed(2).padStart(6)}`,
    );
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`worst ratio of wall times ${worst.toFixed(2)}, bar ${BAR}`);
process.exitCode = worst <= BAR ? 0 : 1;
