// The thread in which a commit's searches are done, one task after the other: get ready for a variant, search for one target. Generated
// code needs a large native stack, and a search that does not end can be ended from outside.

import { parentPort } from "node:worker_threads";
import type { ThreadTask } from "../../src/support/guarded-thread.js";
import { useV8Flags } from "../../src/support/v8-flags.js";
import { AblationBench, type BenchOutcome, type BenchSetup } from "./ablation-bench.js";
import type { Variant } from "./ablation-variants.js";

export type AblationTask = ThreadTask &
  (
    | { readonly kind: "begin"; readonly setup: BenchSetup; readonly variants: readonly Variant[] }
    | {
        readonly kind: "search";
        readonly target: string;
        readonly variant: Variant;
        readonly timeMs: number;
        readonly randomSeed: number;
      }
  );

export type AblationMessage =
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "ready" }
  | { readonly kind: "searched"; readonly outcome: BenchOutcome }
  | { readonly kind: "failed"; readonly message: string };

const port = parentPort;
if (port !== null) {
  useV8Flags();
  const post = (message: AblationMessage): void => port.postMessage(message);
  let bench: AblationBench | null = null;

  const answer = async (task: AblationTask): Promise<AblationMessage> => {
    if (task.kind === "begin") {
      bench = new AblationBench(task.setup, process.env, (text) => post({ kind: "note", text }));
      for (const variant of task.variants) await bench.prepare(variant);
      return { kind: "ready" };
    }
    if (bench === null) throw new Error("nothing is loaded");
    const { target, variant, timeMs, randomSeed, cell } = task;
    const abort = {
      get aborted(): boolean {
        return Atomics.load(cell, 0) !== 0;
      },
    };
    return { kind: "searched", outcome: bench.search(target, variant, timeMs, randomSeed, abort) };
  };

  port.on("message", (task: AblationTask) => {
    answer(task).then(post, (error: unknown) => {
      post({ kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    });
  });
}
