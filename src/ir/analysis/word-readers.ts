// String searches that read whole aligned words on purpose, past the end of what they search but never past the word its
// last byte lies in. gnulib brings such functions where libc lacks them (grep's rawmemchr); the machine allows the read,
// and nobody would thank us for reporting it. Their reads are asked about the first byte only; everything else about
// them is checked as ever. musl's conversion of whole strings to wide characters does the same. Known by name, because nothing in the code tells intention from error.

import type { IrFunction } from "../module.js";
import { type Body, instruction } from "../values.js";

const NAMES: ReadonlySet<string> = new Set(["rawmemchr", "memchr", "memchr2", "memrchr", "strchrnul"]);
/** In musl; its other string functions that do so are replaced by ours. */
const OF_LIBC: ReadonlySet<string> = new Set(["mbsrtowcs"]);

/** Such a function is not inlined: in its caller it could not be told from other code. */
export function readsWords(fn: IrFunction): boolean {
  return (fn.module.origin === "program" ? NAMES : OF_LIBC).has(fn.name);
}

/** Reads of several bytes need only begin inside an object. */
export function askFirstByteOnly(body: Body): void {
  for (const block of body.blocks) {
    block.instructions = block.instructions.map((i) => {
      if (i.op !== "check" || i.extra.write || i.extra.size === 1) return i;
      return instruction("check", i.type, i.operands, { ...i.extra, size: 1 }, undefined, i.loc);
    });
  }
}
