// Which fields of structures the code behind a function touches: those are worth making. A structure of a real program has pointers in
// all directions (next, prev, parent, user data), and each that is followed doubles the ways a unit can begin; one that nothing uses is
// null, which changes no path.
//
// Code is what the function refers to, directly or through what it refers to; if it calls through a pointer, also every function whose
// address is taken. Fields are known by the structure's name and the offset. Where addresses were computed in bytes (optimised code,
// container_of) the answer is that everything is used.

import { calledFunction } from "../../ir/analysis/call-graph.js";
import { constantOffset } from "../../ir/analysis/gep.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import type { Type } from "../../ir/types.js";
import { intValue, type Value } from "../../ir/values.js";

/** `structure`: as LLVM names it, `struct.node`. */
export type FieldUse = (structure: string, offset: number) => boolean;

interface OwnUse {
  readonly fields: ReadonlySet<string>;
  readonly callsThroughPointers: boolean;
  readonly computesInBytes: boolean;
}

/** Fewer bytes are a step in a text. */
const LEAST_BYTES = 8;

export class UsedFields {
  private readonly own = new Map<IrFunction, OwnUse>();

  constructor(
    private readonly program: LinkedProgram,
    private readonly taken: () => readonly IrFunction[],
  ) {}

  by(fn: IrFunction): FieldUse {
    const seen = new Set<IrFunction>([fn]);
    const fields = new Set<string>();
    const work = [fn];
    let isAnywhere = false;
    let addedTaken = false;
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      const use = this.ownUse(at);
      if (use.computesInBytes) return () => true;
      for (const field of use.fields) fields.add(field);
      isAnywhere ||= use.callsThroughPointers;
      const next: IrFunction[] = [];
      for (const value of this.program.references.get(at) ?? []) {
        const target = value.resolved ?? value;
        if (target.kind === "function") next.push(target);
      }
      if (isAnywhere && !addedTaken) {
        addedTaken = true;
        next.push(...this.taken());
      }
      for (const one of next) {
        if (one.module.origin !== "program" || seen.has(one)) continue;
        seen.add(one);
        work.push(one);
      }
    }
    return (structure, offset) => fields.has(`${structure} ${offset}`);
  }

  private ownUse(fn: IrFunction): OwnUse {
    const known = this.own.get(fn);
    if (known !== undefined) return known;
    const fields = new Set<string>();
    let callsThroughPointers = false;
    let computesInBytes = false;
    const address = (type: Type, operands: readonly Value[]): void => {
      if (type.kind === "int") {
        const bytes = operands.length === 2 ? constantOffset(fn.module.layout, type, operands, 1) : null;
        if (bytes !== null && Math.abs(bytes) >= LEAST_BYTES && bytes % 8 === 0 && type.bits === 8)
          computesInBytes = true;
        return;
      }
      fieldsOf(fn, type, operands, fields);
    };
    const look = (value: Value, nesting: number): void => {
      if (value.kind !== "constexpr" || nesting > 8) return;
      if (value.op === "getelementptr" && value.sourceType !== null) address(value.sourceType, value.operands);
      for (const operand of value.operands) look(operand, nesting + 1);
    };
    for (const { instructions } of fn.parseBody()?.blocks ?? []) {
      for (const instruction of instructions) {
        if (instruction.op === "getelementptr") address(instruction.extra.sourceType, instruction.operands);
        if (instruction.op === "call" && calledFunction(instruction.operands[0]) === null) callsThroughPointers = true;
        for (const operand of instruction.operands) look(operand, 0);
      }
    }
    const use = { fields, callsThroughPointers, computesInBytes };
    this.own.set(fn, use);
    return use;
  }
}

/** The fields that an address steps into, one inside of the other. */
function fieldsOf(fn: IrFunction, sourceType: Type, operands: readonly Value[], fields: Set<string>): void {
  const { layout } = fn.module;
  let type = sourceType;
  for (let k = 2; k < operands.length; k++) {
    if (type.kind === "array" || type.kind === "vector") {
      type = type.element;
      continue;
    }
    if (type.kind !== "struct") return;
    const index = intValue(operands[k]);
    const field = index === null ? undefined : type.fields[Number(index)];
    if (index === null || field === undefined) return;
    if (type.name !== null) {
      fields.add(`${type.name.replace(/\.\d+$/, "")} ${layout.structLayout(type).offsets[Number(index)]}`);
    }
    type = field;
  }
}
