// What contexts of one program share: its IR and image, and for each function how its parameters are passed and which variables the code
// behind it uses. Made once in a thread; everything is found when it is first asked for.

import type { HookedProgram } from "../../engine/hooked-program.js";
import { programVariables } from "../../engine/unit-description.js";
import type { CFunction } from "../../ir/debug-types.js";
import { sizeOfType } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { GlobalVariable, IrFunction } from "../../ir/module.js";
import type { FunctionInfo, GlobalInfo, ProgramImage } from "../../jit/image.js";
import { pathOf } from "../../jit/line-table.js";
import { UnitTypes } from "../unit/describe-unit.js";
import { type PassedParameter, passedParameters } from "../unit/passed-parameters.js";
import type { FoundVariable } from "./found-values.js";

/** A function with what is known of how it is called. */
export interface KnownFunction {
  readonly fn: IrFunction;
  readonly declared: CFunction;
  readonly hiddenResult: boolean;
  /** Null if the IR's parameters are not those of C. */
  readonly passed: readonly PassedParameter[] | null;
}

const MOST_LOOKING = 3;

export class ContextGround {
  private readonly functions = new Map<number, KnownFunction | null>();
  private readonly used = new Map<number, ReadonlySet<GlobalVariable>>();
  private byPlace: ReadonlyMap<string, readonly IrFunction[]> | null = null;
  private allVariables: readonly { readonly variable: FoundVariable; readonly of: GlobalVariable | null }[] | null =
    null;

  /** Tests that were run to look at calls, the last ones: making a machine costs more than most runs. */
  private readonly looking = new Map<string, HookedProgram>();

  /** `image`: made of `program` with UNIT_COMPILE_OPTIONS. */
  constructor(
    readonly program: LinkedProgram,
    readonly image: ProgramImage,
    readonly module: WebAssembly.Module = new WebAssembly.Module(image.wasm),
    readonly types: UnitTypes = new UnitTypes(program),
  ) {}

  /** The program of a test to look at calls of; `key` tells tests apart. */
  lookingAt(key: string, make: () => HookedProgram): HookedProgram {
    const known = this.looking.get(key) ?? make();
    // The last one used is the last to go.
    this.looking.delete(key);
    this.looking.set(key, known);
    if (this.looking.size > MOST_LOOKING) {
      for (const [oldest, program] of [...this.looking].slice(0, 1)) {
        this.looking.delete(oldest);
        program.release();
      }
    }
    return known;
  }

  /** By index into `image.functions`; null if it is none of the program's own, or has no debug information. */
  function(index: number): KnownFunction | null {
    const known = this.functions.get(index);
    if (known !== undefined) return known;
    const found = this.find(index);
    this.functions.set(index, found);
    return found;
  }

  private find(index: number): KnownFunction | null {
    const info = this.image.functions[index];
    const shape = this.image.shapes[index];
    if (info?.origin !== "program" || shape === undefined) return null;
    // Copies of one static function of a header are alike.
    const fn = this.places().get(placeOf(info))?.[0];
    const declared = fn === undefined ? null : this.types.debug.functionOf(fn);
    if (fn === undefined || declared === null) return null;
    const hiddenResult = fn.params[0]?.sret === true;
    return {
      fn,
      declared,
      hiddenResult,
      passed: passedParameters(this.types.debug.types, declared, shape, hiddenResult),
    };
  }

  private places(): ReadonlyMap<string, readonly IrFunction[]> {
    if (this.byPlace !== null) return this.byPlace;
    const places = new Map<string, IrFunction[]>();
    for (const fn of this.program.functions) {
      if (fn.module.origin !== "program") continue;
      const where = fn.debugId >= 0 ? fn.module.debug.subprogram(fn.debugId) : null;
      const file = where === null ? null : pathOf(where);
      const key = placeOf({ name: fn.name, origin: "program", file, line: where?.line ?? 0 });
      const own = places.get(key) ?? [];
      places.set(key, own);
      own.push(fn);
    }
    this.byPlace = places;
    return places;
  }

  /** All variables of the program that may be written; those that the code behind the function mentions are used. */
  variablesFor(index: number): readonly FoundVariable[] {
    const used = this.usedBy(index);
    return this.variables().map(({ variable, of }) =>
      of !== null && used.has(of) ? { ...variable, isUsed: true } : variable,
    );
  }

  private variables(): NonNullable<ContextGround["allVariables"]> {
    if (this.allVariables !== null) return this.allVariables;
    const { debug } = this.types;
    const byPlace = new Map<string, GlobalVariable>();
    for (const variable of this.program.variables) {
      if (variable.module.origin !== "program" || variable.debugId < 0) continue;
      const where = variable.module.debug.variable(variable.debugId);
      if (where !== null)
        byPlace.set(variablePlace(where.functionName || variable.name, where.file, where.line), variable);
    }
    const infos = new Map<number, GlobalInfo>(this.image.globals.map((info) => [info.address, info]));
    this.allVariables = programVariables(this.image).flatMap(({ name, address, size }) => {
      const info = infos.get(address);
      if (info === undefined) return [];
      const of = byPlace.get(variablePlace(info.name, info.file, info.line)) ?? null;
      const type = of === null ? null : debug.variableOf(of);
      if (type === null || sizeOfType(debug.types, type) > size) return [];
      return [{ variable: { name, words: info.name, type, address, size, isUsed: false }, of }];
    });
    return this.allVariables;
  }

  /** By the function, and by functions of the program that it refers to, directly or not. */
  private usedBy(index: number): ReadonlySet<GlobalVariable> {
    const known = this.used.get(index);
    if (known !== undefined) return known;
    const start = this.function(index)?.fn;
    const found = new Set<GlobalVariable>();
    const seen = new Set<IrFunction>();
    const work = start === undefined ? [] : [start];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (seen.has(at) || at.module.origin !== "program") continue;
      seen.add(at);
      for (const value of this.program.references.get(at) ?? []) {
        const target = value.resolved ?? value;
        if (target.kind === "function") work.push(target);
        else if (target.kind === "variable") found.add(target);
      }
    }
    this.used.set(index, found);
    return found;
  }
}

function placeOf({ name, file, line }: FunctionInfo): string {
  return `${name} ${file ?? ""}:${line}`;
}

function variablePlace(name: string, file: string | null, line: number): string {
  return `${name} ${file ?? ""}:${line}`;
}
