// A program that has to be ready by a certain time. One that is in the cache is; translating one of a hundred thousand lines takes half
// a minute in which nothing else is heard, so it is done in a thread that can be ended.

import { imageOf } from "../program/stored-image.js";
import type { LoadOptions } from "../program/warm.js";
import { commandMs } from "../support/command-clock.js";
import { GuardedThread, newCell } from "../support/guarded-thread.js";
import { type FoundProgram, findProgram, warmProgram } from "./find-program.js";
import type { TranslateMessage, TranslateTask } from "./translate-worker.js";

/** `untilMs`: by the command's clock; Infinity: as long as it takes. */
export async function findProgramUntil(
  untilMs: number,
  program: string | readonly string[],
  options: LoadOptions,
): ReturnType<typeof findProgram> {
  if (untilMs === Number.POSITIVE_INFINITY) return findProgram(program, options);
  const inputs = typeof program === "string" ? [program] : program;
  const warm = warmProgram(inputs, options);
  if (warm !== null) return warm;
  const { onProgress, ...rest } = options;
  const thread = new GuardedThread<TranslateTask, TranslateMessage>(new URL("./translate-worker.js", import.meta.url));
  let last: FoundProgram | { readonly kind: "failed"; readonly message: string } | null = null;
  const limits = { timeMs: Math.max(0, untilMs - commandMs()), graceMs: 0 };
  const task = { inputs, options: { ...rest, env: { ...rest.env } }, cell: newCell() };
  const end = await thread.run(task, limits, (message) => {
    if (message.kind === "progress") {
      onProgress?.(message.progress);
      return false;
    }
    last = message.kind === "failed" ? message : { ...message, image: () => imageOf(message.source) };
    return true;
  });
  thread.discard();
  if (last !== null) return last;
  const name = inputs.join(", ");
  const message =
    end.kind === "died"
      ? `the thread that translates ${name} died: ${end.message}`
      : `the time limit is reached, and ${name} is not translated yet; give it more time`;
  return { kind: "failed", message };
}
