// Bodies and instructions as IR text, for tests and messages. Values are numbered anew as LLVM would number them, and
// blocks keep their names, so that the text of a body does not depend on how it was written but only on what it says,
// and parses back to an equal body. What only our own passes make (`check`, `unsupported`) is printed in the same style
// and parsed by parse-own.ts.

import type { IrFunction } from "../module.js";
import {
  type Argument,
  type Block,
  type Body,
  type CallExtra,
  type Instruction,
  isConstant,
  NO_ATTRIBUTES,
  type ParamAttributes,
  type Value,
} from "../values.js";
import { escapeBytes, printLabel, printName, ValuePrinter } from "./print-value.js";

export interface PrintOptions {
  /** Print `!dbg` attachments. */
  readonly locations: boolean;
}

const WITHOUT_LOCATIONS: PrintOptions = { locations: false };

/** A definition with its body. */
export function printFunction(
  fn: IrFunction,
  body: Body,
  values = new ValuePrinter(),
  options: PrintOptions = WITHOUT_LOCATIONS,
): string {
  const printer = new BodyPrinter(body, values, options);
  const params = body.args.map((arg, i) => {
    const attributes = printAttributes(fn.params[i] ?? NO_ATTRIBUTES, values);
    return `${values.type(arg.type)}${attributes} ${printer.value(arg)}`;
  });
  if (fn.type.variadic) params.push("...");
  const head = `${functionPrefix(fn)}${values.type(fn.type.result)} @${printName(fn.name)}(${params.join(", ")})`;
  return `define ${head}${functionSuffix(fn, options)} {\n${printer.blocks()}}\n`;
}

/** The blocks of a body alone. */
export function printBody(body: Body): string {
  return new BodyPrinter(body, new ValuePrinter(), WITHOUT_LOCATIONS).blocks();
}

/** One instruction of a body, as it stands in `printBody`. */
export function printInstruction(instruction: Instruction, body: Body): string {
  return new BodyPrinter(body, new ValuePrinter(), WITHOUT_LOCATIONS).line(instruction);
}

/** `declare ...` of a function, whether it has a body or not. */
export function printDeclaration(
  fn: IrFunction,
  values = new ValuePrinter(),
  options: PrintOptions = WITHOUT_LOCATIONS,
): string {
  const params = fn.type.params.map(
    (type, i) => values.type(type) + printAttributes(fn.params[i] ?? NO_ATTRIBUTES, values),
  );
  if (fn.type.variadic) params.push("...");
  const head = `${functionPrefix(fn)}${values.type(fn.type.result)} @${printName(fn.name)}(${params.join(", ")})`;
  // A declaration's attachments come first.
  const debug = options.locations && fn.debugId >= 0 ? `!dbg !${fn.debugId} ` : "";
  return `declare ${debug}${head}${functionSuffix(fn, WITHOUT_LOCATIONS)}\n`;
}

function functionPrefix(fn: IrFunction): string {
  return (fn.linkage === "external" ? "" : `${fn.linkage} `) + (fn.hidden ? "hidden " : "");
}

function functionSuffix({ attributes, debugId }: IrFunction, options: PrintOptions): string {
  let text = "";
  if (attributes.noreturn) text += " noreturn";
  if (attributes.returnsTwice) text += " returns_twice";
  if (attributes.alwaysInline) text += " alwaysinline";
  if (attributes.noInline) text += " noinline";
  if (attributes.naked) text += " naked";
  if (attributes.valueOnly) text += " willreturn";
  return options.locations && debugId >= 0 ? `${text} !dbg !${debugId}` : text;
}

function printAttributes(attributes: ParamAttributes, values: ValuePrinter): string {
  if (attributes === NO_ATTRIBUTES) return "";
  let text = "";
  if (attributes.signext) text += " signext";
  if (attributes.zeroext) text += " zeroext";
  // The type of an `sret` is not kept.
  if (attributes.sret) text += " sret(i8)";
  if (attributes.byval !== null) text += ` byval(${values.type(attributes.byval)})`;
  if (attributes.align !== 0) text += ` align ${attributes.align}`;
  return text;
}

class BodyPrinter {
  private readonly names = new Map<Argument | Instruction, string>();
  private readonly labels = new Map<Block, string>();

  constructor(
    private readonly body: Body,
    private readonly values: ValuePrinter,
    private readonly options: PrintOptions,
  ) {
    let number = 0;
    const taken = new Set<string>();
    for (const arg of body.args) {
      // A number as name means that it had none.
      const named = !/^[0-9]+$/.test(arg.name);
      this.names.set(arg, named ? unique(printName(arg.name), taken) : String(number++));
    }
    const takenLabels = new Set<string>();
    for (const block of body.blocks) {
      this.labels.set(block, unique(printName(printLabel(block.name)), takenLabels));
      for (const instruction of block.instructions) {
        if (instruction.type.kind !== "void") this.names.set(instruction, String(number++));
      }
    }
  }

  blocks(): string {
    let text = "";
    for (const block of this.body.blocks) {
      text += `${this.labels.get(block)}:\n`;
      for (const instruction of block.instructions) text += `  ${this.line(instruction)}\n`;
    }
    return text;
  }

  line(instruction: Instruction): string {
    const name = this.names.get(instruction);
    let text = `${name === undefined ? "" : `%${name} = `}${this.operation(instruction)}`;
    if (this.options.locations && instruction.loc !== null) text += `, !dbg !${instruction.loc.id}`;
    const { extra } = instruction;
    if (extra !== null && "unchecked" in extra && extra.unchecked) text += " ; unchecked";
    return text;
  }

  value(value: Value): string {
    switch (value.kind) {
      case "argument":
      case "instruction":
        return `%${this.names.get(value) ?? "<not in this body>"}`;
      case "metadata":
        return "!{}";
      case "asm": {
        const side = value.sideEffects ? "sideeffect " : "";
        const [template, constraints] = [value.template, value.constraints].map((text) =>
          escapeBytes(Buffer.from(text, "latin1")),
        );
        return `asm ${side}"${template}", "${constraints}"`;
      }
      default:
        return isConstant(value) ? this.values.constant(value) : "?";
    }
  }

  private typed(value: Value): string {
    return `${this.values.type(value.type)} ${this.value(value)}`;
  }
  private label(block: Block): string {
    return `label %${this.labels.get(block) ?? "<not in this body>"}`;
  }
  private list(values: readonly Value[]): string {
    return values.map((value) => this.typed(value)).join(", ");
  }

  private operation(i: Instruction): string {
    const { operands, blocks } = i;
    switch (i.op) {
      case "icmp":
      case "fcmp":
        return `${i.op} ${i.extra.predicate} ${this.typed(operands[0])}, ${this.value(operands[1])}`;
      case "alloca":
        return `alloca ${this.values.type(i.extra.allocated)}, ${this.typed(operands[0])}, align ${i.extra.align}`;
      case "load": {
        const type = this.values.type(i.extra.accessType);
        return `load ${volatile(i.extra)}${type}, ${this.typed(operands[0])}, align ${i.extra.align}`;
      }
      case "store":
        return `store ${volatile(i.extra)}${this.list(operands)}, align ${i.extra.align}`;
      case "atomicrmw": {
        const { operation, align } = i.extra;
        return `atomicrmw ${volatile(i.extra)}${operation} ${this.list(operands)} seq_cst, align ${align}`;
      }
      case "cmpxchg":
        return `cmpxchg ${volatile(i.extra)}${this.list(operands)} seq_cst seq_cst, align ${i.extra.align}`;
      case "fence":
        return "fence seq_cst";
      case "check": {
        const { write, size, align, alive } = i.extra;
        const what = write ? "write" : "read";
        return `check ${what} ${this.typed(operands[0])}, ${size}, align ${align}${alive ? ", alive" : ""}`;
      }
      case "getelementptr": {
        const flags = i.extra.inbounds ? "inbounds " : "";
        return `getelementptr ${flags}${this.values.type(i.extra.sourceType)}, ${this.list(operands)}`;
      }
      case "call":
        return this.call(operands, i.extra);
      case "phi": {
        const incoming = operands.map((value, k) => `[ ${this.value(value)}, ${this.label(blocks[k]).slice(6)} ]`);
        return `phi ${this.values.type(i.type)} ${incoming.join(", ")}`;
      }
      case "extractvalue":
      case "insertvalue":
        return `${i.op} ${this.list(operands)}, ${i.extra.indices.join(", ")}`;
      case "shufflevector": {
        const lanes = i.extra.mask.map((lane) => (lane < 0 ? "i32 undef" : `i32 ${lane}`));
        return `shufflevector ${this.list(operands)}, <${lanes.length} x i32> <${lanes.join(", ")}>`;
      }
      case "va_arg":
        return `va_arg ${this.typed(operands[0])}, ${this.values.type(i.type)}`;
      case "ret":
        return operands.length === 0 ? "ret void" : `ret ${this.typed(operands[0])}`;
      case "br":
        return `br ${this.label(blocks[0])}`;
      case "condbr":
        return `br ${this.typed(operands[0])}, ${this.label(blocks[0])}, ${this.label(blocks[1])}`;
      case "switch":
        return this.switch(operands[0], i.extra.cases, blocks);
      case "indirectbr": {
        const targets = blocks.map((block) => this.label(block)).join(", ");
        return `indirectbr ${this.typed(operands[0])}, [${targets}]`;
      }
      case "unreachable":
        return "unreachable";
      case "unsupported": {
        const what = escapeBytes(Buffer.from(i.extra.what, "utf8"));
        const terminator = i.extra.terminator ? "terminator " : "";
        const targets = blocks.map((block) => this.label(block)).join(", ");
        return `unsupported ${terminator}${this.values.type(i.type)} "${what}" [${targets}]`;
      }
      case "fneg":
      case "freeze":
      case "select":
      case "extractelement":
      case "insertelement":
        return `${i.op} ${this.list(operands)}`;
      default:
        // Conversions name the type they make; the rest has two operands of one type.
        if (operands.length === 1) return `${i.op} ${this.typed(operands[0])} to ${this.values.type(i.type)}`;
        return `${i.op} ${this.typed(operands[0])}, ${this.value(operands[1])}`;
    }
  }

  private call(operands: readonly Value[], extra: CallExtra): string {
    const [callee, ...args] = operands;
    const { fnType } = extra;
    const type = this.values.type(fnType.variadic ? fnType : fnType.result);
    const printed = args.map((arg, i) => {
      const attributes = printAttributes(extra.paramAttributes[i] ?? NO_ATTRIBUTES, this.values);
      return `${this.values.type(arg.type)}${attributes} ${this.value(arg)}`;
    });
    let text = `${extra.mustTail ? "musttail " : ""}call ${type} ${this.value(callee)}(${printed.join(", ")})`;
    if (extra.noreturn) text += " noreturn";
    if (extra.returnsTwice) text += " returns_twice";
    if (!extra.mayInline) text += " noinline";
    return text;
  }

  private switch(value: Value, cases: readonly bigint[], blocks: readonly Block[]): string {
    const type = this.values.type(value.type);
    const bits = value.type.kind === "int" ? value.type.bits : 64;
    const rows = cases.map((c, k) => `\n    ${type} ${BigInt.asIntN(bits, c)}, ${this.label(blocks[k + 1])}`);
    return `switch ${this.typed(value)}, ${this.label(blocks[0])} [${rows.join("")}\n  ]`;
  }
}

function volatile(extra: { readonly volatile: boolean }): string {
  return extra.volatile ? "volatile " : "";
}

/** The name itself, or with the first number after it that makes it unique; inlining repeats the names of blocks. */
function unique(name: string, taken: Set<string>): string {
  let result = name;
  for (let i = 1; taken.has(result); i++) {
    result = name.endsWith('"') ? `${name.slice(0, -1)}.${i}"` : `${name}.${i}`;
  }
  taken.add(result);
  return result;
}
