// Types and constants as IR text that parses back to the same thing. Recursion is fine here: what is printed was read
// by a parser that limits nesting.

import { type FloatName, type StructType, type Type, typeToString } from "../types.js";
import type { Constant, ConstFloat } from "../values.js";

/** A name as it stands after % or @: quoted unless LLVM's lexer takes it as it is. */
export function printName(name: string): string {
  if (/^(?:[-a-zA-Z$._][-a-zA-Z$._0-9]*|[0-9]+)$/.test(name)) return name;
  return `"${escapeBytes(Buffer.from(name, "utf8"))}"`;
}

/** Bytes between quotation marks. */
export function escapeBytes(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    text += plain ? String.fromCharCode(byte) : `\\${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

/** Prints types and constants, and remembers the named structures met, whose definitions a module needs. */
export class ValuePrinter {
  readonly structs = new Map<string, StructType>();

  type(type: Type): string {
    switch (type.kind) {
      case "struct":
        if (type.name !== null) {
          this.structs.set(type.name, type);
          return `%${printName(type.name)}`;
        }
        return this.structBody(type);
      case "array":
        return `[${type.count} x ${this.type(type.element)}]`;
      case "vector":
        return `<${type.count} x ${this.type(type.element)}>`;
      case "function": {
        const params = type.params.map((param) => this.type(param));
        if (type.variadic) params.push("...");
        return `${this.type(type.result)} (${params.join(", ")})`;
      }
      default:
        return typeToString(type);
    }
  }

  structBody(type: StructType): string {
    if (type.opaque) return "opaque";
    const fields = type.fields.length === 0 ? "{}" : `{ ${type.fields.map((field) => this.type(field)).join(", ")} }`;
    return type.packed ? `<${fields}>` : fields;
  }

  typed(constant: Constant): string {
    return `${this.type(constant.type)} ${this.constant(constant)}`;
  }

  constant(constant: Constant): string {
    switch (constant.kind) {
      case "int":
        if (constant.type.bits === 1) return constant.value === 1n ? "true" : "false";
        return BigInt.asIntN(constant.type.bits, constant.value).toString();
      case "float":
        return printFloat(constant);
      case "zero":
        return constant.type.kind === "ptr" ? "null" : "zeroinitializer";
      case "undef":
        return "undef";
      case "bytes":
        return `c"${escapeBytes(constant.bytes)}"`;
      case "aggregate": {
        const elements = constant.elements.map((element) => this.typed(element)).join(", ");
        if (constant.type.kind === "vector") return `<${elements}>`;
        if (constant.type.kind === "array") return `[${elements}]`;
        const braced = elements === "" ? "{}" : `{ ${elements} }`;
        return constant.type.kind === "struct" && constant.type.packed ? `<${braced}>` : braced;
      }
      case "global":
        return `@${printName(constant.target.name)}`;
      case "blockaddress":
        return `blockaddress(@${printName(constant.target.name)}, %${printName(printLabel(constant.label))})`;
      case "constexpr": {
        const operands = constant.operands.map((operand) => this.typed(operand)).join(", ");
        if (constant.op === "getelementptr" && constant.sourceType !== null) {
          return `getelementptr (${this.type(constant.sourceType)}, ${operands})`;
        }
        if (constant.predicate !== null) return `icmp ${constant.predicate} (${operands})`;
        const isCast = constant.operands.length === 1;
        return `${constant.op} (${operands}${isCast ? ` to ${this.type(constant.type)}` : ""})`;
      }
    }
  }
}

/** Numbered blocks get a name: numbers belong to the values, which are numbered anew when printed. */
export function printLabel(name: string): string {
  return /^[0-9]+$/.test(name) ? `bb${name}` : name;
}

function hex(bits: bigint, digits: number): string {
  return bits.toString(16).toUpperCase().padStart(digits, "0");
}

const PREFIX: Readonly<Record<FloatName, string>> = {
  half: "0xH",
  bfloat: "0xR",
  float: "0x",
  double: "0x",
  x86_fp80: "0xK",
  fp128: "0xL",
};

function printFloat({ type, bits }: ConstFloat): string {
  const prefix = PREFIX[type.name];
  switch (type.name) {
    case "half":
    case "bfloat":
      return prefix + hex(bits, 4);
    case "float":
      return prefix + hex(widen(bits), 16);
    case "double":
      return prefix + hex(bits, 16);
    case "x86_fp80":
      return prefix + hex(bits, 20);
    case "fp128":
      // The low half comes first.
      return prefix + hex(BigInt.asUintN(64, bits), 16) + hex(bits >> 64n, 16);
  }
}

/** A float's bits as the equal double's, the payload of a NaN kept. */
function widen(bits: bigint): bigint {
  const sign = (bits >> 31n) << 63n;
  const exponent = (bits >> 23n) & 0xffn;
  const fraction = bits & 0x7fffffn;
  if (exponent === 0xffn) return sign | (0x7ffn << 52n) | (fraction << 29n);
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, Number(bits));
  view.setFloat64(0, view.getFloat32(0));
  return view.getBigUint64(0);
}
