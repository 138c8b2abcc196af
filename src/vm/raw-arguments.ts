// The bytes of our own command line and environment. Node decodes both as UTF-8 and replaces what is none, so a program
// run with arguments of another encoding would see others than natively. /proc has them as they were given.

import { readFileSync } from "node:fs";

function fields(path: string): Uint8Array[] {
  try {
    const bytes = readFileSync(path);
    const result: Uint8Array[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(0, start);
      const stop = end < 0 ? bytes.length : end;
      result.push(bytes.subarray(start, stop));
      start = stop + 1;
    }
    return result;
  } catch {
    return [];
  }
}

/** The last arguments of this process as bytes; `decoded` (what Node made of them) where they cannot be had. */
export function rawArguments(decoded: readonly string[]): readonly (string | Uint8Array)[] {
  if (decoded.length === 0) return [];
  const all = fields("/proc/self/cmdline").slice(-decoded.length);
  const same =
    all.length === decoded.length && all.every((raw, index) => Buffer.from(raw).toString() === decoded[index]);
  return same ? all : decoded;
}

/** The environment this process was started with, NAME=value each. */
export function rawEnvironment(decoded: NodeJS.ProcessEnv): readonly (string | Uint8Array)[] {
  const raw = fields("/proc/self/environ").filter((field) => field.includes(0x3d));
  const wanted = Object.entries(decoded).map(([name, value]) => `${name}=${value}`);
  const left = new Set(wanted);
  const kept = raw.filter((field) => left.delete(Buffer.from(field).toString()));
  // Something was added or changed since: then the changed one counts. What was taken out of it is not there.
  return left.size === 0 ? kept : wanted;
}
