// Puts the sections of the WebAssembly module together.

import { placesInTable } from "../ir/pointer-calls.js";
import { EXPORTS, IMPORT_MODULE, MEMORY_IMPORT } from "./boundary.js";
import { ByteWriter } from "./byte-writer.js";
import type { TranslatedFunction } from "./function-draft.js";
import type { Segment } from "./globals.js";
import { STACK_TOP } from "./memory-layout.js";
import type { ModuleBuilder } from "./module-builder.js";
import { GLOBAL_COUNT, GLOBAL_FUEL, GLOBAL_LOWEST_STACK, GLOBAL_STACK_POINTER } from "./module-globals.js";
import { SECTION, VALUE_TYPE, W } from "./wasm.js";

/** Of the memory, which is imported: the VM makes it, and keeps it between runs. */
const MAX_PAGES = 65536;

export interface Assembled {
  readonly wasm: Uint8Array;
  /** Offset in the module where each program function's code begins (after its locals). */
  readonly codeStarts: readonly number[];
}

/** `functions` are the program's in table order; those made by the builder follow. */
export function assemble(
  module: ModuleBuilder,
  functions: readonly TranslatedFunction[],
  startIndex: number,
  segments: readonly Segment[],
): Assembled {
  const out = new ByteWriter(1 << 20);
  out.append(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  const section = (id: number, write: (w: ByteWriter) => void): number => {
    const content = new ByteWriter(4096);
    write(content);
    out.u8(id);
    out.u32(content.length);
    const start = out.length;
    out.append(content.bytes.subarray(0, content.length));
    return start;
  };
  const hosts = module.imports;
  const hostTypes = hosts.map(([, info]) =>
    module.typeIndex({
      params: Array.from({ length: info.params }, () => "i32" as const),
      results: info.result ? ["i32"] : [],
    }),
  );
  const tagType = module.typeIndex({ params: ["i32", "i32"], results: [] });
  const tableSize = module.signatures.functions.length + module.carriers.length;

  section(SECTION.type, (w) => {
    w.u32(module.signatures.entries.length);
    for (const { signature } of module.signatures.entries) {
      w.u8(0x60);
      for (const list of [signature.params, signature.results]) {
        w.u32(list.length);
        for (const type of list) w.u8(VALUE_TYPE[type]);
      }
    }
  });
  section(SECTION.import, (w) => {
    w.u32(hosts.length + 1);
    hosts.forEach(([name], n) => {
      w.name(IMPORT_MODULE);
      w.name(name);
      w.u8(0);
      w.u32(hostTypes[n]);
    });
    w.name(IMPORT_MODULE);
    w.name(MEMORY_IMPORT);
    w.u8(2);
    w.u8(1);
    w.u32(0);
    w.u32(MAX_PAGES);
  });
  section(SECTION.function, (w) => {
    w.u32(functions.length + module.made.length);
    for (const fn of module.signatures.functions) w.u32(typeOf(module, fn));
    for (const made of module.made) w.u32(made.typeIndex);
  });
  writeCompilationHints(section, module, functions);
  section(SECTION.table, (w) => {
    w.u32(1);
    w.u8(0x70);
    w.u8(1);
    w.u32(tableSize);
    w.u32(tableSize);
  });
  section(SECTION.tag, (w) => {
    w.u32(1);
    w.u8(0);
    w.u32(tagType);
  });
  section(SECTION.global, (w) => {
    w.u32(GLOBAL_COUNT);
    for (let n = 0; n < GLOBAL_COUNT; n++) {
      w.u8(VALUE_TYPE.i32);
      w.u8(1);
      w.u8(W.i32_const);
      w.s32(n === GLOBAL_STACK_POINTER || n === GLOBAL_LOWEST_STACK ? STACK_TOP : 0);
      w.u8(W.end);
    }
  });
  section(SECTION.export, (w) => {
    const exported: [string, number, number][] = [
      [EXPORTS.start, 0, startIndex],
      [EXPORTS.table, 1, 0],
      [EXPORTS.fuel, 3, GLOBAL_FUEL],
      [EXPORTS.stackPointer, 3, GLOBAL_STACK_POINTER],
      [EXPORTS.lowestStack, 3, GLOBAL_LOWEST_STACK],
    ];
    w.u32(exported.length);
    for (const [name, kind, index] of exported) {
      w.name(name);
      w.u8(kind);
      w.u32(index);
    }
  });
  section(SECTION.element, (w) => {
    w.u32(1);
    w.u32(0);
    w.u8(W.i32_const);
    w.s32(0);
    w.u8(W.end);
    w.u32(tableSize);
    const { functions: own } = module.signatures;
    const places = module.shadows ? placesInTable(own) : own.keys();
    for (const n of places) w.u32(module.importCount + n);
    for (const carrier of module.carriers) w.u32(carrier.functionIndex);
  });
  writeBranchHints(section, module, functions);
  const starts: number[] = [];
  const codeSection = section(SECTION.code, (w) => {
    w.u32(functions.length + module.made.length);
    for (const { bytes, codeStart } of functions) {
      w.u32(bytes.length);
      starts.push(w.length + codeStart);
      w.append(bytes);
    }
    for (const { body } of module.made) {
      w.u32(body.length);
      w.append(body);
    }
  });
  section(SECTION.data, (w) => {
    w.u32(segments.length);
    for (const { address, bytes } of segments) {
      w.u32(0);
      w.u8(W.i32_const);
      w.s32(address);
      w.u8(W.end);
      w.u32(bytes.length);
      w.append(bytes);
    }
  });
  return { wasm: out.finish(), codeStarts: starts.map((start) => codeSection + start) };
}

function typeOf(module: ModuleBuilder, fn: Parameters<ModuleBuilder["functionIndex"]>[0]): number {
  const index = module.signatures.indexOf(fn) as number;
  const entries = module.signatures.entries;
  let low = 0;
  let high = entries.length - 1;
  // Entries with functions are in table order at the front; later ones have none.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const entry = entries[middle];
    if (entry.tableCount > 0 && entry.firstTableIndex <= index) low = middle;
    else high = middle - 1;
  }
  return entries[low].typeIndex;
}

/** Strategy lazy, and the tiers left to V8. See V8's compilation hints. */
const HINT_LAZY = 1;
/** Strategy lazy, first and top tier optimised. */
const HINT_OPTIMIZE = 1 | (2 << 2) | (2 << 4);
/** Strategy eager, first and top tier not optimised; load-module.ts sees to it that this stays so. */
const HINT_NEVER_OPTIMIZE = 2 | (1 << 2) | (1 << 4);

/**
 * What V8's optimising compiler is not given: its time grows with the square of a function's size. Measured: 0.6 s
 * for 230 KB (the interpreter of sqlite3), 4.6 s for 500 KB.
 */
const TOO_LARGE_BYTES = 300_000;

export function isTooLarge({ bytes }: TranslatedFunction): boolean {
  return bytes.length > TOO_LARGE_BYTES;
}

/** Code that V8 may optimise before it runs. Its optimising compiler takes about a second for 200 KB. */
const OPTIMIZE_BYTES = 40_000;

/** The functions most likely to run long, as far as the budget goes. */
function worthOptimizing(functions: readonly TranslatedFunction[]): ReadonlySet<TranslatedFunction> {
  const candidates = functions.filter((fn) => fn.longRunning > 0);
  candidates.sort((a, b) => compareRanks(b.longRunning, a.longRunning) || a.bytes.length - b.bytes.length);
  const chosen = new Set<TranslatedFunction>();
  let bytes = 0;
  for (const fn of candidates) {
    bytes += fn.bytes.length;
    if (bytes > OPTIMIZE_BYTES) break;
    chosen.add(fn);
  }
  return chosen;
}

/** Infinity minus infinity is not a number. */
function compareRanks(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function writeCompilationHints(
  section: (id: number, write: (w: ByteWriter) => void) => number,
  module: ModuleBuilder,
  functions: readonly TranslatedFunction[],
): void {
  section(SECTION.custom, (w) => {
    w.name("compilationHints");
    w.u32(functions.length + module.made.length);
    const chosen = worthOptimizing(functions);
    for (const fn of functions) {
      w.u8(isTooLarge(fn) ? HINT_NEVER_OPTIMIZE : chosen.has(fn) ? HINT_OPTIMIZE : HINT_LAZY);
    }
    for (const _ of module.made) w.u8(HINT_LAZY);
  });
}

/** The section of the branch hinting proposal; V8 reads it when told to (see vm/machine.ts). */
function writeBranchHints(
  section: (id: number, write: (w: ByteWriter) => void) => number,
  module: ModuleBuilder,
  functions: readonly TranslatedFunction[],
): void {
  section(SECTION.custom, (w) => {
    w.name("metadata.code.branch_hint");
    const hinted = functions.map((fn, n) => ({ fn, n })).filter(({ fn }) => fn.hints.length > 0);
    w.u32(hinted.length);
    for (const { fn, n } of hinted) {
      w.u32(module.importCount + n);
      w.u32(fn.hints.length);
      for (const { offset, likely } of fn.hints) {
        // Offsets count from the beginning of the function's body, its locals included.
        w.u32(fn.codeStart + offset);
        w.u32(1);
        w.u32(likely ? 1 : 0);
      }
    }
  });
}
