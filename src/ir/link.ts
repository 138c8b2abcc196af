// Linking without copying: symbols are resolved over all modules by setting each GlobalValue's `resolved`, starting
// from the program's entry points and following references, so that only what can be reached is looked at, and a libc
// module is asked for only when something reachable needs one of its symbols, as an archive's members are.
//
// A later module may define strongly what an earlier one defined weakly (musl's stdio hooks work that way), so the first
// walk only finds the modules and what might be reached; `resolved` and the reachable lists come from a second walk.
// Invariant: everything the second walk reaches, the first one has reached, so it never needs a new module.
//
// Shared libraries keep ELF's rules: what a library exports stands for its name unless the program or a library before it
// defines that name; what it does not export is its own, whoever else uses the name (a key with the library's number).

import { absentFunction } from "./absent-function.js";
import { collectConstant, referencesOfFunction, referencesOfVariable } from "./analysis/references.js";
import type { DataLayout } from "./data-layout.js";
import { jumpPointer } from "./jump-pointer.js";
import {
  type Alias,
  type GlobalDefinition,
  type GlobalValue,
  type GlobalVariable,
  IrError,
  type IrFunction,
  type Module,
  type SharedLibrary,
} from "./module.js";
import type { Constant } from "./values.js";

export interface LinkOptions {
  /** The module of the C library that defines a symbol, or null. Asked once for each symbol. */
  readonly libc: (symbol: string) => Module | null;
  /** Names that are reachable from the start: `__tangent_start`, `main`, what generated code calls. */
  readonly roots: readonly string[];
  /** Symbols that generated code needs when an intrinsic (`llvm.pow.f64`) is mentioned. */
  readonly intrinsicNeeds?: (intrinsic: string) => readonly string[];
  /** Symbols that generated code needs when a function computes with x86_fp80 (`FLOAT80_FUNCTIONS`). */
  readonly float80Needs?: readonly string[];
  /** Symbols that need no definition because the host or the JIT provides them. */
  readonly provided?: (symbol: string) => boolean;
  /** Why a function is defined nowhere, for the message of a call; null or not given: that is not known. */
  readonly whyAbsent?: (symbol: string) => string | null;
  readonly layout: DataLayout;
}

/** An entry of llvm.global_ctors or llvm.global_dtors. */
export interface StructorEntry {
  readonly priority: number;
  readonly target: IrFunction;
}
export interface UndefinedSymbol {
  readonly name: string;
  /** Names of the definitions that mention it. */
  readonly referencedBy: readonly string[];
}
export interface LinkedProgram {
  /** Those given, then those the C library added. */
  readonly modules: readonly Module[];
  /** Definitions that can be reached; their parsed bodies mention no other. */
  readonly functions: readonly IrFunction[];
  /** The thread-local ones are the last. */
  readonly variables: readonly GlobalVariable[];
  /** What each of `functions` mentions (own module's values; follow `resolved`). */
  readonly references: ReadonlyMap<IrFunction, readonly GlobalValue[]>;
  /** In the order to run. */
  readonly constructors: readonly StructorEntry[];
  /** In the order to run: the reverse of that of constructors. */
  readonly destructors: readonly StructorEntry[];
  readonly undefinedSymbols: readonly UndefinedSymbol[];
  readonly warnings: readonly string[];
  /** The definition that a name stands for, if it is reachable. */
  lookup(name: string): GlobalDefinition | null;
}

export function linkProgram(modules: readonly Module[], options: LinkOptions): LinkedProgram {
  return new Linker(options).link(modules);
}

/** How strongly a definition claims its name: the highest wins, the first among equals. */
function strength(value: GlobalValue): number {
  const base = value.module.origin === "program" ? 8 : 0;
  switch (value.linkage) {
    case "external":
    case "appending":
      return base + 4;
    case "common":
      return base + 3;
    case "weak":
    case "linkonce":
      return base + 2;
    case "available_externally":
      return 1;
    case "internal":
    case "extern_weak":
      return 0;
  }
}

class Linker {
  private readonly modules: Module[] = [];
  private readonly symbols = new Map<string, GlobalDefinition>();
  private readonly asked = new Set<string>();
  private readonly warnings: string[] = [];
  private readonly references = new Map<GlobalDefinition, readonly GlobalValue[]>();
  /** Names looked up in the first walk: a definition that comes later for one of them must be walked too. */
  private readonly wanted = new Set<string>();
  private readonly seen = new Set<GlobalDefinition>();
  private readonly work: GlobalDefinition[] = [];
  private usesFloat80 = false;
  /** Names that a library defines and keeps to itself. */
  private readonly ownNames = new Map<SharedLibrary, ReadonlySet<string>>();
  private readonly stubs = new Map<string, IrFunction>();
  private readonly jumps = new Map<string, IrFunction | null>();

  constructor(readonly options: LinkOptions) {}

  link(modules: readonly Module[]): LinkedProgram {
    this.ownNamesOf(modules);
    for (const module of modules) this.addModule(module);
    for (const root of this.options.roots) this.wantName(root, true);
    this.findModules();
    return this.settle();
  }

  // ------------------------------------------------------------ first walk: which modules, which definitions

  private ownNamesOf(modules: readonly Module[]): void {
    for (const { library, globals } of modules) {
      if (library == null) continue;
      const names = new Set(this.ownNames.get(library));
      for (const value of globals.values()) {
        if (isShared(value) && !library.exports.has(value.name)) names.add(value.name);
      }
      this.ownNames.set(library, names);
    }
  }

  /** Under which key of `symbols` a name stands in a module. */
  private keyOf({ name, module: { library } }: GlobalValue): string {
    if (library == null || this.ownNames.get(library)?.has(name) !== true) return name;
    return `${name}\0${library.name}`;
  }

  private addModule(module: Module): void {
    this.modules.push(module);
    for (const value of module.globals.values()) {
      if (isShared(value)) this.define(value);
    }
    for (const table of ["llvm.global_ctors", "llvm.global_dtors"]) {
      for (const entry of structors(module.globals.get(table))) this.want(entry.target);
    }
  }

  private define(value: GlobalDefinition): void {
    const key = this.keyOf(value);
    const old = this.symbols.get(key);
    if (old !== undefined && old.module.library !== value.module.library && isSettled(old, value)) return;
    if (old !== undefined) {
      const before = strength(old);
      const now = strength(value);
      const larger = now === before && value.linkage === "common" && this.sizeOf(value) > this.sizeOf(old);
      if (now === before && value.linkage === "external" && value.module.origin === "program") {
        this.warnings.push(
          `${value.name} is defined in ${old.module.name} and again in ${value.module.name}; the first one is used`,
        );
      }
      if (now <= before && !larger) return;
    }
    this.symbols.set(key, value);
    if (this.wanted.has(key)) this.enqueue(value);
  }

  private sizeOf(value: GlobalDefinition): number {
    return value.kind === "variable" ? this.options.layout.sizeOf(value.valueType) : 0;
  }

  private enqueue(definition: GlobalDefinition): void {
    if (this.seen.has(definition)) return;
    this.seen.add(definition);
    this.work.push(definition);
  }

  private want(value: GlobalValue): void {
    if (value.linkage === "internal") this.enqueue(value);
    else if (value.name.startsWith("llvm.")) {
      for (const name of this.options.intrinsicNeeds?.(value.name) ?? []) this.wantName(name, true);
    } else this.wantName(this.keyOf(value), value.linkage !== "extern_weak");
  }

  /** A weak reference (`strong` false) takes a definition that is there but adds no module. */
  private wantName(name: string, strong: boolean): void {
    this.wanted.add(name);
    let found = this.symbols.get(name);
    if (strong && (found === undefined || found.linkage === "available_externally") && !this.asked.has(name)) {
      this.asked.add(name);
      const module = this.options.provided?.(name) === true ? null : this.options.libc(name);
      if (module !== null && !this.modules.includes(module)) this.addModule(module);
      found = this.symbols.get(name);
    }
    if (found !== undefined) this.enqueue(found);
  }

  private findModules(): void {
    for (let at = this.work.pop(); at !== undefined; at = this.work.pop()) {
      for (const reference of this.referencesOf(at)) this.want(reference);
      if (!this.usesFloat80 && at.kind === "function" && at.mentionsFloat80?.() === true) {
        this.usesFloat80 = true;
        for (const name of this.options.float80Needs ?? []) this.wantName(name, true);
      }
    }
  }

  private referencesOf(definition: GlobalDefinition): readonly GlobalValue[] {
    let found = this.references.get(definition);
    if (found === undefined) {
      if (definition.kind === "function") found = referencesOfFunction(definition);
      else if (definition.kind === "variable") found = referencesOfVariable(definition);
      else {
        // An alias binds to its own module's definition, whatever that one's name stands for in the program.
        const target = aliasTarget(definition);
        found = target === definition ? mentioned(definition.aliasee()) : this.referencesOf(target);
      }
      this.references.set(definition, found);
    }
    return found;
  }

  // ------------------------------------------------------------ second walk: what is reachable in the end

  private settle(): LinkedProgram {
    const functions: IrFunction[] = [];
    const variables: GlobalVariable[] = [];
    const references = new Map<IrFunction, readonly GlobalValue[]>();
    const undefinedBy = new Map<string, Set<string>>();
    const seen = new Set<GlobalDefinition>();
    const work: GlobalDefinition[] = [];
    const reach = (definition: GlobalDefinition | null): void => {
      if (definition === null || seen.has(definition)) return;
      seen.add(definition);
      work.push(definition);
    };
    const visit = (value: GlobalValue, by: string): void => {
      value.resolved = this.resolve(value);
      reach(value.resolved);
      if (value.name.startsWith("llvm.")) {
        for (const name of this.options.intrinsicNeeds?.(value.name) ?? []) reach(this.definitionOf(name));
      } else if (value.resolved === null && value.linkage !== "extern_weak") {
        if (this.options.provided?.(value.name) === true) {
          if (value.kind !== "function" || value.module.name === "jump") return;
          value.resolved = this.jumpTo(value.name);
          return reach(value.resolved);
        }
        if (value.kind === "function") {
          value.resolved = this.stubFor(value);
          reach(value.resolved);
        }
        const users = undefinedBy.get(value.name);
        if (users === undefined) undefinedBy.set(value.name, new Set([by]));
        else users.add(by);
      }
    };

    const constructors: StructorEntry[] = [];
    const destructors: StructorEntry[] = [];
    for (const unit of this.unitsToStart()) {
      const own = { constructors: [] as StructorEntry[], destructors: [] as StructorEntry[] };
      for (const module of unit) {
        collectStructors(module.globals.get("llvm.global_ctors"), own.constructors, visit);
        collectStructors(module.globals.get("llvm.global_dtors"), own.destructors, visit);
      }
      constructors.push(...own.constructors.sort((a, b) => a.priority - b.priority));
      destructors.push(...own.destructors.sort((a, b) => a.priority - b.priority));
    }
    for (const root of this.options.roots) reach(this.definitionOf(root));
    if (this.usesFloat80) for (const name of this.options.float80Needs ?? []) reach(this.definitionOf(name));

    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      // Its own address may be taken under its own name (an alias's target, a root).
      at.resolved = this.resolve(at);
      const mentions = this.referencesOf(at);
      if (at.kind === "function") {
        functions.push(at);
        references.set(at, mentions);
      } else if (at.kind === "variable") variables.push(at);
      for (const value of mentions) visit(value, at.name);
    }
    return {
      modules: this.modules,
      functions,
      variables: [...variables.filter((v) => !v.threadLocal), ...variables.filter((v) => v.threadLocal)],
      references,
      constructors,
      destructors: destructors.reverse(),
      undefinedSymbols: [...undefinedBy].map(([name, users]) => ({ name, referencedBy: [...users] })),
      warnings: this.warnings,
      lookup: (name) => {
        const definition = this.definitionOf(name);
        return definition !== null && seen.has(definition) ? definition : null;
      },
    };
  }

  /** The libraries, the last needed first, then the program with its libc. */
  private unitsToStart(): Module[][] {
    const libraries = new Map<SharedLibrary, Module[]>();
    const program: Module[] = [];
    for (const module of this.modules) {
      const unit = module.library == null ? program : (libraries.get(module.library) ?? []);
      unit.push(module);
      if (module.library != null) libraries.set(module.library, unit);
    }
    return [...[...libraries.values()].reverse(), program];
  }

  private resolve(value: GlobalValue): GlobalDefinition | null {
    if (value.linkage === "internal" && !value.isDeclaration) return aliasTarget(value);
    if (value.name.startsWith("llvm.")) return null;
    return this.definitionOf(this.keyOf(value));
  }

  private jumpTo(name: string): IrFunction | null {
    const known = this.jumps.get(name);
    if (known !== undefined) return known;
    const made = jumpPointer(name);
    this.jumps.set(name, made);
    return made;
  }

  /** Has an address, as natively; calling it ends the run. */
  private stubFor(declared: IrFunction): IrFunction {
    let stub = this.stubs.get(declared.name);
    if (stub === undefined) {
      stub = absentFunction(declared, this.options.whyAbsent?.(declared.name) ?? null);
      this.stubs.set(declared.name, stub);
    }
    return stub;
  }

  private definitionOf(name: string): GlobalDefinition | null {
    const definition = this.symbols.get(name);
    return definition === undefined ? null : aliasTarget(definition);
  }
}

/** Does it define a name that other modules can mean? */
function isShared(value: GlobalValue): value is GlobalDefinition {
  return !value.isDeclaration && value.linkage !== "internal" && !isReserved(value.name);
}

/** Of definitions in different libraries the earlier one stands, weak or not. */
function isSettled(old: GlobalDefinition, now: GlobalDefinition): boolean {
  return old.module.origin === "program" && now.module.origin === "program" && old.linkage !== "available_externally";
}

/** `llvm.used` and its like are lists for a compiler, not symbols. */
function isReserved(name: string): boolean {
  return name.startsWith("llvm.");
}

/** What an alias names in the end: a definition of its own module, or the last alias if that names part of something. */
function aliasTarget(definition: GlobalDefinition): GlobalDefinition {
  let at: GlobalDefinition = definition;
  const passed = new Set<Alias>();
  while (at.kind === "alias" && !at.ifunc) {
    if (passed.has(at)) throw new IrError(at.module.name, 0, `the alias ${at.name} names itself: break the cycle`);
    passed.add(at);
    const aliasee: Constant = at.aliasee();
    if (aliasee.kind !== "global") return at;
    at = aliasee.target;
  }
  return at;
}

function mentioned(constant: Constant): readonly GlobalValue[] {
  const found = new Set<GlobalValue>();
  collectConstant(constant, found);
  return [...found];
}

/** The entries of an `[n x { i32, ptr, ptr }]` table; a null function is a hole. */
function structors(table: GlobalValue | undefined): { readonly priority: number; readonly target: GlobalValue }[] {
  if (table === undefined || table.kind !== "variable") return [];
  const initializer = table.initializer();
  if (initializer === null || initializer.kind !== "aggregate") return [];
  const entries: { priority: number; target: GlobalValue }[] = [];
  for (const entry of initializer.elements) {
    if (entry.kind !== "aggregate") continue;
    const [priority, target] = entry.elements;
    if (target.kind !== "global") continue;
    entries.push({ priority: priority.kind === "int" ? Number(priority.value) : 0, target: target.target });
  }
  return entries;
}

function collectStructors(
  table: GlobalValue | undefined,
  entries: StructorEntry[],
  visit: (value: GlobalValue, by: string) => void,
): void {
  for (const entry of structors(table)) {
    visit(entry.target, table?.name ?? "");
    const resolved = entry.target.resolved;
    if (resolved?.kind === "function") entries.push({ priority: entry.priority, target: resolved });
  }
}
