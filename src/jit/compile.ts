// From a linked program to its image: every reachable function is optimised, translated and put into one WebAssembly
// module. One module for all, because calls within a module are several times cheaper than calls between modules, and
// V8 compiles its functions lazily by itself.

import { calledFunction, callGraph } from "../ir/analysis/call-graph.js";
import type { DataLayout } from "../ir/data-layout.js";
import { type DebugLoc, NameOnly } from "../ir/debug-info.js";
import type { LinkedProgram } from "../ir/link.js";
import { IrError, type IrFunction } from "../ir/module.js";
import { lowerType } from "../ir/passes/lower.js";
import { splitEdges } from "../ir/passes/split-edges.js";
import { Optimizer } from "../ir/pipeline.js";
import type { Type } from "../ir/types.js";
import type { Block, Instruction } from "../ir/values.js";
import { calledName } from "../support/library-names.js";
import { assemble, isTooLarge } from "./assemble.js";
import { HOST_FUNCTIONS, JIT_FUNCTIONS } from "./boundary.js";
import { constantValue } from "./constant-value.js";
import type { FunctionDraft, TranslatedFunction } from "./function-draft.js";
import { FunctionKeys } from "./function-keys.js";
import {
  type FilledTemplate,
  type FunctionPlace,
  fillTemplate,
  TemplateStore,
  templateOf,
} from "./function-templates.js";
import { initialSegments, type Rooms } from "./globals.js";
import type { CoverageBlock, FrameInfo, FunctionInfo, FunctionShape, ProgramImage } from "./image.js";
import { joinBranches } from "./join-branches.js";
import { LineTable, pathOf } from "./line-table.js";
import { COVERAGE_BASE, COVERAGE_LIMIT } from "./memory-layout.js";
import { ModuleBuilder } from "./module-builder.js";
import { observedPlaces } from "./observed.js";
import type { CompileOptions } from "./options.js";
import { Places } from "./settled-place.js";
import { addShadows } from "./shadow-pass.js";
import { partsOf, ShapeError } from "./shape.js";
import { SYMBOLIC_FUNCTIONS } from "./symbolic-boundary.js";
import { translateFunction, unsupportedFunction } from "./translate-function.js";

/** What generated code calls by name, so it must be linked whether the program mentions it or not. */
export const RUNTIME_ROOTS: readonly string[] = [
  "__tangent_start",
  "__tangent_check_read",
  "__tangent_check_write",
  "__tangent_check_read_of",
  "__tangent_check_write_of",
  "__tangent_memcpy",
  "__tangent_memmove",
  "__tangent_memset",
  "__tangent_symbolic_read",
  "__tangent_symbolic_write",
  "__tangent_symbolic_read_of",
  "__tangent_symbolic_write_of",
  "__tangent_symbolic_peek",
  "__tangent_state_allow",
  "__tangent_state_forbid",
  "__tangent_udiv128",
  "__tangent_urem128",
  "__tangent_sdiv128",
  "__tangent_srem128",
  "__tangent_u128_to_double",
  "__tangent_i128_to_double",
  "__tangent_double_to_u128",
  "__tangent_double_to_i128",
  // What `frem` means.
  "fmod",
  "fmodf",
  ...["add", "sub", "mul", "div", "rem", "sqrt", "compare", "from_double", "to_double", "to_float"].map(f80),
  ...["from_i64", "from_u64", "to_i64", "to_u64"].map(f80),
];
/** What runs that start at any function call themselves: objects for pointers to lead to are ordinary blocks. */
export const UNIT_ROOTS: readonly string[] = ["malloc"];
function f80(operation: string): string {
  return `__tangent_f80_${operation}`;
}

const SETJMP_FAMILY = /^(_|__sig|sig)?(setjmp|longjmp)$/;
const PROVIDED: ReadonlySet<string> = new Set<string>([
  ...Object.values({ ...HOST_FUNCTIONS, ...SYMBOLIC_FUNCTIONS }).flatMap(({ symbol }) =>
    symbol === null ? [] : [symbol],
  ),
  ...JIT_FUNCTIONS,
  "__tangent_run_constructors",
  "__tangent_run_destructors",
]);
/** Symbols that need no definition, because the host or the translation provides them. */
export function isProvided(symbol: string): boolean {
  return PROVIDED.has(symbol) || SETJMP_FAMILY.test(symbol);
}

/** Fuel a call of a recursive function costs. */
const ENTRY_COST = 8;

const NONE: ReadonlySet<Instruction> = new Set();

/** What this thread has translated for other programs. */
export const TEMPLATES = new TemplateStore();

/** `templates`: where functions come from that were translated before, and go to; null: all are translated now. */
export function compileProgram(
  program: LinkedProgram,
  layout: DataLayout,
  options: CompileOptions,
  templates: TemplateStore | null = TEMPLATES,
  rooms?: Rooms,
): ProgramImage {
  const { shadows, sensitive, observed, definedness, pointerPairs } = options;
  const isObserved = observed || pointerPairs;
  const module = new ModuleBuilder(program, layout, shadows, sensitive, isObserved, definedness, rooms);
  const runtime = (name: string): IrFunction | null => {
    const found = program.lookup(name);
    const fn = found === null ? null : module.resolveFunction(found);
    lookups.set(name, fn);
    return fn;
  };
  let lookups = new Map<string, IrFunction | null>();
  const optimizer = new Optimizer(program, options, layout, runtime);
  const recursive = recursiveFunctions(program);
  const frames: FrameInfo[] = [];
  const coverage: CoverageBlock[] = [];
  const coverageLocs: (readonly DebugLoc[])[] = [];
  const translated = new Map<IrFunction, TranslatedFunction>();
  const places = new Places(program);
  const keys = templates === null || !hasTemplates(options) ? null : keysOf();
  for (const fn of optimizer.order) {
    translated.set(fn, reused(fn) ?? translateAndKeep(fn));
  }
  const start = runtime("__tangent_start");
  if (start === null) throw new Error("the runtime has no __tangent_start");

  function coverageBlock(block: Block, functionIndex: number, base: number): CoverageBlock {
    const calls = new Set<number>();
    let instructions = 0;
    for (const i of block.instructions) {
      if (i.op !== "check") instructions++;
      const callee = i.op === "call" ? calledFunction(i.operands[0]) : null;
      const index = callee === null ? undefined : module.signatures.indexOf(callee);
      if (index !== undefined) calls.add(index);
    }
    const successors = block.terminator.blocks.map((to) => base + to.index);
    return { functionIndex, locations: [], instructions, successors, calls: [...calls], choices: [] };
  }

  /** The sides of conditional values are counted behind the function's blocks, as blocks without instructions. */
  function choiceIn(block: Block, blocks: ReadonlyMap<Block, number>): number | null {
    const number = coverage.length;
    if (COVERAGE_BASE + number + 2 >= COVERAGE_LIMIT) return null;
    const place = blocks.get(block) as number;
    const holder = coverage[place];
    const side = { ...holder, instructions: 0, calls: [], choices: [] };
    coverage.push(side, side);
    coverageLocs.push([], []);
    coverage[place] = { ...holder, choices: [...holder.choices, number, number + 1] };
    return number;
  }

  function keysOf(): FunctionKeys {
    const settings = JSON.stringify(options);
    return new FunctionKeys(program, optimizer.graph, (fn) => `${settings} ${recursive.has(fn)}`);
  }

  function placeOf(fn: IrFunction): FunctionPlace {
    const functionIndex = module.signatures.indexOf(fn) as number;
    return { functionIndex, sites: module.sites.count, frames: frames.length, coverage: coverage.length };
  }

  /** The function as it was translated for another program; null if it never was. */
  function reused(fn: IrFunction): TranslatedFunction | null {
    const key = keys?.of(fn) ?? null;
    const template = key === null ? null : (templates?.get(key) ?? null);
    if (keys === null || template === null) return null;
    if (COVERAGE_BASE + coverage.length + (template.coverage?.length ?? 0) + 2 >= COVERAGE_LIMIT) return null;
    for (const [name, id] of template.lookups) {
      const found = runtime(name);
      if (found === null || keys.idOf(found) !== id) return null;
    }
    let filled: FilledTemplate;
    try {
      filled = fillTemplate(template, placeOf(fn), module, keys);
    } catch (error) {
      // It is translated anew, and fails in the same place.
      if (error instanceof ShapeError) return null;
      throw error;
    }
    for (const site of filled.sites) module.sites.add(site);
    if (filled.frame !== null) frames.push(filled.frame);
    if (filled.coverage !== null) {
      coverage.push(...filled.coverage);
      coverageLocs.push(...filled.coverageLocs);
    }
    optimizer.leaveOut(fn, filled.isCandidate);
    optimizer.count(filled.counts);
    module.statistics.checks += filled.checks;
    return filled.translated;
  }

  function translateAndKeep(fn: IrFunction): TranslatedFunction {
    const key = keys?.of(fn) ?? null;
    if (keys === null || templates === null || key === null) return translateOne(fn, null);
    lookups = new Map();
    const place = placeOf(fn);
    const counted = { ...optimizer.statistics };
    const { checks } = module.statistics;
    const { labelsAsked } = module;
    const made: { draft: FunctionDraft | null } = { draft: null };
    const result = translateOne(fn, (draft) => {
      made.draft = draft;
    });
    const isCounted = coverage.length > place.coverage;
    const isWhole = module.labelsAsked === labelsAsked && isCounted === (options.coverage && isProgram(fn));
    if (made.draft === null || !isWhole || !areFixed(fn, lookups)) return result;
    const parts = {
      sites: module.sites.since(place.sites),
      frame: frames[place.frames] ?? null,
      coverage: isCounted ? coverage.slice(place.coverage) : null,
      coverageLocs: coverageLocs.slice(place.coverage),
      counts: optimizer.countedSince(counted),
      checks: module.statistics.checks - checks,
      isCandidate: optimizer.isCandidate(fn),
      lookups: new Map([...lookups].map(([name, found]) => [name, keys.idOf(found as IrFunction)])),
    };
    const template = templateOf(made.draft, parts, place, module, keys, places);
    if (template !== null) templates.put(key, template);
    return result;
  }

  function translateOne(fn: IrFunction, keep: ((draft: FunctionDraft) => void) | null): TranslatedFunction {
    let body: ReturnType<Optimizer["body"]>;
    try {
      body = optimizer.body(fn);
    } catch (error) {
      if (error instanceof IrError || error instanceof ShapeError)
        return unsupportedFunction(module, fn.name, error.message);
      throw error;
    }
    let counted: ReadonlyMap<Block, number> | null = null;
    if (options.coverage && options.shadows && fn.module.origin === "program") splitEdges(body);
    if (options.coverage && fn.module.origin === "program") {
      const base = coverage.length;
      if (COVERAGE_BASE + base + body.blocks.length < COVERAGE_LIMIT) {
        // Blocks are counted as they are now: what comes after takes some out and splits others.
        counted = new Map(body.blocks.map((block) => [block, base + block.index]));
        const functionIndex = module.signatures.indexOf(fn) as number;
        for (const block of body.blocks) {
          coverage.push(coverageBlock(block, functionIndex, base));
          const locs = [...block.vanished, ...block.instructions.map(({ loc }) => loc)];
          coverageLocs.push(locs.flatMap((loc) => (loc === null || loc.debug instanceof NameOnly ? [] : [loc])));
        }
      }
    }
    if (options.observed && fn.module.origin !== "trusted") {
      for (const i of observedPlaces(body)) module.places.set(i, module.places.size);
    }
    if (options.shadows && fn.module.origin !== "trusted") {
      try {
        const blocks = counted;
        // The sides of a joined branch have the numbers of their blocks.
        const joined = options.joins ? joinBranches(body, blocks) : NONE;
        const choice = (block: Block, select: Instruction): number | null =>
          blocks === null || joined.has(select) ? null : choiceIn(block, blocks);
        addShadows(module, fn, body, blocks === null ? null : { blocks, choice });
      } catch (error) {
        if (error instanceof ShapeError) return unsupportedFunction(module, fn.name, error.message);
        throw error;
      }
    }
    return translateFunction(module, fn, body, {
      coverage: counted,
      entryCost: recursive.has(fn) && fn.module.origin !== "trusted" ? ENTRY_COST : 0,
      hooked: options.hooks && options.shadows && fn.module.origin !== "trusted",
      tellsPairs: pointerPairs && fn.module.origin === "program",
      addFrame: (frame) => frames.push(frame) - 1,
      keep,
    });
  }

  const ordered = module.signatures.functions.map((fn) => translated.get(fn) as TranslatedFunction);
  const segments = initialSegments(program.variables, module.globals, layout, (constant) =>
    constantValue(constant, module),
  );
  const { wasm, codeStarts } = assemble(module, ordered, module.functionIndex(start), segments);
  const lines = new LineTable((loc) => places.originOf(loc));
  ordered.forEach((fn, n) => {
    // V8 places a stack overflow at the very beginning of the function, before its locals.
    if (fn.marks.length > 0) lines.add(codeStarts[n] - fn.codeStart, fn.marks[0].loc);
    else lines.addUnknown(codeStarts[n] - fn.codeStart);
    for (const { offset, loc } of fn.marks) lines.add(codeStarts[n] + offset, loc);
  });
  const last = ordered[ordered.length - 1];
  lines.addUnknown(codeStarts[ordered.length - 1] - last.codeStart + last.bytes.length);
  const carriersFrom = module.signatures.functions.length;
  return {
    wasm,
    importCount: module.importCount,
    functions: [
      ...module.signatures.functions.map((fn) => functionInfo(fn)),
      ...module.made.map(({ name }): FunctionInfo => ({ name, origin: "trusted", file: null, line: 0 })),
    ],
    ...lines.finish(),
    globals: module.globals.infos,
    frames,
    coverage: coverage.map((block, n) => ({
      ...block,
      locations: [...new Set(coverageLocs[n].map((loc) => lines.indexOf(loc)).filter((index) => index >= 0))],
    })),
    locations: lines.locations,
    accessBases: ordered.flatMap(({ bases }, n) =>
      bases.flatMap(({ start, end, read, write }) => [codeStarts[n] + start, codeStarts[n] + end, read, write]),
    ),
    unsupported: module.unsupportedList,
    sites: module.sites.finish(lines),
    unsetValues: module.unsetValues.entries,
    mismatchSites: module.carriers.map(({ signature }) => signature),
    tableSignatures: [
      ...module.signatures.entries.flatMap((entry) => Array.from({ length: entry.tableCount }, () => entry.signature)),
      ...module.carriers.map(({ signature }) => signature),
    ],
    tableFunctions: [
      ...module.signatures.functions.map((_, n) => n),
      ...module.carriers.map(({ functionIndex }) => functionIndex - module.importCount),
    ],
    shapes: options.hooks ? module.signatures.functions.map((fn) => shapeOf(fn, layout)) : [],
    programGlobals: options.hooks
      ? program.variables.flatMap((variable, n) => (variable.module.origin === "program" ? [n] : []))
      : [],
    globalsEnd: module.globals.end,
    statistics: {
      irInstructions: optimizer.statistics.instructions,
      functionsTranslated: carriersFrom,
      functionsTooLarge: ordered.filter(isTooLarge).length,
      checks: module.statistics.checks,
      checksRemoved: optimizer.statistics.checksRemoved,
    },
  };
}

/** Only what explores: checks that are thinned out learn from the bodies of callees, and hooks and places are numbered by the program. */
function hasTemplates({ shadows, hooks, observed, pointerPairs, definedness }: CompileOptions): boolean {
  return shadows && !hooks && !observed && !pointerPairs && !definedness;
}

function isProgram(fn: IrFunction): boolean {
  return fn.module.origin === "program";
}

/** Would the functions that were asked for by name be treated the same everywhere? Others may be inlined, by chance of the order. */
function areFixed(fn: IrFunction, lookups: ReadonlyMap<string, IrFunction | null>): boolean {
  if (lookups.size === 0) return true;
  return fn.module.origin !== "trusted" && [...lookups.values()].every((found) => found?.module.origin === "trusted");
}

/** Functions that may be called again before they return: a budget must reach them even without a loop. */
function recursiveFunctions(program: LinkedProgram): ReadonlySet<IrFunction> {
  const { component } = callGraph(program.functions, program.references);
  const members = new Map<number, number>();
  for (const number of component.values()) members.set(number, (members.get(number) ?? 0) + 1);
  const recursive = new Set<IrFunction>();
  for (const [fn, number] of component) {
    const callsItself = (program.references.get(fn) ?? []).some((value) => value.resolved === fn);
    if (callsItself || (members.get(number) as number) > 1) recursive.add(fn);
  }
  return recursive;
}

function shapeOf({ type, params }: IrFunction, layout: DataLayout): FunctionShape {
  const bitsOf = (part: Type): readonly number[] => partsOf(lowerType(part)).map(({ bits }) => bits);
  return {
    parameters: type.params.map((param, n) => {
      const copied = params[n]?.byval ?? null;
      const copiedBytes = copied === null ? 0 : layout.sizeOf(copied);
      return { bits: bitsOf(param), pointer: param.kind === "ptr", copiedBytes };
    }),
    result: bitsOf(type.result),
    variadic: type.variadic,
  };
}

function functionInfo(fn: IrFunction): FunctionInfo {
  const where = fn.debugId >= 0 ? fn.module.debug.subprogram(fn.debugId) : null;
  return {
    name: calledName(fn.name),
    origin: fn.module.origin,
    file: where === null ? null : pathOf(where),
    line: where?.line ?? 0,
  };
}
