// Which files are the system's: locale data, terminal descriptions and the like. They are a test's surroundings, not its input, and are
// there wherever the test runs again. A project may itself lie below such a directory (/opt/work, /var/lib/jenkins/workspace): what
// lies in it is its own.

import { posix } from "node:path";
import type { Invocation } from "./invocation.js";

/** Not /dev/shm: what lies there is somebody's files. */
const SYSTEM = /^\/(usr|etc|lib|lib64|bin|sbin|opt|var\/lib|proc|sys|dev(?!\/shm\/))\//;

/** `own`: directories whose files are no surroundings. One that holds the system itself, such as /, says nothing. */
export function isSystemFile(path: string, own: readonly string[]): boolean {
  return (
    SYSTEM.test(path) && !own.some((directory) => SYSTEM.test(`${directory}/`) && path.startsWith(`${directory}/`))
  );
}

/** Devices that are the same everywhere; what standard error is, is another matter. */
const DEVICE = /^\/dev\/(null|zero|full|random|urandom)$/;

/** Whether a word names the system itself, or something in it: what is there is another matter on every machine. */
export function namesTheSystem(word: string): boolean {
  if (!word.startsWith("/") || DEVICE.test(word)) return false;
  const path = posix.normalize(`${word}/`);
  return path === "/" || SYSTEM.test(path);
}

/** A new word that names /dev or /: what comes of it depends on the machine. */
export function asksTheMachine({ arguments: words }: Invocation, from: Invocation): boolean {
  return words.some((word) => !from.arguments.includes(word) && namesTheSystem(Buffer.from(word).toString("latin1")));
}
