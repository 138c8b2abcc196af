// How a thread of ours is started: by its module's own file, or, if tangent was started from the file that holds all modules (bin/start.cjs),
// by that one, with the module's name.

import { relative } from "node:path";
import { fileURLToPath } from "node:url";

interface PackedStart {
  readonly script: string;
  /** Of the modules. */
  readonly folder: string;
  /** The command's name. */
  readonly word?: string;
}

export interface WorkerStart {
  readonly script: URL | string;
  readonly argv: string[];
}

export function workerStart(module: URL): WorkerStart {
  const packed = (globalThis as { [name: symbol]: unknown })[Symbol.for("tangent.start")] as PackedStart | undefined;
  if (packed === undefined) return { script: module, argv: [] };
  return {
    script: packed.script,
    argv: ["--module", relative(packed.folder, fileURLToPath(module)), packed.word ?? ""],
  };
}
