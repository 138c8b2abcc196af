// A script of ours (an exported test, a reproducer) run as its reader will run it: by sh, from the directory that is named. It gets a
// scratch directory for everything that it makes and none of the caller's environment but what is named; it has bounded time, its
// files a bounded size, and whatever it started ends with it.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runChild } from "../support/child-process.js";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import { removeStaged } from "./stage-invocation.js";

export interface ScriptFiles {
  readonly text: string;
  /** Beside the script: names below its directory. */
  readonly beside?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

export interface HowToRunScript {
  /** Where it is started. */
  readonly directory: string;
  /** Beyond PATH, HOME and TMPDIR. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** A name of the scratch directory's own: outputs that depend on how long it is are found by two of them. */
  readonly place?: string;
}

export type ScriptEnd =
  /** As a shell tells it: 128 and the signal. */
  | { readonly kind: "ended"; readonly status: number; readonly output: string; readonly observed: Observed }
  | { readonly kind: "limit"; readonly words: string }
  | { readonly kind: "not-run"; readonly why: string };

/** What a script wrote into the folder that OBSERVED names; empty where it wrote nothing. */
export interface Observed {
  readonly status: Buffer;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

const TIMEOUT_MS = 10_000;
const MOST_OUTPUT = 1 << 24;
/** Blocks of 512 bytes. */
const LARGEST_FILE = 1 << 17;
const START = `ulimit -c 0; ulimit -f ${LARGEST_FILE}; exec sh "$0"`;

export function runScript(
  { text, beside = [] }: ScriptFiles,
  { directory, settings, place = "t" }: HowToRunScript,
  env: NodeJS.ProcessEnv,
): ScriptEnd {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-script-"));
  try {
    const [temporary, observed, own] = [place, "observed", "script"].map((name) => join(scratch, name));
    for (const folder of [temporary, observed, own]) mkdirSync(folder, { mode: PRIVATE_FOLDER });
    const path = join(own, "test.sh");
    writeFileSync(path, text, { mode: PRIVATE_FILE });
    for (const { name, bytes } of beside) {
      mkdirSync(dirname(join(own, name)), { recursive: true });
      writeFileSync(join(own, name), bytes, { mode: PRIVATE_FILE });
    }
    const places = { PATH: env.PATH, HOME: temporary, TMPDIR: temporary, OBSERVED: observed };
    // `detached` makes a process group, which Node's types do not know of a call that waits.
    const options = { ...STARTED, cwd: directory, env: { ...places, ...settings } };
    const ran = runChild("sh", ["-c", START, path], { ...options, stdio: ["ignore", "pipe", "pipe"] });
    endGroup(ran.pid);
    if (ran.error !== undefined) {
      const { code } = ran.error as NodeJS.ErrnoException;
      if (code === "ETIMEDOUT") return { kind: "limit", words: `did not end within ${TIMEOUT_MS / 1000} s` };
      if (code === "ENOBUFS") return { kind: "limit", words: "printed without end" };
      return { kind: "not-run", why: ran.error.message };
    }
    const status = ran.signal === null ? (ran.status ?? 0) : 128 + constants.signals[ran.signal];
    const output = `${ran.stdout.toString("latin1")}${ran.stderr.toString("latin1")}`;
    const [stdout, stderr] = ["stdout", "stderr"].map((name) => contentOf(join(observed, name)));
    return { kind: "ended", status, output, observed: { status: contentOf(join(observed, "status")), stdout, stderr } };
  } finally {
    removeStaged(scratch);
  }
}

const STARTED = {
  timeout: TIMEOUT_MS,
  killSignal: "SIGKILL",
  maxBuffer: MOST_OUTPUT,
  detached: true,
} as const;

/** Processes that it left behind. */
function endGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(-pid, "SIGKILL");
  } catch {
    // There are none.
  }
}

function contentOf(path: string): Buffer {
  try {
    return readRegularFile(path, { noLink: true, mostBytes: MOST_OUTPUT });
  } catch {
    return Buffer.alloc(0);
  }
}
