// Shadows of floating point. A float is its bits, so constants, loads, stores, choices and casts of bits need nothing; here is
// what computes with it: arithmetic, comparisons, conversions, and the functions of math.h that are exact. Whatever makes a
// number is a `compute` instruction behind the operation. IEEE leaves the bits of a NaN open and the machine gives different
// ones, but the host's expressions have one NaN: where a shadow is set, `compute` also puts it into the computed value.

import type { FloatPredicate, Instruction, Value } from "../ir/values.js";
import type { ShadowPass } from "./shadow-pass.js";
import { NO_SHADOW, type Shadows } from "./shadow-values.js";
import { partsOf } from "./shape.js";
import { operationCode, type SymbolicOperation, type TernaryOperation, ternaryCode } from "./symbolic-boundary.js";

/** What operates on one to three floats of a format and gives such a float. */
export interface FloatOperation {
  readonly operation: SymbolicOperation | TernaryOperation;
  readonly arity: 1 | 2 | 3;
  /** Works on bits: its NaNs are exact. */
  readonly exact?: true;
}

/** By the stem of an intrinsic, which is also the name of the function of math.h for double. */
const OPERATIONS: Readonly<Record<string, FloatOperation>> = {
  fabs: { operation: "fabs", arity: 1, exact: true },
  sqrt: { operation: "sqrt", arity: 1 },
  floor: { operation: "floor", arity: 1 },
  ceil: { operation: "ceil", arity: 1 },
  trunc: { operation: "trunc.f", arity: 1 },
  rint: { operation: "rint", arity: 1 },
  nearbyint: { operation: "rint", arity: 1 },
  roundeven: { operation: "rint", arity: 1 },
  round: { operation: "round", arity: 1 },
  copysign: { operation: "copysign", arity: 2, exact: true },
  minnum: { operation: "minnum", arity: 2 },
  maxnum: { operation: "maxnum", arity: 2 },
  minimumnum: { operation: "minnum", arity: 2 },
  maximumnum: { operation: "maxnum", arity: 2 },
  minimum: { operation: "minimum", arity: 2 },
  maximum: { operation: "maximum", arity: 2 },
  fma: { operation: "fma", arity: 3 },
  fmuladd: { operation: "fmuladd", arity: 3 },
};
/** Functions of math.h with another name than their intrinsic. */
const FUNCTIONS: Readonly<Record<string, string>> = { fmin: "minnum", fmax: "maxnum" };
const NOT_FUNCTIONS: ReadonlySet<string> = new Set(["minnum", "maxnum", "minimumnum", "maximumnum", "fmuladd"]);

const COMPARISONS: Readonly<Partial<Record<FloatPredicate, SymbolicOperation>>> = {
  oeq: "oeq",
  ogt: "ogt",
  oge: "oge",
  olt: "olt",
  ole: "ole",
  one: "one",
  ord: "ord",
  ueq: "ueq",
  ugt: "ugt.f",
  uge: "uge.f",
  ult: "ult.f",
  ule: "ule.f",
  une: "une",
  uno: "uno",
};

/** float and double, and vectors of them. */
function isFloat({ type }: Value): boolean {
  const element = type.kind === "vector" ? type.element : type;
  return element.kind === "float" && (element.name === "float" || element.name === "double");
}

/** What an intrinsic's stem means for shadows; null if they stop there. */
export function floatIntrinsic(i: Instruction, stem: string): FloatOperation | null {
  const known = Object.hasOwn(OPERATIONS, stem) ? OPERATIONS[stem] : null;
  return known !== null && [i, ...i.operands.slice(1)].every(isFloat) ? known : null;
}

/** The same for a call of libc's function of this name. */
export function floatFunction(i: Instruction, name: string): FloatOperation | null {
  const single = name.endsWith("f") && !Object.hasOwn(OPERATIONS, name);
  const stem = single ? name.slice(0, -1) : name;
  if (NOT_FUNCTIONS.has(stem)) return null;
  const known = floatIntrinsic(i, Object.hasOwn(FUNCTIONS, stem) ? FUNCTIONS[stem] : stem);
  if (known === null || i.operands.length !== known.arity + 1) return null;
  const expected = single ? "float" : "double";
  const fits = [i, ...i.operands.slice(1)].every(({ type }) => type.kind === "float" && type.name === expected);
  return fits ? known : null;
}

/** The shadows of what a known intrinsic or function has computed; `i` has been appended. */
export function shadowOfFunction(
  pass: ShadowPass,
  i: Instruction,
  { operation, arity, exact }: FloatOperation,
): Shadows {
  const values = i.operands.slice(1, arity + 1);
  return exact === true ? pass.lanes(i, operation as SymbolicOperation, values) : compute(pass, i, operation, values);
}

/** llvm.modf of a float or double: a structure of the fraction and the whole part. */
export function isModf(i: Instruction, stem: string): boolean {
  return stem === "modf" && i.operands.length === 2 && i.operands[1].type.kind === "float" && isFloat(i.operands[1]);
}
/** `i` has been appended. */
export function shadowOfModf(pass: ShadowPass, i: Instruction): Shadows {
  const x = i.operands[1];
  const shadow = pass.shadowOf(x);
  if (shadow === NO_SHADOW) return null;
  const { bits } = partsOf(x.type)[0];
  return (["fraction", "trunc.f"] as const).map((operation, part) =>
    pass.shadow({ what: "compute", code: operationCode(operation, bits), parts: [0], part }, [x, shadow, i]),
  );
}

/** The shadows of an instruction on floats, which has been appended; undefined if it is none. */
export function shadowOfFloat(pass: ShadowPass, i: Instruction): Shadows | undefined {
  const [a, b] = i.operands;
  switch (i.op) {
    case "fadd":
    case "fsub":
    case "fmul":
    case "fdiv":
      return isFloat(i) ? compute(pass, i, i.op, [a, b]) : pass.giveUp(i, "floating-point");
    case "fneg":
      return isFloat(i) ? pass.lanes(i, "fneg", [a]) : pass.giveUp(i, "floating-point");
    case "fcmp": {
      const operation = COMPARISONS[i.extra.predicate];
      if (operation === undefined) return null;
      return isFloat(a) ? pass.lanes(i, operation, [a, b]) : pass.giveUp(i, "floating-point");
    }
    case "fptrunc":
    case "fpext":
      return isFloat(a) && isFloat(i) ? compute(pass, i, "fconvert", [a]) : pass.giveUp(i, "floating-point");
    case "fptosi":
    case "fptoui":
      return isFloat(a) ? convert(pass, i, i.op) : pass.giveUp(i, "floating-point");
    case "sitofp":
    case "uitofp":
      return isFloat(i) ? convert(pass, i, i.op) : pass.giveUp(i, "floating-point");
    default:
      return undefined;
  }
}

function compute(
  pass: ShadowPass,
  i: Instruction,
  operation: SymbolicOperation | TernaryOperation,
  values: Value[],
): Shadows {
  const from = partsOf(values[0].type);
  return partsOf(i.type).map(({ bits }, part) => {
    const shadows = values.map((value) => pass.shadowOf(value, part));
    if (shadows.every((shadow) => shadow === NO_SHADOW)) return NO_SHADOW;
    const code =
      operation === "fma" || operation === "fmuladd"
        ? ternaryCode(operation, bits)
        : operationCode(operation, from[part].bits, bits);
    const parts = values.map(() => part);
    return pass.shadow({ what: "compute", code, parts, part }, [...values, ...shadows, i]);
  });
}

/** Between floats and integers; those above 64 bits are the runtime's work. */
function convert(pass: ShadowPass, i: Instruction, operation: SymbolicOperation): Shadows {
  const from = partsOf(i.operands[0].type);
  const to = partsOf(i.type);
  const lanes = i.type.kind === "vector" ? i.type.count : 1;
  if (from.length !== lanes || to.length !== lanes) return pass.giveUp(i, "floating-point");
  return to.map(({ bits }, k) => pass.operate(operation, from[k].bits, [i.operands[0]], [k], bits));
}

const FROM_DOUBLE = "__tangent_f80_from_double";
const TO_NARROW = new Map<string, SymbolicOperation>([
  ["__tangent_f80_to_double", "f80ToDouble"],
  ["__tangent_f80_to_float", "f80ToFloat"],
]);

/**
 * Whether a call of a function of the runtime converts between 80 bits and the machine's formats, and is followed. Toward 80 bits
 * only where the number is just handed on, in scanf's function (runtime/libc/real.c): elsewhere it is computed with
 * next, which fixes it, and a double is fixed at less cost than its parts (printf).
 */
export function isLongConversion({ fn }: ShadowPass, name: string): boolean {
  if (name === FROM_DOUBLE) return fn.name === "__floatscan" && fn.module.origin !== "program";
  return TO_NARROW.has(name);
}
/** `i` calls it and has been appended. The 80 bits travel in the two parts of an i128. */
export function shadowOfLongConversion(pass: ShadowPass, i: Instruction, name: string): Shadows {
  const x = i.operands[1];
  const operation = TO_NARROW.get(name);
  if (operation !== undefined) return [pass.operate(operation, 64, [x, x], [0, 1])];
  return (["f80Significand", "f80Exponent"] as const).map((part) => pass.operate(part, 64, [x], [0]));
}
