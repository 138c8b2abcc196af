// What a name of glibc's stands for in our libc, for programs that were made with glibc's headers. runtime/glibc/symbols.txt
// is the table: a line a name, and one word for how it is had.
//   same       our libc's function of that name
//   as NAME    our libc's function NAME, which does exactly the same
//   adapted    both libcs have it, and programs would notice the difference: runtime/glibc has its own
//   ours       only glibc has it: it is in runtime/glibc
//   built-in   the translation to WebAssembly does it
//   missing    nobody has it; a run that calls it ends there
// Functions of runtime/glibc are named with a prefix, so that nothing in libc itself, and no program made for musl, ever
// sees them. A name that is not in the table is looked for as it is.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GLIBC_PREFIX } from "../support/library-names.js";
import type { LibcIndex } from "./libc-index.js";

export const SYMBOLS_FILE = "glibc/symbols.txt";

export type GlibcWay = "same" | "as" | "adapted" | "ours" | "built-in" | "missing";

export interface GlibcSymbol {
  readonly name: string;
  readonly way: GlibcWay;
  /** For `as`: the other name. */
  readonly other: string | null;
}

export function readGlibcSymbols(runtime: string): GlibcSymbol[] {
  return parseGlibcSymbols(readFileSync(join(runtime, SYMBOLS_FILE), "utf8"));
}

export function parseGlibcSymbols(text: string): GlibcSymbol[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name, way, other] = line.split(/ +/);
      return { name, way: way as GlibcWay, other: other ?? null };
    });
}

/** The word that is true of a name, `as` aside, which only a person can write. */
export function wayOf(name: string, index: Pick<LibcIndex, "owner">): GlibcWay {
  const theirs = index.owner(`${GLIBC_PREFIX}${name}`) !== null;
  const ours = index.owner(name) !== null;
  if (theirs) return ours ? "adapted" : "ours";
  if (ours) return "same";
  return BUILT_IN.test(name) ? "built-in" : "missing";
}
const BUILT_IN = /^(_|__sig|sig)?(setjmp|longjmp)$/;

/** The name to look for in our libc's index. */
export function glibcNames(runtime: string): (symbol: string) => string {
  const names = new Map<string, string>();
  for (const { name, way, other } of readGlibcSymbols(runtime)) {
    if (way === "as" && other !== null) names.set(name, other);
    if (way === "adapted" || way === "ours") names.set(name, `${GLIBC_PREFIX}${name}`);
  }
  return (symbol) => names.get(symbol) ?? symbol;
}

/** Made with glibc's headers: IR says so by its target. A module that names no target is nobody's. */
export function isGlibcModule(text: string): boolean {
  const end = text.search(/^(define|declare) /m);
  const head = end < 0 ? text : text.slice(0, end);
  return /^target triple = "[^"]*-linux-gnu(x32)?"/m.test(head);
}
