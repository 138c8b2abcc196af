// Qualification of the limits of time: programs that try to outlive them (test/programs/escapes) under `run --timeout`,
// `explore --max-time` and `amplify --time`. Prints how long each took beyond its limit. Preparing is measured by the same command
// with a tenth of a second, and subtracted. Fails if one takes more than the bar.
//
//   npm run qualify:limits [PROGRAM...]

import {
  ESCAPE_COMMANDS,
  EscapeAttempt,
  type EscapeCommand,
  escapeNames,
  LIMITS_MS,
} from "../test/end-to-end/escapes.js";
import { scriptWords } from "./usage.js";

/** The bar, in milliseconds beyond the limit. */
const ALLOWED_MS = 2000;
const KILL_MS = 120_000;
const TINY_MS = 100;

const given = scriptWords(import.meta.url);
const names = given.length > 0 ? given : escapeNames();
let failures = 0;

/** Null: it was killed by us, and never ended. */
async function overrunOf(attempt: EscapeAttempt, command: EscapeCommand): Promise<{ ms: number | null; text: string }> {
  // Once to fill the cache, once to measure.
  await attempt.attempt(command, TINY_MS);
  const prepared = await attempt.attempt(command, TINY_MS);
  const { status, tookMs } = await attempt.attempt(command, LIMITS_MS[command]);
  if (status === null && tookMs >= KILL_MS) return { ms: null, text: "never ended" };
  const ms = tookMs - Math.max(0, prepared.tookMs - TINY_MS) - LIMITS_MS[command];
  return { ms, text: `${(ms / 1000).toFixed(2)} s (${status ?? "killed"})` };
}

process.stdout.write(`${"program".padEnd(16)}${ESCAPE_COMMANDS.map((name) => name.padEnd(20)).join("")}\n`);
for (const name of names) {
  const attempt = new EscapeAttempt(name, KILL_MS);
  try {
    await attempt.build();
    await attempt.record();
    const cells: string[] = [];
    for (const command of ESCAPE_COMMANDS) {
      const { ms, text } = await overrunOf(attempt, command);
      const isLate = ms === null || ms > ALLOWED_MS;
      if (isLate) failures++;
      cells.push(`${text}${isLate ? " LATE" : ""}`.padEnd(20));
    }
    process.stdout.write(`${name.padEnd(16)}${cells.join("")}\n`);
  } finally {
    attempt.remove();
  }
}
process.stdout.write(
  `beyond the limit; exit status in brackets. ${failures} late by more than ${ALLOWED_MS / 1000} s.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
