// What a program's constants say before it runs: the numbers, addresses and texts that initialised variables hold, by their offsets.
// A variable that is not constant is read as it begins: tables of options are often not declared const.

import { addressOf, signedIndex } from "../../ir/analysis/gep.js";
import type { DataLayout } from "../../ir/data-layout.js";
import type { GlobalVariable, IrFunction } from "../../ir/module.js";
import { type Constant, type Instruction, intValue, type Value } from "../../ir/values.js";

export interface ConstantAddress {
  readonly variable: GlobalVariable;
  readonly offset: number;
}

/** Every so many bytes of a table, from an offset on. */
interface Column {
  readonly table: GlobalVariable;
  readonly offset: number;
  /** 0 as long as nothing varies. */
  readonly stride: number;
}

/** Scalars of one variable that are looked at: a table of more is data, not words. */
const MOST_CELLS = 65_536;
/** Rows of a table, and getelementptrs and phis between a pointer and its table. */
const MOST_ROWS = 4096;
const MOST_COLUMN_STEPS = 8;
/** Phis, selects and loads followed from one pointer to the texts it may lead to. */
const MOST_STEPS = 32;

export class ConstantData {
  private readonly cells = new Map<GlobalVariable, ReadonlyMap<number, Constant>>();

  constructor(readonly layout: DataLayout) {}

  /** The scalars and texts of what a variable begins with, by their offsets; zeros are left out. */
  cellsOf(variable: GlobalVariable): ReadonlyMap<number, Constant> {
    let found = this.cells.get(variable);
    if (found === undefined) {
      const cells = new Map<number, Constant>();
      const initial = variable.initializer();
      if (initial !== null) this.collect(initial, 0, cells);
      this.cells.set(variable, cells);
      found = cells;
    }
    return found;
  }

  private collect(constant: Constant, offset: number, cells: Map<number, Constant>): void {
    if (constant.kind === "zero" || constant.kind === "undef" || cells.size >= MOST_CELLS) return;
    if (constant.kind !== "aggregate") {
      cells.set(offset, constant);
      return;
    }
    const { type } = constant;
    const offsets = type.kind === "struct" ? this.layout.structLayout(type).offsets : null;
    const stride = type.kind === "array" || type.kind === "vector" ? this.layout.sizeOf(type.element) : 0;
    constant.elements.forEach((element, n) => {
      this.collect(element, offset + (offsets?.[n] ?? n * stride), cells);
    });
  }

  /** The place in a variable that a constant pointer leads to. */
  address(value: Value): ConstantAddress | null {
    const { base, offset } = addressOf(this.layout, value);
    if (base.kind !== "global") return null;
    const target = base.target.resolved ?? base.target;
    return target.kind === "variable" ? { variable: target, offset } : null;
  }

  /** The address that is kept at an offset of a variable. */
  pointerAt({ variable, offset }: ConstantAddress): ConstantAddress | null {
    const cell = this.cellsOf(variable).get(offset);
    return cell === undefined ? null : this.address(cell);
  }

  /** The number that is kept at an offset, as an unsigned one of its own width; 0 where nothing is. */
  numberAt({ variable, offset }: ConstantAddress): bigint | null {
    const cell = this.cellsOf(variable).get(offset);
    return cell === undefined ? 0n : intValue(cell);
  }

  /** Is nothing but zeros there? */
  isZeroAt({ variable, offset }: ConstantAddress): boolean {
    return this.numberAt({ variable, offset }) === 0n;
  }

  functionAt({ variable, offset }: ConstantAddress): IrFunction | null {
    const cell = this.cellsOf(variable).get(offset);
    return cell === undefined ? null : this.functionOf(cell);
  }

  functionOf(value: Value): IrFunction | null {
    if (value.kind !== "global") return null;
    const target = value.target.resolved ?? value.target;
    return target.kind === "function" ? target : null;
  }

  /** The bytes from an address to the end of the array they are in. */
  bytesAt({ variable, offset }: ConstantAddress): Uint8Array | null {
    const cells = this.cellsOf(variable);
    const whole = cells.get(0);
    if (whole?.kind === "bytes") return offset >= 0 ? whole.bytes.subarray(offset) : null;
    const cell = cells.get(offset);
    if (cell?.kind === "bytes") return cell.bytes;
    if (cells.size === 0 && isByteArray(variable)) return new Uint8Array(1);
    return null;
  }

  /** A text up to its zero, one character a byte. */
  textAt(address: ConstantAddress): string | null {
    const bytes = this.bytesAt(address);
    const end = bytes?.indexOf(0) ?? -1;
    return bytes === null || end < 0 ? null : Buffer.from(bytes.subarray(0, end)).toString("latin1");
  }

  /** The text that a constant pointer leads to. */
  textOf(value: Value): string | null {
    const address = this.address(value);
    return address === null ? null : this.textAt(address);
  }

  /** Where a pointer may lead, as far as that is constant: through choices, and what variables begin with. */
  addressesOf(value: Value): readonly ConstantAddress[] {
    const found: ConstantAddress[] = [];
    const met = new Set<Value>([value]);
    for (const at of met) {
      if (met.size > MOST_STEPS) break;
      const address = this.address(at);
      if (address !== null) found.push(address);
      if (at.kind !== "instruction") continue;
      if (at.op === "phi") for (const operand of at.operands) met.add(operand);
      else if (at.op === "select") met.add(at.operands[1]).add(at.operands[2]);
      else if (at.op === "load") {
        const from = this.address(at.operands[0]);
        const kept = from === null ? null : this.pointerAt(from);
        if (kept !== null) found.push(kept);
      }
    }
    return found;
  }

  /** The texts that `table[i].name` may be, for any i: what is loaded from a table of which only the row is not known. */
  columnOf(value: Value): readonly string[] {
    if (value.kind !== "instruction" || value.op !== "load") return [];
    const column = this.column(value.operands[0], 0);
    if (column === null || column.stride <= 0) return [];
    const { table, stride } = column;
    const offset = ((column.offset % stride) + stride) % stride;
    const end = Math.min(this.layout.sizeOf(table.valueType), offset + MOST_ROWS * stride);
    const texts: string[] = [];
    for (let at = offset; at < end; at += stride) {
      const address = this.pointerAt({ variable: table, offset: at });
      const text = address === null ? null : this.textAt(address);
      if (text !== null) texts.push(text);
    }
    return texts;
  }

  private column(pointer: Value, steps: number): Column | null {
    const known = this.address(pointer);
    if (known !== null) return { table: known.variable, offset: known.offset, stride: 0 };
    if (pointer.kind !== "instruction" || steps > MOST_COLUMN_STEPS) return null;
    if (pointer.op === "getelementptr") {
      const step = this.stepOf(pointer);
      const from = step === null ? null : this.column(pointer.operands[0], steps + 1);
      if (step === null || from === null || (step.stride > 0 && from.stride > 0)) return null;
      return { table: from.table, offset: from.offset + step.offset, stride: step.stride + from.stride };
    }
    // A pointer that begins at the table and moves on by a row.
    if (pointer.op !== "phi") return null;
    const starts = pointer.operands.flatMap((operand) => this.address(operand) ?? []);
    const strides = pointer.operands.flatMap((operand) => {
      const { base, offset } = addressOf(this.layout, operand);
      return base === pointer ? [offset] : [];
    });
    if (starts.length !== 1 || strides.length === 0) return null;
    return { table: starts[0].variable, offset: starts[0].offset, stride: Math.abs(strides[0]) };
  }

  /** The offset that a getelementptr adds, one of whose indices may vary. */
  private stepOf(gep: Instruction & { op: "getelementptr" }): { offset: number; stride: number } | null {
    let type = gep.extra.sourceType;
    let offset = 0;
    let stride = 0;
    for (let k = 1; k < gep.operands.length; k++) {
      const index = signedIndex(gep.operands[k]);
      if (k > 1 && type.kind === "struct") {
        if (index === null) return null;
        offset += this.layout.structLayout(type).offsets[index];
        type = type.fields[index];
        continue;
      }
      if (k > 1) {
        if (type.kind !== "array") return null;
        type = type.element;
      }
      const size = this.layout.sizeOf(type);
      if (index !== null) offset += index * size;
      else if (stride > 0) return null;
      else stride = size;
    }
    return { offset, stride };
  }

  textsOf(value: Value): readonly string[] {
    return this.addressesOf(value).flatMap((address) => {
      const text = this.textAt(address);
      return text === null ? [] : [text];
    });
  }
}

function isByteArray({ valueType }: GlobalVariable): boolean {
  return valueType.kind === "array" && valueType.element.kind === "int" && valueType.element.bits === 8;
}
