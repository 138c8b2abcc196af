// Trees of a bed that is built once and taken again: a mark says from which description a tree was made.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** The mark in a tree. */
export const MADE = "tangent-made";
/** Long: on a machine with other work one step has taken twenty minutes. */
const STEP_TIMEOUT_MS = 3600_000;

export function isMade(tree: string, wanted: string): boolean {
  const mark = join(tree, MADE);
  return existsSync(mark) && readFileSync(mark, "utf8") === wanted;
}

/** With its times: make looks at them. */
export function copyTree(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  const { status } = spawnSync("cp", ["-a", from, to], { stdio: "ignore" });
  if (status !== 0) throw new Error(`${from} could not be copied to ${to}`);
  rmSync(join(to, MADE), { force: true });
}

/** The same everywhere, if it can be: what tangent cc has with it, not what this system's compiler has. */
export function personalityOf({ needsGlibc }: { readonly needsGlibc?: boolean }): NodeJS.ProcessEnv {
  return { TANGENT_CC: needsGlibc === true ? "" : "embedded" };
}

/** A step of making a tree, in its folder; what it prints goes to tangent-PHASE.log there. True if it ended well. */
export function runStep(command: string, folder: string, phase: string, env: NodeJS.ProcessEnv): boolean {
  const log = openSync(join(folder, `tangent-${phase}.log`), "w");
  const { status } = spawnSync("sh", ["-c", `set -e\n${command}`], {
    cwd: folder,
    env: { ...process.env, CFLAGS: "-g -O1", FORCE_UNSAFE_CONFIGURE: "1", LC_ALL: "C", ...env },
    stdio: ["ignore", log, log],
    timeout: STEP_TIMEOUT_MS,
  });
  closeSync(log);
  return status === 0;
}
