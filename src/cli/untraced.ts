// What is told of invocations that could not be traced while tests were recorded: arguments and standard input are known, files are not.
// If all of them, the machine forbids it; if a few among many, those were special, and the user must know which and why.

import type { Untraced } from "../project/record-collector.js";
import { visible } from "../support/visible-text.js";

const MOST_SHOWN = 5;
const MOST_CHARACTERS = 100;

/** Without a newline at its end. */
export function untracedNote(untraced: readonly Untraced[], invocations: number): string {
  const reasons = [...new Set(untraced.map(({ reason }) => reason))].join(", ");
  if (untraced.length === invocations) {
    const what = `${untraced.length} could not be traced (ptrace is not permitted here)`;
    return `${what}: ${visible(reasons)}; the files they read are missing`;
  }
  const shown = untraced.slice(0, MOST_SHOWN).map(({ command, reason }) => {
    const words = command.map(wordOf).join(" ");
    const cut = words.length > MOST_CHARACTERS ? `${words.slice(0, MOST_CHARACTERS - 3)}...` : words;
    return `  ${visible(cut)}: ${visible(reason)}${explained(reason)}`;
  });
  const more = untraced.length - shown.length;
  return [
    `${untraced.length} of ${invocations} could not be traced; the files they read are missing:`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join("\n");
}

/** Since others could be: what the system says is short. */
function explained(reason: string): string {
  if (/not permitted/.test(reason)) {
    return " (traced already, by valgrind, strace or a debugger, or run as another user or in a sandbox)";
  }
  return /No such process/.test(reason) ? " (it was gone at once)" : "";
}

function wordOf(word: string): string {
  return /^[\w./:=+,@%-]+$/.test(word) ? word : `'${word}'`;
}
