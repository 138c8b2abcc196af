// Shadows of integer casts. Integers above 64 bits have a shadow per 64 bits, so casts between them and narrower ones
// work part by part; a part whose width does not change keeps its shadow.

import { constInt, type Instruction, type Value } from "../ir/values.js";
import type { ShadowPass } from "./shadow-pass.js";
import { NO_SHADOW, type Shadows } from "./shadow-values.js";
import { partsOf } from "./shape.js";

/** `i` is trunc, zext, sext, ptrtoint, inttoptr or bitcast, and has been appended. */
export function shadowOfCast(pass: ShadowPass, i: Instruction): Shadows {
  const source = i.operands[0];
  const from = partsOf(source.type);
  const to = partsOf(i.type);
  if (i.op === "bitcast") {
    const same = from.length === to.length && from.every(({ bits }, k) => bits === to[k].bits);
    return same ? pass.shadowsOf(source) : pass.giveUp(i, "vector");
  }
  if (source.type.kind === "vector") {
    const cast = i.op === "trunc" || i.op === "sext" ? i.op : "zext";
    if (from.length !== to.length) return pass.giveUp(i, "vector");
    return to.map((part, k) => pass.operate(cast, from[k].bits, [source], [k], part.bits));
  }
  const signed = i.op === "sext";
  return to.map((part, k) => {
    if (k < from.length) return resize(pass, source, k, from[k].bits, part.bits, signed);
    // Beyond the source: zeros, or copies of the sign, which the part below ends with.
    if (!signed) return NO_SHADOW;
    return signsOf(pass, source, from.length - 1, part.bits);
  });
}

function resize(pass: ShadowPass, value: Value, part: number, from: number, to: number, signed: boolean): Value {
  if (from === to) return pass.shadowOf(value, part);
  return pass.operate(from > to ? "trunc" : signed ? "sext" : "zext", from, [value], [part], to);
}

/** Copies of the sign bit of the source's last part. */
function signsOf(pass: ShadowPass, source: Value, last: number, bits: number): Value {
  const { bits: width } = partsOf(source.type)[last];
  if (pass.shadowOf(source, last) === NO_SHADOW) return NO_SHADOW;
  // Shift within the source's own width, then cut or extend: every bit is the sign.
  const shifted = pass.operate("ashr", width, [source, constInt(width, width - 1)], [last, 0]);
  return pass.resizeShadow(shifted, width, bits, width > bits ? "trunc" : "sext");
}
