// The numeric value of a constant that stands for an address or is computed from one: in initialisers of variables.

import type { DataLayout } from "../ir/data-layout.js";
import type { Type } from "../ir/types.js";
import type { BlockAddress, Constant, GlobalRef } from "../ir/values.js";
import { ShapeError } from "./shape.js";

export interface AddressSource {
  addressOf(ref: GlobalRef): number;
  blockAddress(constant: BlockAddress): number;
  readonly layout: DataLayout;
}

function bitsOf(type: Type): number {
  return type.kind === "int" ? type.bits : 64;
}

/** Unsigned, cut to the type's width. Recursion is bounded by the expression as written. */
export function constantValue(constant: Constant, source: AddressSource): bigint {
  switch (constant.kind) {
    case "int":
      return constant.value;
    case "zero":
    case "undef":
      return 0n;
    case "global":
      return BigInt(source.addressOf(constant));
    case "blockaddress":
      return BigInt(source.blockAddress(constant));
    case "constexpr": {
      const bits = bitsOf(constant.type);
      if (constant.op === "getelementptr") return BigInt.asUintN(64, gepValue(constant, source));
      const operands = constant.operands.map((operand) => constantValue(operand, source));
      const signed = (n: number): bigint => BigInt.asIntN(bitsOf(constant.operands[n].type), operands[n]);
      switch (constant.op) {
        case "ptrtoint":
        case "inttoptr":
        case "bitcast":
        case "addrspacecast":
        case "zext":
        case "trunc":
          return BigInt.asUintN(bits, operands[0]);
        case "sext":
          return BigInt.asUintN(bits, signed(0));
        case "add":
          return BigInt.asUintN(bits, operands[0] + operands[1]);
        case "sub":
          return BigInt.asUintN(bits, operands[0] - operands[1]);
        case "mul":
          return BigInt.asUintN(bits, operands[0] * operands[1]);
        case "and":
          return operands[0] & operands[1];
        case "or":
          return operands[0] | operands[1];
        case "xor":
          return operands[0] ^ operands[1];
        case "shl":
          return BigInt.asUintN(bits, operands[0] << operands[1]);
        case "lshr":
          return operands[0] >> operands[1];
        case "ashr":
          return BigInt.asUintN(bits, signed(0) >> operands[1]);
        case "icmp":
          switch (constant.predicate) {
            case "eq":
              return operands[0] === operands[1] ? 1n : 0n;
            case "ne":
              return operands[0] !== operands[1] ? 1n : 0n;
            default:
              break;
          }
          break;
        case "select":
          return operands[0] !== 0n ? operands[1] : operands[2];
        default:
          break;
      }
      throw new ShapeError(`the constant expression ${constant.op}`);
    }
    default:
      throw new ShapeError(`the constant ${constant.kind} as a number`);
  }
}

function gepValue(constant: Constant & { kind: "constexpr" }, source: AddressSource): bigint {
  let address = constantValue(constant.operands[0], source);
  let type = constant.sourceType as Type;
  for (let n = 1; n < constant.operands.length; n++) {
    const index = BigInt.asIntN(bitsOf(constant.operands[n].type), constantValue(constant.operands[n], source));
    if (n > 1) {
      if (type.kind === "struct") {
        address += BigInt(source.layout.structLayout(type).offsets[Number(index)]);
        type = type.fields[Number(index)];
        continue;
      }
      if (type.kind !== "array" && type.kind !== "vector") throw new ShapeError("getelementptr into a scalar");
      type = type.element;
    }
    address += index * BigInt(source.layout.sizeOf(type));
  }
  return address;
}
