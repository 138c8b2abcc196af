// The way to make a WebAssembly module of an image, and an instance of it: there is no other, so that no module runs whose imports are not those
// of the boundary (module-imports.ts), and none is given anything else. V8's optimising compiler needs time that grows with the square of a
// function's size (measured: many minutes and 4 GB for one of 550 KB with 2800 locals), it compiles in threads of its
// own that nobody can stop, and the process does not end before they do. So functions that are too large for it are
// never given to it.
// V8 has no word for that, only this way: a function that is compiled while a filter names another one does not ask to
// be optimised. The hints in the module (assemble.ts) say that large functions are compiled at once, here, and all
// others when they are first called, when the filter is gone again. Flags are the whole process's: what another thread
// compiles just then stays slow, but right.

import { setFlagsFromString } from "node:v8";
import { readCompilationHints } from "../support/v8-flags.js";
import { visible } from "../support/visible-text.js";
import { IMPORT_MODULE, MEMORY_IMPORT } from "./boundary.js";
import type { ProgramImage } from "./image.js";
import { IMPORTED_FUNCTIONS, moduleTrouble } from "./module-imports.js";

/** The filter lets only this function be optimised; there is none of that number. */
const NO_FUNCTION = 0x7fff_ffff;

/** Those that were looked at. */
const looked = new WeakSet<WebAssembly.Module>();

export function loadModule({ wasm, statistics }: Pick<ProgramImage, "wasm" | "statistics">): WebAssembly.Module {
  const trouble = moduleTrouble(wasm);
  if (trouble !== null) throw foreign(trouble);
  try {
    const module = statistics.functionsTooLarge === 0 ? new WebAssembly.Module(wasm) : neverOptimised(wasm);
    looked.add(module);
    return module;
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) throw foreign(visible(error.message));
    throw error;
  }
}

/** `offered`: the host's functions, by the names of the boundary. Nothing else of it can be reached. */
export function instantiate(
  module: WebAssembly.Module,
  offered: Readonly<Record<string, unknown>>,
  memory: WebAssembly.Memory,
): WebAssembly.Instance {
  if (!looked.has(module)) throw foreign("nobody has looked at what it imports");
  const functions = [...IMPORTED_FUNCTIONS.keys()].map((name) => [name, offered[name]] as const);
  const host = withoutPrototype([...functions, [MEMORY_IMPORT, memory]]);
  return new WebAssembly.Instance(module, withoutPrototype([[IMPORT_MODULE, host]]));
}

function withoutPrototype<T>(entries: readonly (readonly [string, unknown])[]): Record<string, T> {
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, T>);
}

function foreign(why: string): Error {
  return new Error(`what was given as a program's translation is none: ${why}`);
}

function neverOptimised(wasm: Uint8Array): WebAssembly.Module {
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
