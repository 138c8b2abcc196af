// Numbers that a test writes into its calls of the library, `date_make(2020, 2, 30)`, as input. A number in the code has no place in memory
// that could be given another value, so it gets one: a variable of the test's unit that begins with the number, and is loaded where the
// number stood. Only here does the program differ from what was compiled; it does the same as before.
//
// Which numbers: arguments of direct calls, in the tests' own functions, of functions of the library, or of the tests' own helpers that hand
// the parameter on to the library. Left out are numbers for parameters that are enumerations or truth values (other ones are misuse, not
// input), line numbers, and sizes of what is passed beside them: an array or string of that many bytes or elements. Numbers in variables and
// tables stay as they are. What other numbers may show is told with care: techniques/number-misuse.ts.
//
// Invariant: which numbers have a place depends on the program's text only, and a variable's name says which number it is. So functions with
// and without such variables are never mistaken for one another (jit/function-keys.ts).

import { calledFunction } from "../ir/analysis/call-graph.js";
import type { DataLayout } from "../ir/data-layout.js";
import { DebugTypes, resolvedType } from "../ir/debug-types.js";
import type { LinkedProgram } from "../ir/link.js";
import { type GlobalVariable, IrError, type IrFunction } from "../ir/module.js";
import { PTR, type Type } from "../ir/types.js";
import { type Body, type Constant, type Instruction, instruction, type Value } from "../ir/values.js";
import { pathOf } from "../jit/line-table.js";
import { literalName, NUMBER_FORMS, type NumberForm, SLOT_PREFIX } from "../support/literal-names.js";
import { type TestFunctions, testFunctionsOf } from "./test-functions.js";

/** A program with more is no test. */
const MOST_NUMBERS = 2000;
/** Helpers that call helpers. */
const MOST_HELPERS = 4;

interface Place {
  readonly file: string;
  readonly line: number;
}

export interface NumberSlot {
  readonly variable: GlobalVariable;
  /** As in support/literal-names.ts. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly place: Place;
}

export interface NumberSlots {
  readonly slots: readonly NumberSlot[];
  /** Where numbers are the size of something beside them. */
  readonly sizes: readonly Place[];
}

/** An argument that is a number: which of the function's calls, which operand. */
interface Found {
  readonly call: number;
  readonly operand: number;
  readonly slot: NumberSlot;
}

/** Functions of the program are changed in place. */
export function withNumberSlots(
  program: LinkedProgram,
  layout: DataLayout,
): { readonly program: LinkedProgram; readonly numbers: NumberSlots | null } {
  const functions = testFunctionsOf(program);
  // Where only `--literals on` makes a test of it, it is mostly none: its code stays what it is.
  if (functions === null || functions.named === "no") return { program, numbers: null };
  const finder = new NumberFinder(program, functions, layout);
  const references = new Map(program.references);
  const variables: GlobalVariable[] = [];
  for (const fn of functions.own) {
    if (!functions.isTestFunction(fn)) continue;
    const found = finder.look(fn);
    if (found.length === 0) continue;
    const own = found.map(({ slot }) => slot.variable);
    variables.push(...own);
    references.set(fn, [...(program.references.get(fn) ?? []), ...own]);
    const parse = fn.parseBody.bind(fn);
    fn.parseBody = () => loading(parse(), found);
  }
  const numbers = { slots: finder.slots, sizes: finder.sizes };
  if (variables.length === 0) return { program, numbers };
  const isLocal = ({ threadLocal }: GlobalVariable): boolean => threadLocal;
  const before = program.variables.filter((variable) => !isLocal(variable));
  const all = [...before, ...variables, ...program.variables.filter(isLocal)];
  return { program: { ...program, variables: all, references }, numbers };
}

/** The body with its numbers loaded. */
function loading(body: Body | null, found: readonly Found[]): Body | null {
  if (body === null) return null;
  const byCall = new Map<number, Found[]>();
  for (const one of found) byCall.set(one.call, [...(byCall.get(one.call) ?? []), one]);
  let call = 0;
  for (const block of body.blocks) {
    block.instructions = block.instructions.flatMap((one) => {
      if (one.op !== "call") return [one];
      const loads = (byCall.get(call++) ?? []).map(({ operand, slot: { variable } }) => {
        const { valueType, align } = variable;
        const extra = { accessType: valueType, align, volatile: false, unchecked: true };
        const address = { kind: "global", type: PTR, target: variable } as const;
        const load = instruction("load", valueType, [address], extra, undefined, one.loc);
        one.operands[operand] = load;
        return load;
      });
      return [...loads, one];
    });
  }
  return body;
}

class NumberFinder {
  readonly slots: NumberSlot[] = [];
  readonly sizes: Place[] = [];
  private readonly types: DebugTypes;
  /** By line, function and argument: how many there were. */
  private readonly counts = new Map<string, number>();
  private readonly bodies = new Map<IrFunction, Body | null>();

  constructor(
    program: LinkedProgram,
    private readonly functions: TestFunctions,
    private readonly layout: DataLayout,
  ) {
    this.types = new DebugTypes(program.modules);
  }

  look(fn: IrFunction): readonly Found[] {
    const found: Found[] = [];
    let call = 0;
    for (const { instructions } of this.bodyOf(fn)?.blocks ?? []) {
      for (const one of instructions) {
        if (one.op === "call") found.push(...this.lookAt(fn, one, call++));
      }
    }
    return found;
  }

  private lookAt(fn: IrFunction, call: Instruction & { readonly op: "call" }, index: number): readonly Found[] {
    const called = calledFunction(call.operands[0]);
    const callee = called?.resolved?.kind === "function" ? called.resolved : null;
    const place = placeOf(call);
    if (callee === null || place === null || callee.module.origin !== "program" || callee.isDeclaration) return [];
    const forms = this.formsOf(callee);
    return forms.flatMap((form, n): Found[] => {
      const value = call.operands[n + 1];
      const bytes = form === null ? null : bytesOf(value, form);
      if (form === null || bytes === null || !this.reachesLibrary(callee, n, MOST_HELPERS)) return [];
      const number = this.countOf(`${place.file}:${place.line}:${callee.name}:${n}`);
      if (value.kind === "int" && value.value === BigInt(place.line)) return [];
      if (value.kind === "int" && this.isSizeBeside(value.value, call)) {
        this.sizes.push(place);
        return [];
      }
      if (this.slots.length >= MOST_NUMBERS) return [];
      const name = literalName({ ...place, number, argument: { form, callee: callee.name, argument: n + 1 } });
      const slot = { variable: variableOf(fn, `${index}.${n}`, value as Constant), name, bytes, place };
      this.slots.push(slot);
      return [{ call: index, operand: n + 1, slot }];
    });
  }

  private countOf(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }

  private readonly knownForms = new Map<IrFunction, readonly (NumberForm | null)[]>();

  /** Of each parameter; none at all if the parameters of the source and of the code are not one for one. */
  private formsOf(callee: IrFunction): readonly (NumberForm | null)[] {
    const known = this.knownForms.get(callee);
    if (known !== undefined) return known;
    const declared = this.types.functionOf(callee);
    const { params } = callee.type;
    const forms =
      declared === null || declared.parameters.length !== params.length
        ? []
        : declared.parameters.map(({ type }, n) => {
            const of = resolvedType(this.types.types, type);
            if (of.kind === "float") return formOf(params[n], "f");
            return of.kind === "integer" ? formOf(params[n], of.signed ? "i" : "u") : null;
          });
    this.knownForms.set(callee, forms);
    return forms;
  }

  /** It is a function of the library, or a helper that hands this parameter to one. */
  private reachesLibrary(callee: IrFunction, parameter: number, most: number): boolean {
    if (!this.functions.isTestFunction(callee)) return true;
    const body = most === 0 ? null : this.bodyOf(callee);
    if (body === null) return false;
    const derived = derivedFrom(body, body.args[parameter]);
    return callsOf(body).some(({ operands }) => {
      const called = calledFunction(operands[0]);
      const next = called?.resolved?.kind === "function" ? called.resolved : null;
      if (next === null || next === callee || next.module.origin !== "program" || next.isDeclaration) return false;
      return operands.some((one, n) => n > 0 && derived.has(one) && this.reachesLibrary(next, n - 1, most - 1));
    });
  }

  /** Bytes or elements of what one of the arguments points to, with or without a string's end. */
  private isSizeBeside(value: bigint, { operands }: Instruction): boolean {
    return operands.slice(1).some((operand) => {
      const type = pointedTo(operand);
      if (type === null) return false;
      const count = type.kind === "array" ? type.count : 1;
      const sizes = [this.layout.sizeOf(type), count, count - 1];
      return value > 0n && sizes.some((size) => BigInt(size) === value);
    });
  }

  private bodyOf(fn: IrFunction): Body | null {
    const known = this.bodies.get(fn);
    if (known !== undefined) return known;
    let body: Body | null = null;
    try {
      body = fn.parseBody();
    } catch (error) {
      // Whoever translates it says so.
      if (!(error instanceof IrError)) throw error;
    }
    this.bodies.set(fn, body);
    return body;
  }
}

function callsOf({ blocks }: Body): readonly Instruction[] {
  return blocks.flatMap(({ instructions }) => instructions.filter(({ op }) => op === "call"));
}

/** What is computed of a parameter alone: by conversions and arithmetic, and through variables that are set once. */
function derivedFrom({ blocks }: Body, parameter: Value | undefined): ReadonlySet<Value> {
  const derived = new Set<Value>(parameter === undefined ? [] : [parameter]);
  const all = blocks.flatMap(({ instructions }) => instructions);
  const stores = new Map<Value, number>();
  for (const { op, operands } of all) if (op === "store") stores.set(operands[1], (stores.get(operands[1]) ?? 0) + 1);
  for (const one of all) {
    const { op, operands } = one;
    if (op === "store") {
      const [value, to] = operands;
      if (derived.has(value) && to.kind === "instruction" && to.op === "alloca" && stores.get(to) === 1)
        derived.add(to);
    } else if (DERIVING.has(op) && operands.some((operand) => derived.has(operand))) derived.add(one);
  }
  return derived;
}
const DERIVING: ReadonlySet<string> = new Set([
  ...["load", "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"],
  ...["add", "sub", "mul", "and", "or", "xor", "shl", "fadd", "fsub", "fmul"],
]);

/** The type of the variable or constant that a pointer begins. */
function pointedTo(value: Value): Type | null {
  if (value.kind === "global")
    return value.target.resolved?.kind === "variable" ? value.target.resolved.valueType : null;
  if (value.kind === "constexpr" && value.op === "getelementptr") return pointedTo(value.operands[0]);
  if (value.kind !== "instruction") return null;
  if (value.op === "alloca") return value.extra.allocated;
  return value.op === "getelementptr" ? pointedTo(value.operands[0]) : null;
}

function formOf(type: Type, letter: "i" | "u" | "f"): NumberForm | null {
  const bits =
    type.kind === "int" ? type.bits : type.kind === "float" ? { float: 32, double: 64 }[type.name as "float"] : 0;
  const form = `${letter}${bits}`;
  return (letter === "f") === (type.kind === "float") && Object.hasOwn(NUMBER_FORMS, form)
    ? (form as NumberForm)
    : null;
}

function bytesOf(value: Value, form: NumberForm): Uint8Array | null {
  const size = NUMBER_FORMS[form];
  const number =
    value.kind === "int" ? value.value : value.kind === "float" ? value.bits : value.kind === "zero" ? 0n : null;
  if (number === null) return null;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, number, true);
  return new Uint8Array(bytes.buffer, 0, size);
}

function variableOf(fn: IrFunction, which: string, value: Constant): GlobalVariable {
  const size =
    value.type.kind === "int"
      ? value.type.bits / 8
      : value.type.kind === "float" && value.type.name === "float"
        ? 4
        : 8;
  const variable: GlobalVariable = {
    kind: "variable",
    name: `${SLOT_PREFIX}${fn.name}.${which}`,
    module: fn.module,
    linkage: "internal",
    hidden: true,
    resolved: null,
    isDeclaration: false,
    valueType: value.type,
    // What is constant may be put in the place of a load.
    constant: false,
    threadLocal: false,
    align: size,
    section: null,
    debugId: -1,
    initializer: () => value,
  };
  variable.resolved = variable;
  return variable;
}

function placeOf({ loc }: Instruction): Place | null {
  const frame = loc === null ? null : loc.debug.frame(loc.id);
  return frame === null || frame.file === "" ? null : { file: pathOf(frame), line: frame.line };
}
