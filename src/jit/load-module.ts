// The way to make a WebAssembly module of an image. V8's optimising compiler needs time that grows with the square of a
// function's size (measured: many minutes and 4 GB for one of 550 KB with 2800 locals), it compiles in threads of its
// own that nobody can stop, and the process does not end before they do. So functions that are too large for it are
// never given to it.
// V8 has no word for that, only this way: a function that is compiled while a filter names another one does not ask to
// be optimised. The hints in the module (assemble.ts) say that large functions are compiled at once, here, and all
// others when they are first called, when the filter is gone again. Flags are the whole process's: what another thread
// compiles just then stays slow, but right.

import { setFlagsFromString } from "node:v8";
import { readCompilationHints } from "../support/v8-flags.js";
import type { ProgramImage } from "./image.js";

/** The filter lets only this function be optimised; there is none of that number. */
const NO_FUNCTION = 0x7fff_ffff;

export function loadModule({ wasm, statistics }: Pick<ProgramImage, "wasm" | "statistics">): WebAssembly.Module {
  if (statistics.functionsTooLarge === 0) return new WebAssembly.Module(wasm);
  const areHintsRead = readCompilationHints(true);
  setFlagsFromString("--no-wasm-lazy-compilation");
  setFlagsFromString(`--wasm-tier-up-filter=${NO_FUNCTION}`);
  try {
    return new WebAssembly.Module(wasm);
  } finally {
    setFlagsFromString("--wasm-tier-up-filter=-1");
    setFlagsFromString("--wasm-lazy-compilation");
    readCompilationHints(areHintsRead);
  }
}
