// From the texts of a program's modules to one linked program, with as much of libc as it reaches. Translation starts here, and
// so does every analysis of the whole program.

import type { CapturedModule } from "../frontend/capture-text.js";
import { isGlibcModule } from "../frontend/glibc-names.js";
import type { CompileProgress, Libc } from "../frontend/libc.js";
import { DataLayout, X86_64_LAYOUT } from "../ir/data-layout.js";
import { type LinkedProgram, linkProgram } from "../ir/link.js";
import type { Module } from "../ir/module.js";
import { intrinsicNeeds } from "../ir/passes/math-intrinsics.js";
import { withPointerCalls } from "../ir/pointer-calls.js";
import { parseModule } from "../ir/text/parse-module.js";
import { isProvided, RUNTIME_ROOTS, UNIT_ROOTS } from "../jit/compile.js";
import { type AbsentCode, absenceReasons } from "./absent-code.js";
import { type NumberSlots, withNumberSlots } from "./number-slots.js";
import type { LoadOptions } from "./warm.js";

export interface LinkedModules {
  readonly kind: "linked";
  readonly program: LinkedProgram;
  readonly layout: DataLayout;
  /** Numbers of the program's tests that can be input; null if it is no test. */
  readonly numbers: NumberSlots | null;
  /** When everything was read, by performance.now(). */
  readonly loadedAt: number;
}

/** Throws IrError for malformed IR. */
export async function linkModules(
  captured: readonly CapturedModule[],
  libc: Libc,
  options: Pick<LoadOptions, "compile" | "onProgress">,
  absent: AbsentCode = { uncaptured: [], foreign: [], natives: [] },
): Promise<LinkedModules | { readonly kind: "failed"; readonly message: string }> {
  const modules = captured.map(({ name, text, library, wrapped = [] }) => {
    const module = parseModule(text, { name, origin: "program", library: library ?? null });
    useWrappedNames(module, wrapped);
    return module;
  });
  if (captured.some(({ text }) => isGlibcModule(text))) useGlibcNames(modules, libc.glibcName);
  const wanted = undefinedNames(modules);
  const isHarness = definesFuzzerEntry(modules);
  if (isHarness) wanted.add("main");
  // Where a run may start at any function, all that can be named are kept, whether main reaches them or not.
  const roots = options.compile.hooks ? [...RUNTIME_ROOTS, ...UNIT_ROOTS, ...definedFunctions(modules)] : RUNTIME_ROOTS;
  const prepared = await libc.prepare([...wanted, ...roots], ({ done, total }: CompileProgress) =>
    options.onProgress?.({ stage: "libc", done, total }),
  );
  if (prepared.kind === "failed") return prepared;
  const loadedAt = performance.now();
  const layout = new DataLayout(X86_64_LAYOUT);
  const linked = linkProgram(modules, {
    libc: (symbol) => (symbol === "main" && !isHarness ? null : libc.module(symbol)),
    roots,
    intrinsicNeeds,
    provided: isProvided,
    whyAbsent: absenceReasons(absent),
    layout,
  });
  return { kind: "linked", ...withNumberSlots(withPointerCalls(linked), layout), layout, loadedAt };
}

/** A libFuzzer harness gets the main of runtime/symbolic/fuzzer-main.c, if it has none of its own. */
function definesFuzzerEntry(modules: readonly Module[]): boolean {
  return modules.some(({ globals }) => globals.get("LLVMFuzzerTestOneInput")?.isDeclaration === false);
}

function definedFunctions(modules: readonly Module[]): string[] {
  return modules.flatMap(({ globals }) =>
    [...globals.values()].flatMap((value) =>
      value.kind === "function" && !value.isDeclaration && value.linkage !== "internal" ? [value.name] : [],
    ),
  );
}

/** As a linker does for `--wrap`: what a module uses and does not define itself is another's. */
function useWrappedNames({ globals }: Module, wrapped: readonly string[]): void {
  if (wrapped.length === 0) return;
  const others = new Map(
    wrapped.flatMap((name) => [[name, `__wrap_${name}`] as const, [`__real_${name}`, name] as const]),
  );
  for (const value of globals.values()) {
    const other = value.isDeclaration ? others.get(value.name) : undefined;
    if (other !== undefined) (value as { name: string }).name = other;
  }
}

/**
 * Names that the modules declare and none of them defines become those under which our libc has what glibc has there.
 * Only these modules' references change: inside libc every name stays what it is.
 */
function useGlibcNames(modules: readonly Module[], glibcName: (symbol: string) => string): void {
  const shared = new Set<string>();
  const kept = new Map<unknown, Set<string>>();
  for (const module of modules) {
    const library = libraryOf(module);
    for (const { isDeclaration, linkage, name } of module.globals.values()) {
      if (isDeclaration || linkage === "internal" || linkage === "available_externally") continue;
      if (library === null || library.exports.has(name)) shared.add(name);
      else kept.set(library, (kept.get(library) ?? new Set()).add(name));
    }
  }
  for (const module of modules) {
    const own = kept.get(libraryOf(module));
    for (const value of module.globals.values()) {
      if (!value.isDeclaration || shared.has(value.name) || own?.has(value.name)) continue;
      (value as { name: string }).name = glibcName(value.name);
    }
  }
}

/** What a shared library does not export is its own, and stands for nobody else's name. */
function libraryOf(module: Module): { readonly exports: ReadonlySet<string> } | null {
  return (module as { readonly library?: { readonly exports: ReadonlySet<string> } | null }).library ?? null;
}

/** Names that the program's modules mention and do not define; a superset of what it needs. */
function undefinedNames(modules: readonly Module[]): Set<string> {
  const names = new Set<string>();
  for (const module of modules) {
    for (const value of module.globals.values()) {
      if (value.isDeclaration) for (const name of [value.name, ...intrinsicNeeds(value.name)]) names.add(name);
    }
  }
  for (const module of modules) {
    for (const value of module.globals.values()) {
      if (!value.isDeclaration && value.linkage !== "internal") names.delete(value.name);
    }
  }
  return names;
}
