// The way to start another process, whatever it is: a build, a compiler, recorded tests, git. No other file of src/ imports node:child_process
// (test/tidy), so nothing of ours is inherited that is not meant for it.

import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { childEnvironment } from "./own-environment.js";

type Starting = (file: string, args: readonly string[], options?: SpawnOptions) => unknown;

function withOwnEnvironment<T>(start: T): T {
  const given = start as Starting;
  const started: Starting = (file, args, options) =>
    given(file, args, { ...options, env: childEnvironment(options?.env ?? process.env) });
  return started as T;
}

/** As Node's `spawn`. */
export const startChild = withOwnEnvironment(spawn);
/** As Node's `spawnSync`. */
export const runChild = withOwnEnvironment(spawnSync);
