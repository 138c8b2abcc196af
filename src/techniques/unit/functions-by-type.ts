// Which functions of a program a pointer may lead to, by type: those of the same result and parameters whose address
// stands somewhere else than in a call of them. Coarser than points-to sets, and there without them; computed when a
// unit first wants one. With a graph at hand (functions-behind.ts) those come first that the code behind the unit may
// call.

import type { UnitName } from "../../engine/unit-description.js";
import { type DebugTypes, resolvedType, type TypeRef, typeText } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import type { Type } from "../../ir/types.js";
import { addressTaken } from "../../program/graph/calls.js";
import type { FunctionsOfType } from "./describe-values.js";
import { pathOfFunction } from "./function-path.js";

/**
 * `called`: those that a points-to analysis leads to; if some of them fit, the others are left out. `isOfTests`: these are never taken: the
 * tests' functions expect what the tests have prepared.
 */
export function functionsByType(
  debug: DebugTypes,
  taken: () => readonly IrFunction[],
  called: ReadonlySet<IrFunction> | null,
  isOfTests: (fn: IrFunction) => boolean = () => false,
): FunctionsOfType {
  return (type) => {
    const candidates = taken().filter((fn) => !isOfTests(fn));
    const inCalls =
      called === null
        ? []
        : namesOfType(
            debug,
            type,
            candidates.filter((fn) => called.has(fn)),
          );
    if (inCalls.length > 0) return { functions: inCalls, isCalled: true };
    const functions = namesOfType(debug, type, candidates);
    const isOnlyInTests = functions.length === 0 && namesOfType(debug, type, taken()).length > 0;
    return { functions, isCalled: false, ...(isOnlyInTests ? { isOnlyInTests } : {}) };
  };
}

function namesOfType(debug: DebugTypes, type: TypeRef, candidates: readonly IrFunction[]): readonly UnitName[] {
  const wanted = shapeText(debug, type);
  if (wanted === null) return [];
  const registers = registersText(debug, type);
  return candidates.flatMap((fn): UnitName[] => {
    // The library's own functions have lines in their debug information, and no types.
    if (fn.module.origin !== "program") return registersOf(fn) === registers ? [fn.name] : [];
    const own = debug.functionOf(fn);
    if (own === null) return [];
    const text = listText(
      debug,
      own.result,
      own.parameters.map((one) => one.type),
      own.variadic,
    );
    if (text !== wanted) return [];
    const file = pathOfFunction(fn);
    return [file === null ? fn.name : { name: fn.name, file }];
  });
}

/**
 * Functions whose addresses stand somewhere else than in a call of them; the program's own first, then malloc and the
 * like: those that the program mentions, not those that libc keeps for itself (`__stdio_close`).
 */
export function functionsTaken(program: LinkedProgram): readonly IrFunction[] {
  const own = program.functions.filter(({ module }) => module.origin === "program");
  const bodies = own.flatMap((fn) => {
    const body = fn.parseBody();
    return body === null ? [] : [{ fn, functionIndex: -1, firstBlock: -1, body }];
  });
  const variables = program.variables.filter(({ module }) => module.origin === "program");
  const taken = addressTaken({ variables }, bodies);
  const others = program.functions.filter((fn) => taken.has(fn) && fn.module.origin !== "program");
  return [...own.filter((fn) => taken.has(fn)), ...others];
}

function shapeText(debug: DebugTypes, ref: TypeRef): string | null {
  const type = resolvedType(debug.types, ref);
  return type.kind === "function" ? listText(debug, type.result, type.parameters, type.variadic) : null;
}

function listText(debug: DebugTypes, result: TypeRef, parameters: readonly TypeRef[], variadic: boolean): string {
  const one = (ref: TypeRef): string => plainText(debug, ref);
  return `${one(result)}(${[...parameters.map(one), ...(variadic ? ["..."] : [])].join(", ")})`;
}

/** A function by what it takes and gives in registers; null if there is more to it. */
function registersOf({ type: { result, params, variadic } }: IrFunction): string | null {
  const one = (type: Type): string =>
    type.kind === "int" ? `i${type.bits}` : type.kind === "float" ? type.name : type.kind;
  return variadic ? null : [result, ...params].map(one).join(" ");
}

function registersText(debug: DebugTypes, ref: TypeRef): string | null {
  const type = resolvedType(debug.types, ref);
  if (type.kind !== "function" || type.variadic) return null;
  const parts = [type.result, ...type.parameters].map((part) => {
    const own = resolvedType(debug.types, part);
    switch (own.kind) {
      case "void":
        return "void";
      case "pointer":
        return "ptr";
      case "integer":
      case "enum":
        return `i${8 * own.bytes}`;
      case "float":
        return own.name;
      default:
        return "?";
    }
  });
  return parts.join(" ");
}

const MOST_POINTERS = 8;

/** Without typedefs and qualifiers, so that the same type is the same text whoever names it. */
function plainText(debug: DebugTypes, ref: TypeRef): string {
  let at = ref;
  let stars = "";
  for (let step = 0; step < MOST_POINTERS; step++) {
    const type = resolvedType(debug.types, at);
    switch (type.kind) {
      case "pointer":
        stars += "*";
        at = type.to;
        continue;
      case "integer":
        return `${type.signed ? "s" : "u"}${8 * type.bytes}${stars}`;
      case "enum":
        return `${type.signed ? "s" : "u"}${8 * type.bytes}${stars}`;
      case "record":
      case "incomplete":
        return `${type.tag} ${type.name === "" ? typeText(debug.types, at) : type.name}${stars}`;
      default:
        return `${type.kind} ${"bytes" in type ? type.bytes : ""}${stars}`;
    }
  }
  return `?${stars}`;
}
