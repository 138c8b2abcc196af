// A function of a program as a unit: its parameters by their types in the debug information, mapped to the parameters that the calling
// convention makes of them (a structure in registers is several, one in memory a pointer to a copy, a large result a hidden pointer).
// Nothing is run here. If parameters of C and of the IR do not fit together, everything is a free number, and that is told.

import {
  findFunction,
  planUnit,
  type UnitDescription,
  type UnitName,
  type UnitStub,
  type UnitValue,
} from "../../engine/unit-description.js";
import type { SourceFrame } from "../../ir/debug-info.js";
import { type CFunction, DebugTypes, resolvedType, sizeOfType, type TypeRef, typeText } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import type { FunctionShape, ProgramImage } from "../../jit/image.js";
import { testFunctionsOf } from "../../program/test-functions.js";
import { DEFAULT_VALUE_OPTIONS, type FunctionsOfType, ValueDescriber, type ValueOptions } from "./describe-values.js";
import { pathOfFunction } from "./function-path.js";
import type { FunctionsBehind } from "./functions-behind.js";
import { functionsByType, functionsTaken } from "./functions-by-type.js";
import { type PassedParameter, type PassedPiece, passedParameters, unitParameter } from "./passed-parameters.js";
import { type TypedGlobal, UnitGlobals } from "./unit-globals.js";
import type { DescribedUnit, UnitParameter } from "./unit-inputs.js";
import { lengthsIn } from "./unit-lengths.js";
import { UsedFields } from "./used-fields.js";

export interface DescribeOptions extends ValueOptions {
  /** Variables of the program are input too, those of at most so many bytes; 0: as the program begins with them. */
  readonly globalBytes: number;
  readonly stubs: readonly string[];
}

export const DEFAULT_DESCRIBE_OPTIONS: DescribeOptions = { ...DEFAULT_VALUE_OPTIONS, globalBytes: 0, stubs: [] };

export type Described =
  | { readonly kind: "described"; readonly unit: DescribedUnit }
  | { readonly kind: "failed"; readonly message: string };

/** What the descriptions of many units share: types that were read, functions by their types. */
export class UnitTypes {
  readonly debug: DebugTypes;
  readonly used: UsedFields;
  readonly globals: UnitGlobals;
  private readonly taken: () => readonly IrFunction[];
  private readonly isOfTests: (fn: IrFunction) => boolean;

  /** `behind`: what a function's pointers may lead to, if that is known (functions-behind.ts). */
  constructor(
    program: LinkedProgram,
    private readonly behind: FunctionsBehind = () => null,
  ) {
    const tests = testFunctionsOf(program);
    const isTest = tests !== null && tests.named !== "no" ? tests.isTestFunction : () => false;
    this.isOfTests = (fn) => fn.module.origin === "program" && isTest(fn);
    let known: readonly IrFunction[] | null = null;
    this.taken = () => {
      known ??= functionsTaken(program);
      return known;
    };
    this.debug = new DebugTypes(program.modules);
    this.used = new UsedFields(program, this.taken);
    this.globals = new UnitGlobals(program, this.debug);
  }

  /** For a unit of this function. */
  functionsOf(fn: IrFunction): FunctionsOfType {
    // A function of the tests, explored for itself, calls those beside it.
    const isLeftOut = this.isOfTests(fn) ? undefined : this.isOfTests;
    return functionsByType(this.debug, this.taken, this.behind(fn), isLeftOut);
  }
}

/** `image`: made of `program` with UNIT_COMPILE_OPTIONS. */
export function describeUnit(
  program: LinkedProgram,
  image: ProgramImage,
  fn: IrFunction,
  options: DescribeOptions = DEFAULT_DESCRIBE_OPTIONS,
  shared: UnitTypes = new UnitTypes(program),
): Described {
  const { debug } = shared;
  const declared = debug.functionOf(fn);
  if (declared === null) {
    const what = `${fn.name} was compiled without debug information, so what it takes is not known`;
    return { kind: "failed", message: `${what}; compile its file with -g (tangent cc does by itself)` };
  }
  return new UnitDescriber(program, image, fn, declared, shared, options).describe();
}

class UnitDescriber {
  private readonly debug: DebugTypes;
  private readonly values: ValueDescriber;
  private readonly frame: SourceFrame | null;

  constructor(
    private readonly program: LinkedProgram,
    private readonly image: ProgramImage,
    private readonly fn: IrFunction,
    private readonly declared: CFunction,
    private readonly shared: UnitTypes,
    private readonly options: DescribeOptions,
  ) {
    this.debug = shared.debug;
    this.frame = fn.module.debug.subprogram(fn.debugId);
    this.values = new ValueDescriber(this.debug.types, options, shared.functionsOf(fn), shared.used.by(fn));
  }

  describe(): Described {
    const name = this.nameOf(this.fn);
    const target = findFunction(this.image, name);
    if ("kind" in target) return target;
    const { shape } = target;
    const hiddenResult = this.fn.params[0]?.sret === true;
    const made = this.parameters(shape, hiddenResult);
    const stubs: UnitStub[] = [];
    for (const stub of this.options.stubs) {
      const one = this.stub(stub);
      if ("message" in one) return { kind: "failed", message: one.message };
      stubs.push(one);
    }
    this.values.followAll();
    const { globalBytes } = this.options;
    const inputs = globalBytes > 0 ? this.shared.globals.upTo(this.image, globalBytes) : [];
    const globals = inputs.map(({ global }) => global);
    const description: UnitDescription = { function: name, parameters: made.values, globals, stubs };
    const planned = planUnit(this.image, description);
    if (planned.kind === "failed") return planned;
    this.nameGlobals(
      inputs,
      planned.plan.globals.map((global) => global.name),
    );
    return {
      kind: "described",
      unit: {
        function: this.declared,
        file: this.sourceFile(),
        line: this.frame?.line ?? 0,
        isStatic: this.fn.linkage === "internal",
        description,
        types: this.debug.types,
        parameters: made.parameters,
        hiddenResult,
        inputs: this.values.inputs,
        assumptions: this.values.assumptions,
        fixed: this.values.fixed,
        ...this.hiddenFunctions(),
        notes: [...made.notes, ...this.values.notes, ...this.values.unusedNote()],
      },
    };
  }

  private sourceFile(): string | null {
    return pathOfFunction(this.fn);
  }

  /** Of what pointers lead to, as far as it is told. */
  private hiddenFunctions(): Pick<DescribedUnit, "hiddenFunctions"> {
    const pointedTo = new Set(this.values.fixed.map(({ value }) => value));
    const own = this.sourceFile();
    const hiddenFunctions = this.program.functions.flatMap((fn) => {
      if (fn.linkage !== "internal" || fn.module.origin !== "program" || !pointedTo.has(fn.name)) return [];
      const file = pathOfFunction(fn);
      return file === null || file === own ? [] : [{ name: fn.name, file }];
    });
    return hiddenFunctions.length === 0 ? {} : { hiddenFunctions };
  }

  private nameOf(fn: IrFunction): UnitName {
    const file = pathOfFunction(fn);
    const isKnown = this.image.functions.some((info) => info.name === fn.name && info.file === file);
    return file === null || !isKnown ? fn.name : { name: fn.name, file };
  }

  // ---- parameters

  private parameters(
    shape: FunctionShape,
    hiddenResult: boolean,
  ): { readonly values: UnitValue[]; readonly parameters: UnitParameter[]; readonly notes: string[] } {
    const { declared, values: describer } = this;
    const { types } = this.debug;
    const values: UnitValue[] = [];
    if (hiddenResult) {
      values.push({ kind: "object", size: Math.max(1, sizeOfType(types, declared.result)), bytes: [] });
    }
    const lengths = this.lengths(shape, hiddenResult);
    const passed = passedParameters(types, declared, shape, hiddenResult);
    if (passed === null) return this.freeParameters(shape);
    const parameters = passed.map(unitParameter);
    for (const [n, one] of passed.entries()) values.push(...this.parameter(one, lengths.has(n)));
    for (const [pointer, numbers] of lengths) {
      const longest = describer.longest(declared.parameters[pointer].type);
      if (longest === null) continue;
      for (const n of numbers) {
        const type = resolvedType(types, declared.parameters[n].type);
        if (type.kind !== "integer") continue;
        describer.assumptions.push({
          object: `param:${parameters[n].first}`,
          offset: 0,
          bytes: type.bytes,
          signed: type.signed,
          atMost: longest,
          words: `${declared.parameters[n].name} <= ${longest}`,
        });
      }
    }
    const notes = declared.variadic ? [`${declared.name} takes further arguments: there are none`] : [];
    return { values, parameters, notes };
  }

  private lengths(shape: FunctionShape, hiddenResult: boolean): ReadonlyMap<number, readonly number[]> {
    const { parameters } = this.declared;
    return parameters.length + (hiddenResult ? 1 : 0) > shape.parameters.length
      ? new Map()
      : lengthsIn(this.debug.types, parameters, "parameters");
  }

  /** The values of one parameter of C. */
  private parameter(passed: PassedParameter, hasLength: boolean): UnitValue[] {
    return passed.pieces.map((piece, k) => this.piece(passed, piece, `param:${passed.first + k}`, hasLength));
  }

  private piece(
    { name: words, type }: PassedParameter,
    piece: PassedPiece,
    name: string,
    hasLength: boolean,
  ): UnitValue {
    const { values: describer } = this;
    switch (piece.kind) {
      case "pointer": {
        const orNull = piece.isMember || this.options.null;
        const place = { words: piece.words, name, owner: "", offset: 0, level: 0, orNull };
        return describer.pointer(piece.type, { ...place, hasLength: hasLength && !piece.isMember });
      }
      case "address":
        return { kind: "null" };
      case "copy": {
        const object = `*${name}`;
        describer.inputs.push({ object, role: "value", words, type, count: 1, from: 0 });
        const fields = describer.fieldsOf(type, object, words, false, 0);
        return { kind: "object", size: piece.bytes, ...(fields.length === 0 ? {} : { fields }) };
      }
      case "bytes":
        describer.inputs.push({ object: name, role: "value", words, type, count: 1, from: piece.from });
        return { kind: "symbolic" };
    }
  }

  /** Nobody knows which is which. */
  private freeParameters(shape: FunctionShape): ReturnType<UnitDescriber["parameters"]> {
    const { values: describer } = this;
    describer.inputs.length = 0;
    describer.assumptions.length = 0;
    describer.fixed.length = 0;
    const values = shape.parameters.map(({ pointer, copiedBytes }): UnitValue => {
      if (pointer) return { kind: "object", size: copiedBytes > 0 ? copiedBytes : 64 };
      return { kind: "symbolic" };
    });
    const note = `the parameters of ${this.declared.name} are not passed as its type says: all are free bytes`;
    return { values, parameters: [], notes: [note] };
  }

  // ---- globals and stubs

  private nameGlobals(globals: readonly TypedGlobal[], objects: readonly string[]): void {
    globals.forEach(({ words, type }, n) => {
      this.values.inputs.push({ object: objects[n], role: "value", words, type, count: 1, from: 0 });
    });
  }

  /** The result of a function without types, of the C library say, is a number of its size. */
  private numberOf(name: string, object: string, words: string): void {
    const target = findFunction(this.image, name);
    if ("kind" in target || target.shape.result.length !== 1) return;
    const bytes = Math.ceil(target.shape.result[0] / 8);
    const { types } = this.debug;
    types.push({ kind: "integer", name: "int", bytes, signed: true, character: "no" });
    this.values.inputs.push({ object, role: "value", words, type: types.length - 1, count: 1, from: 0 });
  }

  private stub(name: string): UnitStub | { readonly message: string } {
    const fn = this.program.functions.find((one) => one.name === name && one.module.origin === "program");
    const object = `stub:${name}`;
    const words = `${name}()`;
    const declared = fn === undefined ? null : this.debug.functionOf(fn);
    if (fn === undefined || declared === null) {
      this.numberOf(name, object, words);
      return { function: name };
    }
    const type = resolvedType(this.debug.types, declared.result);
    const file = this.nameOf(fn);
    if (type.kind === "pointer") {
      const place = { words, name: object, owner: "", offset: 0, level: 0, orNull: true, hasLength: false };
      return { function: file, result: this.values.pointer(declared.result, place) };
    }
    if (type.kind === "void") return { function: file };
    this.values.inputs.push({ object, role: "value", words, type: declared.result, count: 1, from: 0 });
    return { function: file };
  }
}

/** `int f(const char *s, int n)`, as the user knows it. */
export function signatureText({ function: { name, parameters, result, variadic }, types }: DescribedUnit): string {
  const one = ({ name: own, type }: { name: string; type: TypeRef }): string => {
    const text = typeText(types, type);
    if (text.includes("(*)")) return text.replace("(*)", `(*${own})`);
    return /[*\]]$/.test(text) ? `${text}${own}` : `${text} ${own}`;
  };
  const list = [...parameters.map(one), ...(variadic ? ["..."] : [])];
  return `${one({ name, type: result })}(${list.join(", ") || "void"})`;
}
