// A test run natively: its files in a directory of their own, its bytes as they are (start-natively.ts). A native program shows
// less than the VM: an error may go unnoticed.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { type ShownTest, surroundingsOf } from "../inputs/test-input.js";
import { toKlee } from "../report/klee-objects.js";
import { encodeKTest } from "../report/ktest.js";
import { FILES_FOLDER, STDIN_FILE } from "../report/reproduce.js";
import { childEnvironment } from "../support/own-environment.js";
import { startNatively } from "./start-natively.js";

export interface NativeEnd {
  /** In the words of path-end.ts. */
  readonly end: string;
  /** It died of a signal, as after an error that the hardware or libc noticed. */
  readonly signal: string | null;
  readonly output: string;
}

/** `program`: what the user has named. `ktest`: the test's own file, if it has one. */
export function runNatively(
  program: string,
  test: ShownTest,
  ktest: string | null,
  timeoutMs: number,
  env: NodeJS.ProcessEnv,
): NativeEnd {
  const folder = mkdtempSync(join(tmpdir(), "tangent-native-"));
  try {
    const around = surroundingsOf(test);
    const files = join(folder, FILES_FOLDER);
    mkdirSync(files);
    for (const { name, bytes } of around.files) writeFileSync(join(files, name), bytes);
    const stdin = around.stdin === null ? null : join(folder, STDIN_FILE);
    if (stdin !== null) writeFileSync(stdin, around.stdin ?? "");
    const objects = join(folder, "input.ktest");
    if (ktest !== null) copyFileSync(ktest, objects);
    else {
      const { args, objects: named } = toKlee(Buffer.from(test.program), test.inputs, test.values);
      writeFileSync(objects, encodeKTest(args, named));
    }
    const own = around.environment.map(({ name, value }) => Buffer.concat([Buffer.from(`${name}=`), value]));
    const result = startNatively(
      {
        program,
        words: around.words.map(({ bytes }) => bytes),
        environment: [...inherited(env, new Set(around.environment.map(({ name }) => name))), ...own],
        settings: [`KTEST_FILE=${objects}`],
        // Never the user's: what an input makes of a program that fails, nobody knows.
        directory: files,
        stdin,
        timeoutMs,
      },
      env,
    );
    switch (result.kind) {
      case "exit":
        return { end: `exit ${result.status}`, signal: null, output: result.output };
      case "signal":
        // As a shell tells it.
        return {
          end: `exit ${128 + constants.signals[result.signal]}`,
          signal: result.signal,
          output: result.output,
        };
      case "limit":
        return { end: `limit ${result.limit}`, signal: null, output: result.output };
      case "not-run":
        return { end: `not run (${result.message})`, signal: null, output: "" };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The user's own environment, where the test says nothing else. */
function inherited(env: NodeJS.ProcessEnv, replaced: ReadonlySet<string>): Buffer[] {
  return Object.entries(childEnvironment(env))
    .filter(([name]) => !replaced.has(name))
    .map(([name, value]) => Buffer.from(`${name}=${value}`));
}
