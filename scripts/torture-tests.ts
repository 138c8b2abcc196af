// The programs of gcc's C torture suite as a list: sources, flags, and whether they are meant for this machine at all.
// gcc's own harness is written in Tcl; what its directives say is read roughly, and what goes wrong natively is left out of
// the qualification anyway.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface TortureTest {
  readonly name: string;
  readonly sources: readonly string[];
  readonly flags: readonly string[];
}

/** Errors of today's C that were warnings when the tests were written. */
const LENIENT = ["implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types"];
const COMMON_FLAGS = [
  "-w",
  ...LENIENT.map((warning) => `-Wno-${warning}`),
  "-Wno-return-mismatch",
  // Without passes nothing is optimised away, natively (-O0) and in the VM's IR alike; the tests ask this macro.
  "-U__OPTIMIZE__",
];
/** Options that change what a program means; the others ask for passes of gcc's optimiser. */
const MEANINGFUL = /^(-std=|-D|-fgnu89-inline|-f(no-)?wrapv|-ffast-math|-finput-charset|-f(no-)?common|-fno-builtin)/;

export function tortureTests(execute: string): TortureTest[] {
  const tests: TortureTest[] = [];
  for (const folder of ["", "ieee", "builtins"]) {
    for (const file of readdirSync(join(execute, folder)).sort()) {
      if (!file.endsWith(".c") || (folder === "builtins" && file.endsWith("-lib.c"))) continue;
      const path = join(execute, folder, file);
      const sources =
        folder === "builtins" ? [path, path.replace(/\.c$/, "-lib.c"), join(execute, "builtins/lib/main.c")] : [path];
      const flags = [...COMMON_FLAGS, ...directiveFlags(readFileSync(path, "latin1"))];
      tests.push({ name: join(folder, file).replace(/\.c$/, ""), sources, flags });
    }
  }
  return tests;
}

function directiveFlags(source: string): string[] {
  const flags: string[] = [];
  for (const match of source.matchAll(/\{\s*dg-(?:additional-)?options\s+\{?\s*"([^"]*)"\s*\}?(.*)\}/g)) {
    if (!concernsUs(match[2])) continue;
    flags.push(...match[1].split(/\s+/).filter((flag) => MEANINGFUL.test(flag)));
  }
  return flags;
}

/** A selector names targets; ours is x86_64, and not its 32-bit mode. */
function concernsUs(selector: string): boolean {
  if (!/target/.test(selector)) return true;
  return /x86_64/.test(selector) && !/ia32/.test(selector);
}
