// A list of instructions under construction with one current location: what a pass replaces an instruction with.

import type { DebugLoc } from "../debug-info.js";
import type { IrFunction } from "../module.js";
import { functionType, I1, type IntType, type Type } from "../types.js";
import {
  type BinaryOp,
  type CastOp,
  type ExtraOf,
  globalRef,
  type Instruction,
  type IntPredicate,
  instruction,
  type Op,
  type Value,
} from "../values.js";
import { lowerType } from "./lower-type.js";

export class Emitter {
  list: Instruction[] = [];
  loc: DebugLoc | null = null;

  emit<O extends Op>(op: O, type: Type, operands: Value[], extra: ExtraOf[O]): Instruction {
    const made = instruction(op, type, operands, extra, undefined, this.loc);
    this.list.push(made);
    return made;
  }
  binary(op: BinaryOp, a: Value, b: Value): Instruction {
    return this.emit(op, a.type, [a, b], null);
  }
  cast(op: CastOp, value: Value, type: Type): Instruction {
    return this.emit(op, type, [value], null);
  }
  /** Zero-extends or truncates, or gives the value itself if it has the width already. */
  resize(value: Value, type: IntType): Value {
    const from = (value.type as IntType).bits;
    if (from === type.bits) return value;
    return this.cast(from < type.bits ? "zext" : "trunc", value, type);
  }
  compare(predicate: IntPredicate, a: Value, b: Value): Instruction {
    return this.emit("icmp", I1, [a, b], { predicate });
  }
  call(target: IrFunction, result: Type, args: Value[]): Instruction {
    const params = args.map((arg) => lowerType(arg.type));
    return this.emit("call", result, [globalRef(target), ...args], {
      fnType: functionType(result, params),
      paramAttributes: [],
      noreturn: target.attributes.noreturn,
      returnsTwice: false,
      mustTail: false,
      mayInline: true,
    });
  }
  unsupported(what: string, type: Type): Instruction {
    return this.emit("unsupported", type, [], { what, terminator: false });
  }
}
