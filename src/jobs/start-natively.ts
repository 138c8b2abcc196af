// Starts a program natively with the exact bytes of a test, and no shell: what a test holds may come from anybody, and a
// word of it must never be anything but a word. Node can only pass text on, so a small program of ours
// (runtime/native/launcher.c) reads the bytes from a file and becomes the program.
// What tells the loader to bring in other code is left out of the environment: that would be more than input.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildNativeTool } from "../project/native-tool.js";
import { runChild } from "../support/child-process.js";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../support/private-modes.js";
import type { FailingOutput, FailingOutputs } from "../vm/files/stream-shape.js";

export interface NativeStart {
  /** Absolute, and known to be what is wanted. */
  readonly program: string;
  /** argv[0]: some programs are what they are called. The program's path if nothing is said. */
  readonly name?: Uint8Array;
  /** After the program's name. */
  readonly words: readonly Uint8Array[];
  /** NAME=value each. */
  readonly environment: readonly Uint8Array[];
  /** The same, of ours: these win. */
  readonly settings: readonly string[];
  readonly directory: string;
  /** A file; null: /dev/null. */
  readonly stdin: string | null;
  /** How it comes; as a file if nothing is said. */
  readonly stdinKind?: NativeInputKind;
  /** Where writing fails; what is written elsewhere is in the result. */
  readonly outputs?: FailingOutputs;
  /** Ours, if nothing is said. */
  readonly umask?: number;
  readonly timeoutMs: number;
}

/** closed: there is no standard input at all. */
export type NativeInputKind = "file" | "pipe" | "closed";

export interface NativeOutput {
  /** All of it, as text. */
  readonly output: string;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

export type NativeResult =
  | ({ readonly kind: "exit"; readonly status: number } & NativeOutput)
  | ({ readonly kind: "signal"; readonly signal: NodeJS.Signals } & NativeOutput)
  /** It was ended: it ran too long, or printed more than anybody reads. */
  | ({ readonly kind: "limit"; readonly limit: "time" | "output" } & NativeOutput)
  | { readonly kind: "not-run"; readonly message: string };

/** They bring code into a program, or let it write files: the loader's, libc's, the sanitizers' own. */
const LOADER = /^(LD_\w*|DYLD_\w*|GCONV_PATH|GLIBC_TUNABLES|MALLOC_\w+|LOCPATH|NLSPATH|[A-Z]*SAN_OPTIONS)=/;
const OUTPUT_BYTES = 1 << 26;
const NOTHING = new Uint8Array(0);

export function startNatively(start: NativeStart, env: NodeJS.ProcessEnv): NativeResult {
  const launcher = buildNativeTool("launcher", env);
  if (launcher.kind === "failed") return { kind: "not-run", message: launcher.message };
  const folder = mkdtempSync(join(tmpdir(), "tangent-start-"));
  try {
    const path = join(folder, "launcher");
    writeFileSync(path, launcher.bytes, { mode: PRIVATE_FOLDER });
    const description = join(folder, "description");
    writeFileSync(description, describe(start), { mode: PRIVATE_FILE });
    const { status, signal, error, stdout, stderr } = runChild(path, [description], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: start.timeoutMs,
      killSignal: "SIGKILL",
      env: {},
      maxBuffer: OUTPUT_BYTES,
    });
    const output = `${stdout ?? ""}${stderr ?? ""}`;
    const said: NativeOutput = { output, stdout: stdout ?? NOTHING, stderr: stderr ?? NOTHING };
    if (error !== undefined) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ETIMEDOUT") return { kind: "limit", limit: "time", ...said };
      if (code === "ENOBUFS") return { kind: "limit", limit: "output", ...said };
      return { kind: "not-run", message: error.message };
    }
    if (signal !== null) return { kind: "signal", signal, ...said };
    if (status === TROUBLE && output.startsWith(TROUBLE_WORDS)) return { kind: "not-run", message: output.trim() };
    return { kind: "exit", status: status ?? 0, ...said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the launcher says if it cannot become the program. */
const TROUBLE = 99;
const TROUBLE_WORDS = "tangent: cannot start natively";

/** What the program will find in its environment, in order. */
export function environmentOf({
  environment,
  settings,
}: Pick<NativeStart, "environment" | "settings">): readonly Uint8Array[] {
  const ours = new Set(settings.map((setting) => setting.split("=")[0]));
  const kept = environment.filter((variable) => {
    const text = Buffer.from(variable).toString("latin1");
    return !LOADER.test(text) && !ours.has(text.split("=")[0]);
  });
  return [...kept, ...settings.map((setting) => Buffer.from(setting))];
}

function describe(start: NativeStart): Buffer {
  const { program, directory, stdin, stdinKind = "file", words, name, umask, outputs = {} } = start;
  const input = stdinKind === "closed" ? "closed:" : `${stdin === null ? "file" : stdinKind}:${stdin ?? "/dev/null"}`;
  const mask = umask === undefined ? "" : (umask & 0o777).toString(8);
  const fields = [
    ...[
      program,
      directory,
      input,
      outputWord(outputs.stdout),
      outputWord(outputs.stderr),
      mask,
      String(words.length + 1),
    ].map((text) => Buffer.from(text)),
    name ?? Buffer.from(program),
    ...words,
    ...environmentOf(start),
  ];
  return Buffer.concat(fields.flatMap((field) => [upToZero(field), Buffer.alloc(1)]));
}

/** The reader of a pipe has left before the program starts. */
function outputWord(output: FailingOutput | undefined): string {
  if (typeof output !== "object") return output ?? "";
  return output.isSignalIgnored === true ? "ignored" : "broken";
}

function upToZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
