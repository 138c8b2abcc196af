// The thread in which a program is translated that has to be ready by a certain time: nothing in it is waited for when that is over.

import { parentPort } from "node:worker_threads";
import type { ImageSource } from "../program/stored-image.js";
import type { LoadOptions, LoadProgress } from "../program/warm.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { type FoundProgram, findProgram } from "./find-program.js";

export interface TranslateTask extends ThreadTask {
  readonly inputs: readonly string[];
  readonly options: Omit<LoadOptions, "onProgress">;
}

export type TranslateMessage =
  | { readonly kind: "progress"; readonly progress: LoadProgress }
  | ({ readonly kind: "found"; readonly source: ImageSource } & Pick<FoundProgram, "warnings" | "milliseconds">)
  | { readonly kind: "failed"; readonly message: string };

parentPort?.once("message", async ({ inputs, options }: TranslateTask) => {
  const post = (message: TranslateMessage): void => parentPort?.postMessage(message);
  const onProgress = (progress: LoadProgress): void => post({ kind: "progress", progress });
  const found = await findProgram(inputs, { ...options, onProgress });
  if (found.kind === "failed") return post(found);
  const { source, warnings, milliseconds } = found;
  post({ kind: "found", source, warnings, milliseconds });
});
