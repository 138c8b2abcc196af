// Numbers as bytes and as C writes them.

import { NUMBER_FORMS, type NumberForm } from "./literal-names.js";

/** A whole number, or one of floating point. Missing bytes are zero. */
export function numberIn(form: NumberForm, bytes: Uint8Array): bigint | number {
  const view = new DataView(new ArrayBuffer(8));
  new Uint8Array(view.buffer).set(bytes.subarray(0, NUMBER_FORMS[form]));
  if (form === "f64") return view.getFloat64(0, true);
  if (form === "f32") return view.getFloat32(0, true);
  const bits = 8 * NUMBER_FORMS[form];
  const value = view.getBigUint64(0, true);
  return form.startsWith("u") ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
}

export function bytesOfNumber(form: NumberForm, value: bigint | number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  if (form === "f64") view.setFloat64(0, Number(value), true);
  else if (form === "f32") view.setFloat32(0, Number(value), true);
  else view.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true);
  return new Uint8Array(view.buffer, 0, NUMBER_FORMS[form]);
}

/** An expression of C with this value. */
export function numberText(form: NumberForm, bytes: Uint8Array): string {
  const value = numberIn(form, bytes);
  if (typeof value === "number") {
    if (Number.isNaN(value)) return "(0.0 / 0.0)";
    if (!Number.isFinite(value)) return value < 0 ? "(-1.0 / 0.0)" : "(1.0 / 0.0)";
    if (Object.is(value, -0)) return "-0.0";
    const text = form === "f32" ? String(Number(value.toPrecision(9))) : String(value);
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  // The smallest numbers are no literals of C: only what the minus stands before is.
  if (form === "i32" && value === -(2n ** 31n)) return "(-2147483647 - 1)";
  if (form === "i64" && value === -(2n ** 63n)) return "(-9223372036854775807LL - 1)";
  const suffix = form === "u64" ? "ULL" : form === "i64" ? "LL" : form === "u32" ? "U" : "";
  const isSmall = value < 2n ** 31n && value > -(2n ** 31n);
  return `${value}${isSmall ? "" : suffix}`;
}
