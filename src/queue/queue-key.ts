// The key of a queue: a text that coordinator and workers have in common, from a file of this user's or from the environment, never from the
// command line, which everybody on the machine can see.

import { constants, statSync } from "node:fs";
import { readRegularFile } from "../support/regular-file.js";

export const KEY_VARIABLE = "TANGENT_QUEUE_KEY";

/** What nobody guesses; `head -c 32 /dev/urandom | base64` gives 44. */
const LEAST_LENGTH = 32;
const MOST_BYTES = 4096;
const OTHERS = constants.S_IRWXG | constants.S_IRWXO;
const HOW = "make one with: (umask 077; head -c 32 /dev/urandom | base64 > FILE)";

/** Null: no key is given. A string says what is wrong. */
export function readQueueKey(file: string | undefined, variable: string | null): Uint8Array | null | string {
  if (file === undefined) return variable === null ? null : keyOf(variable, `$${KEY_VARIABLE}`);
  try {
    if ((statSync(file).mode & OTHERS) !== 0) {
      return `--queue-key: others than you can use ${file}; chmod 600 it, and make a new key if they may have read it`;
    }
    return keyOf(readRegularFile(file, { mostBytes: MOST_BYTES }).toString(), file);
  } catch (error) {
    return `--queue-key: ${(error as Error).message}`;
  }
}

function keyOf(text: string, where: string): Uint8Array | string {
  const key = text.trim();
  return key.length < LEAST_LENGTH
    ? `--queue-key: the key in ${where} has fewer than ${LEAST_LENGTH} characters; ${HOW}`
    : Buffer.from(key);
}
