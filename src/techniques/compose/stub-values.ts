// Stubs for callees that are no part of a unit: a number is symbolic; a pointer leads to a fresh object of its type, or is null; what the
// function would have written through its parameters (written-parameters.ts) is symbolic afterwards.
//
// A stub cannot do everything, and a wild number in a pointer's place makes failures that no program has. So a callee stays real that never
// returns, that allocates what has no type, that hands out pointers through parameters or inside of structures, or whose result's type
// nobody knows. Programs that keep everything in one structure have few stubs then. The paper's units are literal: every callee that can be
// answered is, and pointers that it would have written stay what they were.

import { findFunction, type UnitName, type UnitStub } from "../../engine/unit-description.js";
import { isLibcLike } from "../../findings/general-helpers.js";
import { type CFunction, type CTypes, resolvedType, sizeOfType, type TypeRef } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import type { FunctionShape, ProgramImage } from "../../jit/image.js";
import { SignatureTable } from "../../jit/signature-table.js";
import type { UnitTypes } from "../unit/describe-unit.js";
import { DEFAULT_VALUE_OPTIONS, ValueDescriber, type ValueOptions } from "../unit/describe-values.js";
import type { UnitAssumption, UnitFixed, UnitInput } from "../unit/unit-inputs.js";
import type { CodeFacts } from "./code-facts.js";
import type { ByteRange, Written } from "./written-parameters.js";

export interface StubbedCallees {
  readonly stubs: readonly UnitStub[];
  /** Words for the bytes that the stubs make, as a unit has them for its parameters. */
  readonly inputs: readonly UnitInput[];
  readonly assumptions: readonly UnitAssumption[];
  readonly fixed: readonly UnitFixed[];
  /** Callees that stay real, and why. */
  readonly real: readonly { readonly function: number; readonly why: string }[];
}

export type StubPolicy = "careful" | "literal";

const NO_STUBS: StubbedCallees = { stubs: [], inputs: [], assumptions: [], fixed: [], real: [] };

type Output = NonNullable<UnitStub["outputs"]>[number];
type Made = { readonly kind: "stub"; readonly stub: UnitStub } | { readonly kind: "real"; readonly why: string };

/** What a stub's result points to is followed less far than what parameters point to: there may be many stubs, and many calls. */
const RESULT_LEVEL = 1;
/** A structure is described by at most so many ranges between its pointers. */
const MOST_OUTPUTS = 16;
const MOST_OUTPUT_BYTES = 4096;
const MOST_NESTING = 16;
const MOST_PARTS = 4096;

export class StubMaker {
  private readonly functions: readonly (IrFunction | undefined)[];

  constructor(
    program: LinkedProgram,
    private readonly image: ProgramImage,
    private readonly shared: UnitTypes,
    private readonly facts: Pick<CodeFacts, "neverReturning" | "written">,
    private readonly policy: StubPolicy = "careful",
    private readonly options: ValueOptions = DEFAULT_VALUE_OPTIONS,
  ) {
    const table = new SignatureTable(program.functions);
    const functions: (IrFunction | undefined)[] = [];
    for (const fn of program.functions) {
      const index = table.indexOf(fn);
      if (index !== undefined) functions[index] = fn;
    }
    this.functions = functions;
  }

  /** `unit`: the function that is tested, which says which fields are worth making. Both are indices into `image.functions`. */
  stubsFor(unit: number, callees: readonly number[]): StubbedCallees {
    const own = this.functions[unit];
    if (own === undefined) return NO_STUBS;
    const { debug, used } = this.shared;
    const values = new ValueDescriber(debug.types, this.options, this.shared.functionsOf(own), used.by(own));
    const stubs: UnitStub[] = [];
    const real: { readonly function: number; readonly why: string }[] = [];
    for (const callee of callees) {
      const made = this.stubOf(callee, values);
      if (made.kind === "stub") stubs.push(made.stub);
      else real.push({ function: callee, why: made.why });
    }
    values.followAll();
    const { inputs, assumptions, fixed } = values;
    return { stubs, inputs, assumptions, fixed, real };
  }

  private stubOf(callee: number, values: ValueDescriber): Made {
    const real = (why: string): Made => ({ kind: "real", why });
    const fn = this.functions[callee];
    const info = this.image.functions[callee];
    if (fn === undefined || info?.origin !== "program") return real("it is no function of the program");
    if (this.facts.neverReturning.has(callee)) return real("it never returns");
    if (isLibcLike(fn.name)) return real("it stands for a function of the C library");
    const name: UnitName = info.file === null ? fn.name : { name: fn.name, file: info.file };
    const target = findFunction(this.image, name);
    if ("kind" in target) return real(target.message);
    if (target.index !== callee) return real("another function has its name and its file");
    const declared = this.shared.debug.functionOf(fn);
    const outputs = this.outputsOf(callee, fn, declared, target.shape, values);
    if (typeof outputs === "string") return real(outputs);
    const puts = outputs.length === 0 ? {} : { outputs };
    if (fn.params[0]?.sret === true || target.shape.result.length === 0)
      return { kind: "stub", stub: { function: name, ...puts } };
    if (declared === null) return real("it was compiled without debug information, so what it gives is not known");
    const result = this.resultOf(fn.name, declared.result, values);
    if (typeof result === "string") return real(result);
    return { kind: "stub", stub: { function: name, ...result, ...puts } };
  }

  /** Why there is none, if it is text. */
  private resultOf(name: string, ref: TypeRef, values: ValueDescriber): Pick<UnitStub, "result"> | string {
    const { types } = this.shared.debug;
    const type = resolvedType(types, ref);
    const object = `stub:${name}`;
    const words = `${name}()`;
    if (type.kind !== "pointer") {
      if (hasPointers(types, ref)) return "its result has pointers inside";
      values.inputs.push({ object, role: "value", words, type: ref, count: 1, from: 0 });
      return {};
    }
    const to = resolvedType(types, type.to).kind;
    if (to === "void" && this.policy === "careful") return "it gives memory of which no type is known";
    if (to === "function" || to === "incomplete" || to === "other") return "it gives a pointer to what cannot be made";
    const [fixed, inputs] = [values.fixed.length, values.inputs.length];
    const place = { words, name: object, owner: "", offset: 0, level: RESULT_LEVEL, orNull: true, hasLength: false };
    const result = values.pointer(ref, place);
    if (result.kind === "object") return { result };
    values.fixed.length = fixed;
    values.inputs.length = inputs;
    return "it gives a pointer to what cannot be made";
  }

  /** Why it cannot be answered, if it is text. */
  private outputsOf(
    callee: number,
    fn: IrFunction,
    declared: CFunction | null,
    { parameters }: FunctionShape,
    values: ValueDescriber,
  ): readonly Output[] | string {
    const { types } = this.shared.debug;
    const hidden = fn.params[0]?.sret === true ? 1 : 0;
    const fits = declared !== null && declared.parameters.length + hidden === parameters.length;
    const outputs: Output[] = [];
    if (hidden === 1) {
      const size = declared === null ? 0 : sizeOfType(types, declared.result);
      if (declared === null || size < 1 || size > MOST_OUTPUT_BYTES) return "the size of its result is not known";
      if (hasPointers(types, declared.result)) return "its result has pointers inside";
      outputs.push({ parameter: 0, size });
      const object = `stub:${fn.name}:0`;
      values.inputs.push({ object, role: "value", words: `${fn.name}()`, type: declared.result, count: 1, from: 0 });
    }
    for (const [parameter, written] of this.facts.written.get(callee) ?? []) {
      if (parameter < hidden || parameters[parameter]?.pointer !== true || parameters[parameter].copiedBytes > 0)
        continue;
      if (written.hasPointers && this.policy === "careful") return "it hands out pointers through a parameter";
      const one = fits ? declared.parameters[parameter - hidden] : null;
      const pointer = one === null ? null : resolvedType(types, one.type);
      const to = pointer?.kind === "pointer" ? pointer.to : null;
      const ranges = this.rangesOf(written, to);
      if (ranges === null && this.policy === "literal") continue;
      if (ranges === null) return "it hands out pointers through a parameter";
      for (const { offset, size } of ranges) {
        outputs.push({ parameter, size, ...(offset === 0 ? {} : { offset }) });
        if (one === null || to === null) continue;
        const object = `stub:${fn.name}:${parameter}${offset === 0 ? "" : `+${offset}`}`;
        const whole = Math.max(1, sizeOfType(types, to));
        const count = Math.max(1, Math.ceil((offset + size) / whole));
        values.inputs.push({
          object,
          role: "target",
          words: `${fn.name}():${one.name}`,
          type: to,
          count,
          from: offset,
        });
      }
    }
    return outputs;
  }

  /** Bytes that the function may write and that are no pointers; null if it writes pointers. */
  private rangesOf({ ranges, isAnywhere }: Written, to: TypeRef | null): readonly ByteRange[] | null {
    const { types } = this.shared.debug;
    const pointers = to === null ? [] : pointerOffsets(types, to);
    const known = merged(ranges).filter(({ size }) => size <= MOST_OUTPUT_BYTES);
    const exact = known.flatMap((range) => without(pointers, range));
    // What was copied as a whole has its pointers from somewhere.
    if (this.policy === "careful" && sizeOf(exact) < sizeOf(known)) return null;
    if (!isAnywhere) return exact;
    const type = to === null ? null : resolvedType(types, to);
    if (type === null || to === null || type.kind === "void" || type.kind === "function") return exact;
    if (type.kind === "pointer") return null;
    const isText = type.kind === "integer" && type.bytes === 1;
    const size = isText ? this.options.string : sizeOfType(types, to);
    if (size < 1 || size > MOST_OUTPUT_BYTES) return exact;
    return merged([...without(pointers, { offset: 0, size }), ...exact]).slice(0, MOST_OUTPUTS);
  }
}

function hasPointers(types: CTypes, ref: TypeRef): boolean {
  return pointerOffsets(types, ref).length > 0;
}

/** Of the pointers in a value, unordered; of a union's members those of all. */
function pointerOffsets(types: CTypes, ref: TypeRef): readonly number[] {
  const found = new Set<number>();
  const work = [{ ref, offset: 0, nesting: 0 }];
  for (let at = work.pop(), parts = 0; at !== undefined && parts < MOST_PARTS; at = work.pop(), parts++) {
    const type = resolvedType(types, at.ref);
    const { offset, nesting } = at;
    if (nesting > MOST_NESTING) continue;
    if (type.kind === "pointer") found.add(offset);
    else if (type.kind === "record") {
      for (const member of type.members)
        if (member.bits === null) work.push({ ref: member.type, offset: offset + member.offset, nesting: nesting + 1 });
    } else if (type.kind === "array") {
      const size = sizeOfType(types, type.of);
      for (let n = 0; n < Math.min(type.count, MOST_PARTS) && work.length < MOST_PARTS; n++)
        work.push({ ref: type.of, offset: offset + n * size, nesting: nesting + 1 });
    }
  }
  return [...found];
}

/** What a range has besides the eight bytes of each pointer. */
function without(pointers: readonly number[], { offset, size }: ByteRange): ByteRange[] {
  const end = offset + size;
  const left: ByteRange[] = [];
  let from = offset;
  for (const at of [...pointers, end].sort((a, b) => a - b)) {
    const to = Math.min(at, end);
    if (to > from) left.push({ offset: from, size: to - from });
    from = Math.max(from, at + 8);
  }
  return left;
}

function sizeOf(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { size }) => sum + size, 0);
}

/** Those that touch or overlap are one. */
function merged(ranges: readonly ByteRange[]): ByteRange[] {
  const found: { offset: number; size: number }[] = [];
  for (const { offset, size } of [...ranges].sort((a, b) => a.offset - b.offset)) {
    const last = found.at(-1);
    if (last !== undefined && offset <= last.offset + last.size)
      last.size = Math.max(last.size, offset + size - last.offset);
    else found.push({ offset, size });
  }
  return found;
}
