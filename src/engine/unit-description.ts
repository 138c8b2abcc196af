// A unit of a program as plain data: the function that a run starts at, what its parameters and the program's variables hold
// then, and which callees are replaced by symbolic stubs. A description can be written to a file, sent to another thread
// and compared; `planUnit` finds what it names in a program, and says what is wrong with it before anything runs.
//
// Parameters are those of the LLVM IR. For scalars and pointers they are C's; a structure that the calling convention passes
// in registers is one parameter for each register, one passed in memory is a pointer to a copy.
//
// Names of input objects: `param:0`; `*param:0` is what parameter 0 points to; `*(*param:0+8)` is what the pointer at offset
// 8 of that object points to; `global:NAME`; `stub:NAME`, whose k-th object belongs to the k-th call.

import type { TestInput } from "../inputs/test-input.js";
import type { FunctionShape, ProgramImage, Signature } from "../jit/image.js";
import { FUNCTION_BASE, FUNCTION_STRIDE, HOOKS_BASE, HOOKS_LIMIT } from "../jit/memory-layout.js";
import { FIRST_VARIADIC_SLOT } from "../jit/symbolic-boundary.js";
import { tableIndexOf } from "../jit/table-index.js";
import { type ImageNames, namesIn } from "./image-names.js";

export interface UnitDescription {
  /** By name, or by index into `image.functions`. */
  readonly function: UnitName | number;
  readonly parameters: readonly UnitValue[];
  /**
   * "all": every variable of the program that may be written, or those of at most so many bytes: each byte costs time at
   * the start of every run, and a program's large buffers hold nothing yet when a unit starts.
   */
  readonly globals: readonly UnitGlobal[] | "all" | { readonly upTo: number };
  readonly stubs: readonly UnitStub[];
  /** The unit is a call in a run of the whole program; without it the function is called by nobody, at the start. */
  readonly context?: UnitContext;
}

/**
 * A call of the function in a run of a test, of which nothing is symbolic: there the memory named here becomes input, with the bytes that
 * it holds as defaults. The way there is the same in every run, and so are addresses.
 */
export interface UnitContext {
  readonly test: TestInput;
  /** The how-manieth call of the function in that run, from 0. */
  readonly call: number;
  readonly objects: readonly FoundObject[];
}

export interface FoundObject {
  /** Of the input object: `*param:0`, `*(*param:0+8)`, `global:total`. */
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** Parts of it that are input; they may be written. Everything else stays as it is found. */
  readonly symbolic: readonly { readonly offset: number; readonly size: number }[];
}

/** A static function or variable is told from another of its name by the end of its file's path. */
export type UnitName = string | { readonly name: string; readonly file: string };

export type UnitValue =
  | { readonly kind: "symbolic" }
  /** A whole number up to 2^53, or a floating-point number where one is taken. */
  | { readonly kind: "concrete"; readonly value: number }
  /** As it is at the call; only in a context. */
  | { readonly kind: "found" }
  | UnitPointer;

export type UnitPointer =
  | { readonly kind: "null" }
  /** To a fresh block on the heap, with memory around it that may not be touched. */
  | UnitObject
  /** Into an object made before: by its name, "*param:0". Null where that object was left out. */
  | { readonly kind: "inside"; readonly object: string; readonly offset: number }
  /** The address of a function of the program. */
  | { readonly kind: "function"; readonly function: UnitName };

export interface UnitObject {
  readonly kind: "object";
  readonly size: number;
  /** Its content, followed by zeros; without it every byte is symbolic. */
  readonly bytes?: readonly number[];
  /** Whether the pointer is null is input too: the object "null:" and the pointer's name. */
  readonly orNull?: boolean;
  readonly fields?: readonly UnitField[];
}

/** Bytes of an object that are no free input: eight of a pointer, or as many as are given. */
export interface UnitField {
  readonly offset: number;
  /** "initial": what the program begins with, for variables. */
  readonly value:
    | UnitPointer
    | { readonly kind: "initial" }
    | { readonly kind: "bytes"; readonly bytes: readonly number[] };
}

/** The value, if it is a pointer that a unit makes. */
export function pointerIn(value: UnitValue | undefined): UnitPointer | null {
  const isNone =
    value === undefined || value.kind === "symbolic" || value.kind === "concrete" || value.kind === "found";
  return isNone ? null : value;
}

/** How many bytes a field takes. */
export function fieldSize({ value }: UnitField): number {
  return value.kind === "bytes" ? value.bytes.length : POINTER_BYTES;
}

export interface UnitGlobal {
  readonly variable: UnitName;
  readonly fields?: readonly UnitField[];
}

export interface UnitStub {
  readonly function: UnitName;
  /** Symbolic if it is not given; of several parts, if the result has several. */
  readonly result?: UnitValue;
  /** Parameters that point to memory which the function fills: each call makes so many bytes there symbolic. */
  readonly outputs?: readonly UnitOutput[];
}

/** `offset`: of the bytes, from where the parameter points to; 0 if nothing is said. Input `stub:NAME:PARAMETER`, `+OFFSET` behind it. */
export interface UnitOutput {
  readonly parameter: number;
  readonly offset?: number;
  readonly size: number;
}

export const POINTER_BYTES = 8;
/** More than any unit needs, and far below what a run may allocate. */
export const MAX_OBJECT_BYTES = 1 << 24;

/** A function of the program with all that is known of how it is called. */
export interface PlannedFunction {
  readonly index: number;
  readonly name: string;
  readonly shape: FunctionShape;
  readonly signature: Signature;
}

export interface PlannedGlobal {
  /** Of the input object. */
  readonly name: string;
  readonly address: number;
  readonly size: number;
  readonly fields: readonly UnitField[];
}

export interface PlannedStub extends Required<Omit<UnitStub, "function">> {
  readonly target: PlannedFunction;
}

export interface UnitPlan {
  readonly target: PlannedFunction;
  readonly parameters: readonly UnitValue[];
  readonly globals: readonly PlannedGlobal[];
  readonly stubs: readonly PlannedStub[];
  /** Variables of the program that may be written, whether input or not. */
  readonly variables: readonly PlannedGlobal[];
  /** Functions that every run of a unit calls. */
  readonly initialise: number;
  readonly allocate: number;
  readonly context: UnitContext | null;
}

export type Planned = { readonly kind: "planned"; readonly plan: UnitPlan } | Failure;
interface Failure {
  readonly kind: "failed";
  readonly message: string;
}
class PlanError extends Error {}

export function planUnit(image: ProgramImage, description: UnitDescription): Planned {
  try {
    return { kind: "planned", plan: new Planner(image).plan(description) };
  } catch (error) {
    if (error instanceof PlanError) return { kind: "failed", message: error.message };
    throw error;
  }
}

/** The function of a name, or of an index into `image.functions`, to be hooked or started at. */
export function findFunction(image: ProgramImage, wanted: UnitName | number): PlannedFunction | Failure {
  try {
    return new Planner(image).hookable(wanted);
  } catch (error) {
    if (error instanceof PlanError) return { kind: "failed", message: error.message };
    throw error;
  }
}

/** What a stub stands for. */
export function planStub(image: ProgramImage, stub: UnitStub): PlannedStub | Failure {
  try {
    return new Planner(image).stub(stub);
  } catch (error) {
    if (error instanceof PlanError) return { kind: "failed", message: error.message };
    throw error;
  }
}

/** The index of the program's own `malloc`; -1 if it has none. */
export function allocatorOf(image: ProgramImage): number {
  return namesIn(image).firstNamed(ALLOCATOR);
}
const ALLOCATOR = "malloc";

/** The address of a function of that name, also of the C library and the runtime; null if there is none. */
export function functionAddress(image: ProgramImage, name: UnitName): number | null {
  try {
    const index = tableIndexOf(image, new Planner(image).named(name));
    return index < 0 ? null : FUNCTION_BASE + FUNCTION_STRIDE * index;
  } catch (error) {
    if (error instanceof PlanError) return null;
    throw error;
  }
}

/** The variables of the program that may be written, by the names that their input objects have. */
export function programVariables(image: ProgramImage): readonly PlannedGlobal[] {
  return namesIn(image).variables;
}

class Planner {
  private readonly names: ImageNames;

  constructor(private readonly image: ProgramImage) {
    this.names = namesIn(image);
    if (image.shapes.length === 0) {
      throw new PlanError("the program was translated without hooks: load it with UNIT_COMPILE_OPTIONS");
    }
  }

  plan(description: UnitDescription): UnitPlan {
    const target = this.function(description.function);
    const { parameters } = description;
    const expected = target.shape.parameters;
    if (parameters.length !== expected.length) {
      throw new PlanError(`${target.name} has ${expected.length} parameters, and ${parameters.length} are described`);
    }
    const context = description.context ?? null;
    if (context !== null) this.checkContext(context);
    parameters.forEach((value, n) => {
      if (value.kind === "found" && context !== null) return;
      this.checkValue(`parameter ${n} of ${target.name}`, value, expected[n].bits, expected[n].pointer);
    });
    const variables = programVariables(this.image);
    const globals = this.globals(description.globals, variables);
    return {
      target,
      parameters,
      globals,
      stubs: description.stubs.map((stub) => this.stub(stub)),
      variables,
      initialise: this.runtimeFunction("__tangent_initialise"),
      allocate: this.runtimeFunction(ALLOCATOR),
      context,
    };
  }

  hookable(wanted: UnitName | number): PlannedFunction {
    const found = this.function(wanted);
    if (HOOKS_BASE + found.index >= HOOKS_LIMIT) {
      throw new PlanError(`${found.name} cannot be replaced: the program has more functions than the table of hooks`);
    }
    return found;
  }

  /** Its index. */
  named(wanted: UnitName): number {
    const name = nameOf(wanted);
    const { functions } = this.image;
    const named = this.names.functionsNamed(name).filter((index) => isIn(functions[index].file, wanted));
    // Static functions of libc and of the runtime have everyday names too; the program's own go first.
    const own = named.filter((index) => functions[index].origin === "program");
    const all = own.length > 0 ? own : named;
    if (all.length === 0) {
      const where = typeof wanted === "string" ? "" : ` in ${wanted.file}`;
      throw new PlanError(`the program has no function ${name}${where}; a static one that nothing uses is left out`);
    }
    // Copies of one static function of a header are alike.
    const isHeaders = all.every(
      (index) => functions[index].file !== null && functions[index].file === functions[all[0]].file,
    );
    if (all.length > 1 && !isHeaders) {
      const files = all.map((index) => functions[index].file ?? "?");
      throw new PlanError(`there are several functions ${name}, in ${files.join(", ")}: name the file too`);
    }
    return all[0];
  }

  private function(wanted: UnitName | number): PlannedFunction {
    const { functions, shapes } = this.image;
    const index = typeof wanted === "number" ? wanted : this.named(wanted);
    if (shapes[index] === undefined) throw new PlanError(`the program has no function ${index}`);
    const { name } = functions[index];
    if (functions[index].origin === "trusted") {
      throw new PlanError(`${name} belongs to the runtime that keeps memory safe: it has no shadows and no hook`);
    }
    const shape = shapes[index];
    const signature = this.image.tableSignatures[tableIndexOf(this.image, index)];
    return { index, name, shape, signature };
  }

  private runtimeFunction(name: string): number {
    const index = this.names.firstNamed(name);
    if (index < 0) throw new PlanError(`the program lacks ${name}: load it with UNIT_COMPILE_OPTIONS`);
    return index;
  }

  private globals(wanted: UnitDescription["globals"], all: readonly PlannedGlobal[]): readonly PlannedGlobal[] {
    if (wanted === "all") return all;
    if ("upTo" in wanted) return all.filter(({ size }) => size <= wanted.upTo);
    return wanted.map((one) => this.global(one));
  }

  private global({ variable, fields = [] }: UnitGlobal): PlannedGlobal {
    const name = nameOf(variable);
    const named = this.names.globalsNamed(name).filter((info) => isIn(info.file, variable));
    const own = named.filter((info) => this.names.isOwn(info));
    const found = own.length > 0 ? own : named;
    if (found.length === 0)
      throw new PlanError(`the program has no variable ${name}; one that nothing uses is left out`);
    if (found.length > 1) {
      const files = found.map(({ file }) => file ?? "?");
      throw new PlanError(`there are several variables ${name}, in ${files.join(", ")}: name the file too`);
    }
    const { address, size, constant } = found[0];
    if (constant) throw new PlanError(`the variable ${name} is constant and cannot be input`);
    this.checkFields(`the variable ${name}`, size, fields);
    const known = this.names.variableAt(address);
    return { name: known?.name ?? `global:${name}`, address, size, fields };
  }

  stub({ function: name, result = { kind: "symbolic" }, outputs = [] }: UnitStub): PlannedStub {
    const target = this.hookable(name);
    const { shape } = target;
    if (shape.result.length > 0) {
      this.checkValue(`the result of ${target.name}`, result, shape.result, shape.result[0] === 64);
    }
    for (const { parameter, offset = 0, size } of outputs) {
      if (shape.parameters[parameter]?.pointer !== true) {
        throw new PlanError(`parameter ${parameter} of ${target.name} is no pointer, so nothing is put out there`);
      }
      checkSize(`output ${parameter} of ${target.name}`, offset + size);
    }
    return { target, result, outputs };
  }

  private checkValue(what: string, value: UnitValue, bits: readonly number[], mayPoint: boolean): void {
    if (bits.length > FIRST_VARIADIC_SLOT) throw new PlanError(`${what} has too many parts to be described`);
    switch (value.kind) {
      case "symbolic":
        return;
      case "concrete":
        if (bits.length !== 1) throw new PlanError(`${what} has ${bits.length} parts: it can only be symbolic`);
        return;
      case "found":
        throw new PlanError(`${what} is to be as it is found, and nothing says where`);
      default:
        if (bits.length !== 1 || !mayPoint) throw new PlanError(`${what} is no pointer`);
        this.checkPointer(what, value);
    }
  }

  private checkContext({ objects, call }: UnitContext): void {
    if (!Number.isInteger(call) || call < 0) throw new PlanError(`there is no call number ${call}`);
    for (const { name, size, symbolic } of objects) {
      checkSize(name, size);
      const isInside = symbolic.every(
        (range) => range.offset >= 0 && range.size > 0 && range.offset + range.size <= size,
      );
      if (!isInside) throw new PlanError(`${name}: what is input is not within its ${size} bytes`);
    }
  }

  private checkPointer(what: string, pointer: UnitPointer): void {
    const work: { what: string; pointer: UnitPointer }[] = [{ what, pointer }];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (at.pointer.kind === "function") this.named(at.pointer.function);
      if (at.pointer.kind !== "object") continue;
      const { size, bytes = [], fields = [] } = at.pointer;
      checkSize(at.what, size);
      if (bytes.length > size) throw new PlanError(`${at.what}: ${bytes.length} bytes do not fit into ${size}`);
      for (const field of this.checkFields(at.what, size, fields)) work.push(field);
    }
  }

  private checkFields(
    what: string,
    size: number,
    fields: readonly UnitField[],
  ): { what: string; pointer: UnitPointer }[] {
    return fields.flatMap((field) => {
      const { offset, value } = field;
      if (!Number.isInteger(offset) || offset < 0 || offset + fieldSize(field) > size) {
        throw new PlanError(`${what}: the field at ${offset} is not within its ${size} bytes`);
      }
      const isPointer = value.kind !== "initial" && value.kind !== "bytes";
      return isPointer ? [{ what: `${what}, field ${offset}`, pointer: value }] : [];
    });
  }
}

function checkSize(what: string, size: number): void {
  if (!Number.isInteger(size) || size < 1 || size > MAX_OBJECT_BYTES) {
    throw new PlanError(`${what}: an object has 1 to ${MAX_OBJECT_BYTES} bytes, not ${size}`);
  }
}
function nameOf(name: UnitName): string {
  return typeof name === "string" ? name : name.name;
}
function isIn(file: string | null, name: UnitName): boolean {
  return typeof name === "string" || (file?.endsWith(name.file) ?? false);
}
