// The thread of vm-thread.ts: runs of one program, one after the other, nothing symbolic, with what each leaves behind.

import { parentPort } from "node:worker_threads";
import type { StartableProgram } from "../../src/campaign/work-messages.js";
import { runChecked } from "../../src/findings/check.js";
import { type Finding, userFrameOf } from "../../src/findings/finding.js";
import type { ProgramImage } from "../../src/jit/image.js";
import { loadModule } from "../../src/jit/load-module.js";
import type { CompileOptions } from "../../src/jit/options.js";
import { useBuiltPrograms } from "../../src/jobs/built-programs.js";
import { type ImageSource, imageOf } from "../../src/program/stored-image.js";
import type { ThreadTask } from "../../src/support/guarded-thread.js";
import { useV8Flags } from "../../src/support/v8-flags.js";
import type { FileChange } from "../../src/vm/files/overlay-changes.js";
import { readHeap } from "../../src/vm/heap.js";
import type { RunEnd } from "../../src/vm/run-end.js";
import type { RunOptions } from "../../src/vm/run-options.js";

export interface VmTask extends ThreadTask {
  readonly source: ImageSource;
  readonly options: RunOptions;
  readonly startable: readonly StartableProgram[];
  readonly compile: CompileOptions;
}

export interface VmRun {
  readonly end: RunEnd;
  readonly finding: { readonly kind: Finding["kind"]; readonly place: string; readonly message: string } | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly files: readonly FileChange[];
  readonly denied: Readonly<Record<string, number>>;
}

let known: { readonly image: ProgramImage; readonly module: WebAssembly.Module } | null = null;

parentPort?.on("message", ({ source, options, startable, compile }: VmTask) => {
  if (known === null) {
    useV8Flags();
    const image = imageOf(source);
    useBuiltPrograms(startable, { env: process.env, clang: null, flags: [], compile });
    known = { image, module: loadModule(image) };
  }
  let files: readonly FileChange[] = [];
  const { result, finding } = runChecked(
    known.image,
    options,
    {
      ...{ repeat: "never", leaks: false, heap: readHeap },
      ended: (machine) => {
        files = machine.kernel.files.changes();
      },
    },
    known.module,
  );
  const { end, stdout, stderr, denied } = result;
  const run: VmRun = { end, stdout, stderr, files, denied, finding: finding === null ? null : told(finding) };
  parentPort?.postMessage(run);
});

function told(finding: Finding): VmRun["finding"] {
  const frame = userFrameOf(finding);
  const place = frame === null ? "" : `${frame.functionName} (${frame.file ?? "?"}:${frame.line})`;
  return { kind: finding.kind, place, message: finding.message };
}
