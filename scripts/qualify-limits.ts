// Qualification of the limits of time and memory: programs that try to outlive them (test/programs/escapes), and large ones
// (limits/large-programs.ts), under `run --timeout --memory`, `explore --max-time --max-memory` and `amplify --time`. Prints how long each
// took beyond its limit, from the start of the command, and how much memory its process had at most. `cold`: with an empty cache, so
// that the program may not be translated in time. Fails if one takes more than the bar. To be run on a machine that does nothing else.
//
//   npm run qualify:limits [PROGRAM...]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ESCAPE_COMMANDS,
  type Escape,
  EscapeAttempt,
  type EscapeCommand,
  escapeNames,
  LIMITS_MB,
  LIMITS_MS,
} from "../test/end-to-end/escapes.js";
import { LARGE_PROGRAMS } from "./limits/large-programs.js";
import { scriptWords } from "./usage.js";

/** The bar, in milliseconds beyond the limit. */
const ALLOWED_MS = 2000;
const KILL_MS = 300_000;
/** Beyond an exploration's limit; beyond a run's, which is its program's, the machine itself with the largest image. */
const ALLOWED_SHARE = 0.1;
const MACHINE_MB = 250;

const given = scriptWords(import.meta.url);
const names = given.length > 0 ? given : [...escapeNames(), ...Object.keys(LARGE_PROGRAMS)];
let failures = 0;

function cellOf(command: EscapeCommand, { status, tookMs, peakMb }: Escape, isWarm: boolean): string {
  const isEnded = status !== null || tookMs < KILL_MS;
  const ms = tookMs - LIMITS_MS[command];
  const limitMb = LIMITS_MB[command] ?? Number.POSITIVE_INFINITY;
  const mostMb = command === "run" ? limitMb + MACHINE_MB : limitMb * (1 + ALLOWED_SHARE);
  // Translating is not the program's memory.
  const isLarge = isWarm && peakMb > mostMb;
  const isLate = !isEnded || ms > ALLOWED_MS;
  if (isLate || isLarge) failures++;
  const time = isEnded ? `${(ms / 1000).toFixed(2)} s` : "never ended";
  const marks = `${isLate ? " LATE" : ""}${isLarge ? " LARGE" : ""}`;
  return `${time} ${peakMb.toFixed(0)} MB (${status ?? "killed"})${marks}`.padEnd(28);
}

const heads = ESCAPE_COMMANDS.flatMap((name) => [`${name}, cold`, name]);
process.stdout.write(`${"program".padEnd(16)}${heads.map((name) => name.padEnd(28)).join("")}\n`);
for (const name of names) {
  const attempt = new EscapeAttempt(name, KILL_MS, LARGE_PROGRAMS[name]?.());
  const cache = process.env.TANGENT_CACHE;
  const empty = mkdtempSync(join(tmpdir(), "tangent-cold-"));
  try {
    await attempt.build();
    await attempt.record();
    process.stdout.write(name.padEnd(16));
    for (const command of ESCAPE_COMMANDS) {
      process.env.TANGENT_CACHE = empty;
      process.stdout.write(cellOf(command, await attempt.attempt(command, LIMITS_MS[command]), false));
      if (cache === undefined) delete process.env.TANGENT_CACHE;
      else process.env.TANGENT_CACHE = cache;
      await attempt.translate(command);
      process.stdout.write(cellOf(command, await attempt.attempt(command, LIMITS_MS[command]), true));
    }
    process.stdout.write("\n");
  } finally {
    attempt.remove();
    rmSync(empty, { recursive: true, force: true });
  }
}
process.stdout.write(
  `beyond the limit of time, most memory; exit status in brackets. ${failures} late by more than ${ALLOWED_MS / 1000} s, or too large.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
