// A function's frame on the guest's stack: the variables that did not become registers, copies of structures passed by
// value, and the area for variadic arguments, with redzones between them.
//
//   low  [ 16: FRAME_MAGIC, index of FrameInfo ][ slot ][ redzone ][ slot ][ redzone ] ... high
//
// On entry the states of the slots are set, on exit cleared, so that a pointer to a frame that has returned faults. The
// bytes before and after a frame are always unaddressable: entry relies on it and writes only what is not zero.

import type { DataLayout } from "../ir/data-layout.js";
import { lowerType } from "../ir/passes/lower.js";
import type { Type } from "../ir/types.js";
import {
  type Block,
  type Instruction,
  type InstructionOf,
  intValue,
  NO_ATTRIBUTES,
  type ParamAttributes,
  type Value,
} from "../ir/values.js";
import type { FrameSlot } from "./image.js";
import {
  GRANULE,
  STACK_LIMIT,
  STACK_TOP,
  STATE_FULL,
  STATE_SYMBOLIC,
  STATE_SYMBOLIC_COUNT_SHIFT,
  STATE_UNSET,
} from "./memory-layout.js";
import { GENERAL_REGISTERS, VARIADIC_OVERFLOW, VARIADIC_SLOT, VECTOR_REGISTERS, VECTOR_SAVE } from "./variadic-area.js";

const HEADER_BYTES = 16;
const FRAME_ALIGN = 16;
/** A whole granule that was never set. */
const UNSET = STATE_SYMBOLIC | STATE_UNSET;

export interface Frame {
  /** 0: the function has no frame. */
  readonly size: number;
  /** Largest alignment any slot asks for. */
  readonly align: number;
  readonly slots: readonly FrameSlot[];
  /** From the frame's low end, by alloca instruction. */
  readonly offsetOf: ReadonlyMap<Instruction, number>;
  /** Copies of by-value arguments: by call instruction, one offset per argument that needs it. */
  readonly byvalOffsets: ReadonlyMap<Instruction, ReadonlyMap<number, number>>;
  /** Of the area for variadic arguments, the last slot; 0: there is none. Its states are set by each call. */
  readonly variadicOffset: number;
  readonly variadicSize: number;
  /** State bytes of the whole frame, one per granule. */
  readonly states: Uint8Array;
  readonly hasDynamicAlloca: boolean;
  /** Not 0: the function needs so many bytes, which no stack has. To enter it is a stack overflow. */
  readonly hugeBytes: number;
  /** Variables that an access elsewhere may reach, so that the end of their scope matters. */
  readonly exposed: ReadonlySet<Value>;
  /** The local that holds the frame's low address; set by the emitter. */
  pointerLocal: number;
}

/** Redzone after an object: at least 16 bytes, an eighth of large objects, so that a near miss lands in it. */
export function redzoneAfter(size: number): number {
  const padding = (GRANULE - (size % GRANULE)) % GRANULE;
  const wanted = size >= 1024 ? 128 : size >= 128 ? 64 : 16;
  return padding + wanted;
}

/** Which registers arguments take, as the x86-64 calling convention says: what a va_list's offsets count. */
class RegisterCount {
  general = 0;
  vector = 0;

  /** The offset in the save area where a value of this type is passed, or -1 if it goes to memory. */
  take(type: Type, byval: boolean): number {
    const { general, vector } = this;
    if (byval || type.kind === "struct" || type.kind === "array") return -1;
    if (type.kind === "float" || type.kind === "vector") {
      if (vector >= VECTOR_REGISTERS || (type.kind === "float" && type.name === "x86_fp80")) return -1;
      this.vector++;
      return VECTOR_SAVE + 16 * vector;
    }
    // 80-bit floats were lowered to i80, and live in memory.
    if (type.kind === "int" && type.bits === 80) return -1;
    const needed = type.kind === "int" && type.bits > 64 ? 2 : 1;
    if (general + needed > GENERAL_REGISTERS) return -1;
    this.general += needed;
    return 8 * general;
  }
}

/** After the named parameters of a variadic function: the va_list's gp_offset and fp_offset. */
export function namedOffsets(
  params: readonly Type[],
  attributes: readonly ParamAttributes[],
): { readonly general: number; readonly vector: number } {
  const registers = new RegisterCount();
  for (const [n, param] of params.entries()) registers.take(lowerType(param), (attributes[n]?.byval ?? null) !== null);
  return { general: 8 * registers.general, vector: VECTOR_SAVE + 16 * registers.vector };
}

/** Size in bytes of the variadic area one call needs, with the offset of each argument beyond the first `fixed`. */
export function variadicLayout(
  call: InstructionOf<"call">,
  fixed: number,
  layout: DataLayout,
): {
  readonly offsets: readonly number[];
  /** By argument, a multiple of 8. */
  readonly sizes: readonly number[];
  readonly size: number;
  readonly align: number;
} {
  const registers = new RegisterCount();
  const offsets: number[] = [];
  const sizes: number[] = [];
  let size = VARIADIC_OVERFLOW;
  let largestAlign = 16;
  for (let a = 1; a < call.operands.length; a++) {
    const attributes = call.extra.paramAttributes[a - 1] ?? NO_ATTRIBUTES;
    const type = lowerType(attributes.byval ?? call.operands[a].type);
    const register = registers.take(type, attributes.byval !== null);
    if (a <= fixed) continue;
    const bytes = Math.ceil(layout.sizeOf(type) / 8) * 8;
    sizes.push(bytes);
    if (register >= 0) {
      offsets.push(register);
      continue;
    }
    // An argument never takes less than 8 bytes.
    const align = Math.max(8, attributes.align, layout.abiAlign(type));
    largestAlign = Math.max(largestAlign, align);
    size = Math.ceil(size / align) * align;
    offsets.push(size);
    size += bytes;
  }
  return { offsets, sizes, size: offsets.length === 0 ? 0 : size, align: largestAlign };
}

export function layoutFrame(
  blocks: readonly Block[],
  layout: DataLayout,
  staticAllocas: ReadonlySet<Instruction>,
  variableOf: (alloca: Instruction) => { readonly name: string; readonly line: number } | null,
  /** How many parameters the callee of a call names before its variadic ones, or -1 if it is not variadic. */
  namedParameters: (call: InstructionOf<"call">) => number,
  /** Variables are marked as never set when they come into being. */
  marksUnset = false,
): Frame {
  const slots: FrameSlot[] = [];
  const offsetOf = new Map<Instruction, number>();
  const byvalOffsets = new Map<Instruction, Map<number, number>>();
  let size = HEADER_BYTES;
  let align = FRAME_ALIGN;
  let hasDynamicAlloca = false;
  let variadicSize = 0;
  let variadicAlign = 16;
  const reserve = (bytes: number, wanted: number, name: string | null, line: number): number => {
    const slotAlign = Math.max(wanted, GRANULE);
    align = Math.max(align, slotAlign);
    size = Math.ceil(size / slotAlign) * slotAlign;
    const offset = size;
    slots.push({ name, offset, size: bytes, line });
    size += bytes + redzoneAfter(bytes);
    return offset;
  };
  for (const block of blocks) {
    for (const i of block.instructions) {
      if (i.op === "alloca") {
        if (!staticAllocas.has(i)) {
          hasDynamicAlloca = true;
          continue;
        }
        const type = lowerType(i.extra.allocated);
        const count = Number(intValue(i.operands[0]) ?? 1n);
        const variable = variableOf(i);
        const bytes = layout.sizeOf(type) * count;
        offsetOf.set(
          i,
          reserve(bytes, Math.max(i.extra.align, layout.abiAlign(type)), variable?.name ?? null, variable?.line ?? 0),
        );
      } else if (i.op === "call") {
        i.extra.paramAttributes.forEach((attributes, a) => {
          const byval = attributes.byval;
          if (byval === null || a >= i.extra.fnType.params.length) return;
          const type = lowerType(byval);
          const offset = reserve(layout.sizeOf(type), Math.max(attributes.align, layout.abiAlign(type)), null, 0);
          const map = byvalOffsets.get(i) ?? new Map<number, number>();
          map.set(a, offset);
          byvalOffsets.set(i, map);
        });
        const named = namedParameters(i);
        if (named < 0) continue;
        const { size: bytes, align: bytesAlign } = variadicLayout(i, named, layout);
        if (bytes === 0) continue;
        variadicSize = Math.max(variadicSize, bytes);
        variadicAlign = Math.max(variadicAlign, bytesAlign);
      }
    }
  }
  const variadicOffset = variadicSize > 0 ? reserve(variadicSize, variadicAlign, VARIADIC_SLOT, 0) : 0;
  const used = slots.length > 0 || hasDynamicAlloca;
  const total = used ? Math.ceil(size / FRAME_ALIGN) * FRAME_ALIGN : 0;
  if (total > STACK_TOP - STACK_LIMIT) return hugeFrame(total, offsetOf, byvalOffsets);
  const states = new Uint8Array(total / GRANULE);
  const variables = new Set(offsetOf.values());
  for (const slot of slots) {
    const first = slot.offset / GRANULE;
    const full = Math.floor(slot.size / GRANULE);
    const rest = slot.size % GRANULE;
    const isUnset = marksUnset && variables.has(slot.offset);
    states.fill(isUnset ? UNSET : STATE_FULL, first, first + full);
    if (rest !== 0) states[first + full] = isUnset ? UNSET | (rest << STATE_SYMBOLIC_COUNT_SHIFT) : rest;
  }
  return {
    size: total,
    align,
    slots,
    offsetOf,
    byvalOffsets,
    variadicOffset,
    variadicSize,
    states,
    hasDynamicAlloca,
    hugeBytes: 0,
    exposed: exposedVariables(blocks, staticAllocas),
    pointerLocal: -1,
  };
}

/** A frame for code that is never reached: all its variables are at one place, since real offsets may not fit 32 bits. */
function hugeFrame(
  hugeBytes: number,
  offsetOf: ReadonlyMap<Instruction, number>,
  byvalOffsets: ReadonlyMap<Instruction, ReadonlyMap<number, number>>,
): Frame {
  const same = <K>(map: ReadonlyMap<K, number>): Map<K, number> =>
    new Map([...map.keys()].map((key) => [key, HEADER_BYTES]));
  return {
    size: 2 * HEADER_BYTES,
    align: FRAME_ALIGN,
    slots: [],
    offsetOf: same(offsetOf),
    byvalOffsets: new Map([...byvalOffsets].map(([call, offsets]) => [call, same(offsets)])),
    variadicOffset: HEADER_BYTES,
    variadicSize: 0,
    states: new Uint8Array((2 * HEADER_BYTES) / GRANULE),
    hasDynamicAlloca: false,
    hugeBytes,
    exposed: new Set(),
    pointerLocal: -1,
  };
}

/** Used by anything but plain unchecked accesses and the marks of its scope. */
function exposedVariables(blocks: readonly Block[], variables: ReadonlySet<Instruction>): ReadonlySet<Value> {
  const exposed = new Set<Value>();
  for (const block of blocks) {
    for (const i of block.instructions) {
      for (const [n, operand] of i.operands.entries()) {
        if (operand.kind !== "instruction" || !variables.has(operand)) continue;
        const plain =
          (i.op === "load" && i.extra.unchecked) ||
          (i.op === "store" && n === 1 && i.extra.unchecked) ||
          isScopeMark(i);
        if (!plain) exposed.add(operand);
      }
    }
  }
  return exposed;
}
function isScopeMark(i: Instruction): boolean {
  const callee = i.op === "call" ? i.operands[0] : null;
  return callee?.kind === "global" && callee.target.name.startsWith("llvm.lifetime.");
}
