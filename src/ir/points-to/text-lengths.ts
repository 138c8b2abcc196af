// Which numbers are lengths of text: what strlen and read return, differences of pointers, sums of these, and parameters that all
// callers give such a number to. A copy of so many bytes copies text, and no pointers: without knowing this, every string that is
// appended to a buffer takes along whatever else the analysis believes the string to be.

import { calledFunction } from "../analysis/call-graph.js";
import type { IrFunction } from "../module.js";
import { type Argument, type Body, type Instruction, intValue, type Value } from "../values.js";

const MEASURING = new Set([
  ...["strlen", "strnlen", "strspn", "strcspn", "read", "fread", "getline", "getdelim", "readlink", "pread"],
  ...["snprintf", "sprintf", "vsnprintf", "mbrtowc", "wcrtomb", "mbrlen", "mbtowc", "wctomb", "__fwritex"],
]);
/** Longer constants may be sizes of structures. */
const LEAST_STRUCTURE = 8n;
/** Phis and sums are followed so far. */
const MOST_VALUES = 64;

export class TextLengths {
  private readonly known = new Map<Value, boolean>();
  private readonly given = new Map<Argument, Value[]>();
  private readonly escaping = new Set<Argument>();

  constructor(bodies: ReadonlyMap<IrFunction, Body>) {
    for (const body of bodies.values()) {
      for (const { instructions } of body.blocks) for (const i of instructions) this.note(i, bodies);
    }
  }

  /** Calls give parameters their values; a function whose address is taken has callers that are not seen here. */
  private note(i: Instruction, bodies: ReadonlyMap<IrFunction, Body>): void {
    const direct = i.op === "call" ? calledFunction(i.operands[0]) : null;
    const parameters = direct === null ? undefined : bodies.get(direct)?.args;
    i.operands.forEach((operand, at) => {
      if (parameters !== undefined && at > 0 && parameters[at - 1] !== undefined) {
        const list = this.given.get(parameters[at - 1]);
        if (list === undefined) this.given.set(parameters[at - 1], [operand]);
        else list.push(operand);
      }
      if (operand.kind !== "global" || (at === 0 && direct !== null)) return;
      const target = operand.target.resolved ?? operand.target;
      if (target.kind !== "function") return;
      for (const argument of bodies.get(target)?.args ?? []) this.escaping.add(argument);
    });
  }

  isTextLength(value: Value): boolean {
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const seen = new Set<Value>();
    const work: Value[] = [value];
    let isText = true;
    // At least one of them must be a length; constants alone say nothing.
    let isLength = false;
    for (let at = work.pop(); at !== undefined && isText; at = work.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (seen.size > MOST_VALUES) isText = false;
      const constant = intValue(at);
      if (constant !== null) continue;
      const found = this.partsOf(at);
      if (found === "length") isLength = true;
      else if (found === null) isText = false;
      else work.push(...found);
    }
    const number = intValue(value);
    const result = number !== null ? number < LEAST_STRUCTURE : isText && isLength;
    this.known.set(value, result);
    return result;
  }

  /** What a number is made of; null: it may be a size of structures. */
  private partsOf(value: Value): readonly Value[] | "length" | null {
    if (value.kind === "argument") return this.escaping.has(value) ? null : (this.given.get(value) ?? null);
    if (value.kind !== "instruction") return value.kind === "undef" ? [] : null;
    const isPointer = (operand: Value): boolean => operand.kind === "instruction" && operand.op === "ptrtoint";
    switch (value.op) {
      case "call": {
        const name = calledFunction(value.operands[0])?.name ?? "";
        if (name.startsWith("llvm.umin.") || name.startsWith("llvm.umax.")) return value.operands.slice(1);
        return MEASURING.has(name) ? "length" : null;
      }
      case "sub":
        if (isPointer(value.operands[1])) return "length";
        return value.operands;
      case "add":
      case "phi":
        return value.operands;
      case "zext":
      case "sext": {
        const [from] = value.operands;
        // Somebody counts bytes in an int; sizes of elements are size_t.
        return from.kind === "instruction" && from.op === "load" ? "length" : [from];
      }
      case "trunc":
      case "freeze":
        return [value.operands[0]];
      case "select":
        return value.operands.slice(1);
      default:
        return null;
    }
  }
}
