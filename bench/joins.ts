// What joining small branches is worth (src/jit/join-branches.ts): each program of bench/joins explored with and without it, one
// after the other, until its bug is found and nothing is left, or for --seconds. Each has one assertion that can fail.
//
//   npm run bench:joins -- [--seconds N] [--only NAME]...

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(ROOT, "dist/src/cli/main.js");
const { values: options } = scriptArguments(import.meta.url, {
  options: { seconds: { type: "string", default: "20" }, only: { type: "string", multiple: true } },
});

interface Numbers {
  readonly complete: boolean;
  readonly paths: number;
  readonly pending: number;
  readonly findings: number;
  readonly divergences: number;
  readonly timeMs: number;
  readonly coveredBlocks: number;
  readonly totalBlocks: number;
}

function explored(program: string, joins: "yes" | "no", folder: string): Numbers {
  const output = join(folder, `${program}-${joins}`);
  const limits = ["--max-time", `${options.seconds}s`, "--join-branches", joins, "--quiet", "--output", output];
  const ended = spawnSync(
    process.execPath,
    [MAIN, "explore", ...limits, "--sym-stdin", "12", join(ROOT, "bench/joins", program)],
    { encoding: "utf8", env: { ...process.env, TANGENT_CC: "embedded" } },
  );
  if (ended.status === null || ended.status > 1) throw new Error(`${program}: ${ended.stderr}`);
  return JSON.parse(readFileSync(join(output, "statistics.json"), "utf8")) as Numbers;
}

const told = ({ complete, paths, pending, findings, timeMs, coveredBlocks, divergences }: Numbers): string =>
  `${findings > 0 ? "found" : "not found"} | ${complete ? "all" : "not all"} | ${paths} | ${pending} | ${coveredBlocks} | ` +
  `${(timeMs / 1000).toFixed(2)} s${divergences > 0 ? `, ${divergences} DIVERGENCES` : ""}`;

const folder = mkdtempSync(join(tmpdir(), "tangent-joins-"));
try {
  console.log("| program | branches | bug | explored | paths | pending | blocks covered | time |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const program of readdirSync(join(ROOT, "bench/joins")).sort()) {
    if (options.only !== undefined && !options.only.some((name) => program === `${name}.c`)) continue;
    for (const joins of ["no", "yes"] as const) {
      console.log(
        `| ${program} | ${joins === "yes" ? "joined" : "single"} | ${told(explored(program, joins, folder))} |`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
