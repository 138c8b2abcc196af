// How long starts take, from the start of the process to its end; medians of several, in turn with and without the file that holds all
// modules (bin/start.cjs). A stamp inside would leave out what Node needs to start, which is most of it. Processor time is given too: on a
// machine that has other things to do only that can be compared.
//
//   npm run bench:start -- [--runs N] [--demo]      --demo: also `npm start`, once to fill the caches and once measured

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packModules } from "../scripts/pack-modules.js";
import { scriptArguments } from "../scripts/usage.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LAUNCHER = join(ROOT, "bin/tangent");
const DEFAULT_RUNS = 15;

const PROGRAM = `#include <stdio.h>
int main(int count, char **words) { puts(count > 1 && words[1][0] == 'x' ? "x" : "hello"); return 0; }
`;

interface Start {
  readonly ms: number;
  readonly processorMs: number;
}

function start(words: readonly string[], folder: string, env: NodeJS.ProcessEnv): Start {
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(
    "/bin/sh",
    ["-c", '"$@" > /dev/null 2>&1 || exit; times', "sh", ...words],
    {
      cwd: folder,
      env,
      encoding: "utf8",
    },
  );
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${words.join(" ")} failed: ${stderr}`);
  const times = [...(stdout.trimEnd().split("\n").pop() ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return { ms, processorMs: times.reduce((sum, [, m, s]) => sum + 60_000 * Number(m) + 1000 * Number(s), 0) };
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN).toFixed(0);
}

const { values } = scriptArguments(import.meta.url, {
  options: { runs: { type: "string" }, demo: { type: "boolean" } },
});
const runs = Number(values.runs ?? DEFAULT_RUNS);
const folder = mkdtempSync(join(tmpdir(), "tangent-start-"));
try {
  packModules(join(ROOT, "dist/modules.pack"));
  const { TANGENT_UNPACKED: _, ...env } = process.env;
  const unpacked = { ...env, TANGENT_UNPACKED: "1" };
  writeFileSync(join(folder, "a.c"), PROGRAM);
  start([LAUNCHER, "cc", "-g", "a.c", "-o", "a"], folder, env);
  const explored = [LAUNCHER, "explore", "--output", "out", "--sym-arg", "1", "--max-paths", "1", "./a"];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["node -e 0", [process.execPath, "-e", "0"]],
    ["tangent --version", [LAUNCHER, "--version"]],
    ["tangent run, warm", [LAUNCHER, "run", "./a"]],
    ["tangent explore to its first path", explored],
  ];
  console.log(`| medians of ${runs} | files ms | one file ms | files processor ms | one file processor ms |`);
  console.log("|---|---|---|---|---|");
  for (const [name, words] of cases) {
    const clean = (): void => rmSync(join(folder, "out"), { recursive: true, force: true });
    const pairs = Array.from(
      { length: runs + 1 },
      () =>
        [unpacked, env].map((of) => {
          clean();
          return start(words, folder, of);
        }),
      // The first pair fills the caches.
    ).slice(1);
    const cells = [
      median(pairs.map(([files]) => files.ms)),
      median(pairs.map(([, one]) => one.ms)),
      median(pairs.map(([files]) => files.processorMs)),
      median(pairs.map(([, one]) => one.processorMs)),
    ];
    console.log(`| ${[name, ...cells].join(" | ")} |`);
  }
  if (values.demo === true) {
    const demo = (): Start => start(["sh", "-c", "npm start; [ $? -le 1 ]"], ROOT, env);
    demo();
    const { ms, processorMs } = demo();
    console.log(`npm start, the second time: ${ms.toFixed(0)} ms, processor ${processorMs.toFixed(0)} ms`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
