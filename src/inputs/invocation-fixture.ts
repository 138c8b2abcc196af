// For tests: a program that is run in `/` and reads these bytes from its standard input.

import type { Invocation } from "./invocation.js";

export function reading(input: string | Uint8Array): Invocation {
  const bytes = typeof input === "string" ? Buffer.from(input, "latin1") : input;
  const stdin = { kind: "bytes", bytes, regularFile: false } as const;
  return { program: "prog", arguments: [], environment: [], workingDirectory: "/", umask: 0o022, stdin, tree: [] };
}
