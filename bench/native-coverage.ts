// What inputs cover natively: the program built with gcc's instrumentation runs on every one of them, and gcov counts the
// branches taken. This is the independent witness of our own coverage; without gcc it says so.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

export interface NativeCoverage {
  readonly text: string;
  readonly taken: number;
  readonly total: number;
  /** "line 12, branch 1: source text" */
  readonly missing: readonly string[];
}

/** `inputs` holds files named *.stdin. */
export function branchCoverage(source: string, inputs: string, work: string): NativeCoverage {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const name = basename(source, ".c");
  const program = join(work, name);
  const built = spawnSync("gcc", ["-O0", "--coverage", "-w", source, "-o", program], { cwd: work, encoding: "utf8" });
  if (built.status !== 0) return { text: "gcc is not there to confirm it natively", taken: 0, total: 0, missing: [] };
  const files = readdirSync(inputs).filter((file) => file.endsWith(".stdin"));
  for (const file of files) {
    spawnSync(program, [], { cwd: work, input: readFileSync(join(inputs, file)), stdio: ["pipe", "ignore", "ignore"] });
  }
  const data = readdirSync(work).find((file) => file.endsWith(".gcda"));
  spawnSync("gcov", ["-b", "-c", data ?? name], { cwd: work, encoding: "utf8" });
  return { ...readBranches(readFileSync(join(work, `${name}.c.gcov`), "utf8"), files.length) };
}

function readBranches(gcov: string, inputs: number): NativeCoverage {
  let taken = 0;
  let total = 0;
  let place = "";
  const missing: string[] = [];
  for (const line of gcov.split("\n")) {
    const source = /^\s*[^:]+:\s*(\d+):(.*)$/.exec(line);
    if (source !== null) place = `line ${source[1]}: ${source[2].trim()}`;
    const branch = /^branch\s+(\d+) (?:taken (\d+)|(never executed))/.exec(line);
    if (branch === null) continue;
    total++;
    if (Number(branch[2] ?? 0) > 0) taken++;
    else missing.push(`branch ${branch[1]} of ${place}`);
  }
  const share = ((100 * taken) / Math.max(1, total)).toFixed(1);
  return { text: `natively ${taken} of ${total} branches (${share} %) by ${inputs} inputs`, taken, total, missing };
}
