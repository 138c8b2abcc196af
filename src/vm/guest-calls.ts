// Calls from the host into the guest by table index, with tolerance for signatures: calls through a pointer of another
// type (K&R C), and signal handlers. Arguments are matched as the x86-64 calling convention would: integers to integers
// and floating-point values to floating-point values, each in order. A missing one is zero, an extra one is dropped.

import type { ProgramImage, Signature, WasmValueType } from "../jit/image.js";
import { ARGUMENTS_AREA_BYTES, CONTROL, SPARE_AREAS, SPARE_ARGUMENTS } from "../jit/memory-layout.js";
import { GENERAL_REGISTERS, VARIADIC_OVERFLOW, VECTOR_REGISTERS, VECTOR_SAVE } from "../jit/variadic-area.js";
import type { GuestMemory } from "./guest-memory.js";

type WasmValue = number | bigint;

export class GuestCalls {
  private readonly memory: GuestMemory;
  private readonly image: ProgramImage;
  private table: WebAssembly.Table | null = null;
  /** Calls of variadic functions through the host that have not returned. */
  private depth = 0;

  /** `unshadowed` hears of each value that goes on without the shadow it had. */
  constructor(
    memory: GuestMemory,
    image: ProgramImage,
    private readonly unshadowed: (shadow: number, low: number, high: number) => void,
  ) {
    this.memory = memory;
    this.image = image;
  }

  attach(table: WebAssembly.Table): void {
    this.table = table;
  }

  /** Makes the call whose arguments lie in CONTROL.mismatchedCall; false if there is no such function. */
  callMismatched(tableIndex: number, site: number): boolean {
    const caller = this.image.mismatchSites[site];
    const integers: bigint[] = [];
    const floats: bigint[] = [];
    const named = caller.variadic === true ? caller.params.length - 1 : caller.params.length;
    for (const [index, type] of caller.params.slice(0, named).entries()) {
      const bits = this.memory.view.getBigUint64(CONTROL.mismatchedCall + 8 * index, true);
      if (type === "i32") integers.push(bits & 0xffff_ffffn);
      else if (type === "i64") integers.push(bits);
      else floats.push(type === "f32" ? bits & 0xffff_ffffn : bits);
      this.leaveShadow(CONTROL.argumentShadows, index);
    }
    if (caller.variadic === true) {
      const area = this.memory.view.getUint32(CONTROL.mismatchedCall + 8 * named, true);
      this.readArguments(area, integers, floats);
    }
    const result = this.call(tableIndex, integers, floats, true);
    if (result === null) return false;
    const callee = this.image.tableSignatures[tableIndex];
    for (const [index, type] of caller.results.entries()) {
      const from = callee.results[index];
      const bits = from === undefined ? 0n : toBits(from, result[index]);
      const same = isInteger(type) === isInteger(from ?? type);
      this.memory.view.setBigUint64(CONTROL.mismatchedCall + 8 * index, same ? bits : 0n, true);
      this.leaveShadow(CONTROL.resultShadows, index);
    }
    return true;
  }

  /** Of one of the values in CONTROL.mismatchedCall: it is what it is on this run. */
  private leaveShadow(shadows: number, index: number): void {
    const { view } = this.memory;
    const shadow = view.getInt32(shadows + 4 * index, true);
    if (shadow === 0) return;
    view.setInt32(shadows + 4 * index, 0, true);
    const at = CONTROL.mismatchedCall + 8 * index;
    this.unshadowed(shadow, view.getInt32(at, true), view.getInt32(at + 4, true));
  }

  /** Calls with these bits; null if the table has no such function. `keepsResult`: with the result's shadows in their place. */
  call(
    tableIndex: number,
    integers: readonly bigint[],
    floats: readonly bigint[],
    keepsResult = false,
  ): WasmValue[] | null {
    const signature: Signature | undefined = this.image.tableSignatures[tableIndex];
    if (this.table === null || signature === undefined || tableIndex >= this.table.length) return null;
    const callee = this.table.get(tableIndex);
    if (typeof callee !== "function") return null;
    let integer = 0;
    let float = 0;
    const named = signature.variadic === true ? signature.params.slice(0, -1) : signature.params;
    const values = named.map((type) => fromBits(type, (isInteger(type) ? integers[integer++] : floats[float++]) ?? 0n));
    if (signature.variadic === true) values.push(this.writeArguments(integers, floats));
    // The guest may be on its way into a function, with the shadows of its arguments in their places.
    const { u8 } = this.memory;
    const passed = u8.slice(CONTROL.argumentShadows, CONTROL.resultShadows);
    u8.fill(0, CONTROL.argumentShadows, CONTROL.resultShadows);
    let result: unknown;
    this.depth++;
    try {
      result = callee(...values);
    } finally {
      this.depth--;
    }
    this.memory.u8.set(passed, CONTROL.argumentShadows);
    if (!keepsResult) this.memory.view.setBigUint64(CONTROL.resultShadows, 0n, true);
    if (result === undefined) return [];
    return Array.isArray(result) ? result : [result as WasmValue];
  }

  /** Adds what a variadic call passes after its named arguments: what lies in the rest of the registers, and then memory. */
  private readArguments(area: number, integers: bigint[], floats: bigint[]): void {
    const word = (offset: number): bigint => this.memory.view.getBigUint64(area + offset, true);
    this.memory.take(area, ARGUMENTS_AREA_BYTES);
    for (let n = integers.length; n < GENERAL_REGISTERS; n++) integers.push(word(8 * n));
    for (let n = floats.length; n < VECTOR_REGISTERS; n++) floats.push(word(VECTOR_SAVE + 16 * n));
    for (let at = VARIADIC_OVERFLOW; at < ARGUMENTS_AREA_BYTES; at += 8) integers.push(word(at));
  }

  /** The reverse: all arguments as a callee's va_list finds them. Returns the area's address. */
  private writeArguments(integers: readonly bigint[], floats: readonly bigint[]): number {
    const area = SPARE_ARGUMENTS + ARGUMENTS_AREA_BYTES * (1 + (this.depth % (SPARE_AREAS - 1)));
    const { u8, view } = this.memory;
    u8.fill(0, area, area + ARGUMENTS_AREA_BYTES);
    integers.forEach((bits, n) => {
      const at = n < GENERAL_REGISTERS ? 8 * n : VARIADIC_OVERFLOW + 8 * (n - GENERAL_REGISTERS);
      if (at < ARGUMENTS_AREA_BYTES) view.setBigUint64(area + at, bits, true);
    });
    floats.slice(0, VECTOR_REGISTERS).forEach((bits, n) => {
      view.setBigUint64(area + VECTOR_SAVE + 16 * n, bits, true);
    });
    return area;
  }
}

function isInteger(type: WasmValueType): boolean {
  return type === "i32" || type === "i64";
}

function fromBits(type: WasmValueType, bits: bigint): WasmValue {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits, true);
  if (type === "i32") return view.getInt32(0, true);
  if (type === "i64") return view.getBigInt64(0, true);
  return type === "f32" ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

function toBits(type: WasmValueType, value: WasmValue): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (type === "i32") view.setInt32(0, Number(value), true);
  else if (type === "i64") view.setBigInt64(0, BigInt(value), true);
  else if (type === "f32") view.setFloat32(0, Number(value), true);
  else view.setFloat64(0, Number(value), true);
  return view.getBigUint64(0, true);
}
