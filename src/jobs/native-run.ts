// A test run natively: the same script that a finding's folder has, in a directory of its own, so that the program gets
// exactly the bytes of the test, also those that no string of ours could carry. A native program shows less than the VM:
// an error may go unnoticed.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { type ShownTest, surroundingsOf } from "../inputs/test-input.js";
import { toKlee } from "../report/klee-objects.js";
import { encodeKTest } from "../report/ktest.js";
import { FILES_FOLDER, renderReproduce, STDIN_FILE } from "../report/reproduce.js";

export interface NativeEnd {
  /** In the words of path-end.ts. */
  readonly end: string;
  /** It died of a signal, as after an error that the hardware or libc noticed. */
  readonly signal: string | null;
  readonly output: string;
}

/** `ktest`: the test's own file, if it has one. */
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
    mkdirSync(join(folder, FILES_FOLDER));
    for (const { name, bytes } of around.files) writeFileSync(join(folder, FILES_FOLDER, name), bytes);
    if (around.stdin !== null) writeFileSync(join(folder, STDIN_FILE), around.stdin);
    if (ktest !== null) copyFileSync(ktest, join(folder, "input.ktest"));
    else {
      const { args, objects } = toKlee(Buffer.from(test.program), test.inputs, test.values);
      writeFileSync(join(folder, "input.ktest"), encodeKTest(args, objects));
    }
    const script = renderReproduce(test, { title: "replay", program, native: true, ktest: "input.ktest" });
    writeFileSync(join(folder, "reproduce.sh"), script, { mode: 0o700 });
    const result = spawnSync(join(folder, "reproduce.sh"), {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      env,
      maxBuffer: 1 << 26,
    });
    const output = `${result.stdout ?? ""}${result.stderr ?? ""}`;
    if (result.error !== undefined) {
      const { code } = result.error as NodeJS.ErrnoException;
      return { end: code === "ETIMEDOUT" ? "limit time" : `not run (${result.error.message})`, signal: null, output };
    }
    // The script is a shell: it tells its child's signal by its status.
    const status = result.status ?? 128;
    const signal = Object.entries(constants.signals).find(([, number]) => status === 128 + number)?.[0] ?? null;
    return { end: `exit ${status}`, signal, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
