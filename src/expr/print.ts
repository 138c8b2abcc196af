// A short form of an expression for people: infix, input bytes by name, cut off at a length. Printed from the root
// downwards with a stack of what is still to print, so the cost is the length of the text, not the size of the
// expression. Unsigned is the default; signed operations carry an s: `x <s 10`, floating-point ones an f:
// `x *f 1.5`.

import type { ExprArena, TableRef } from "./arena.js";
import { floatOfBits } from "./float-fold.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "./ops.js";

const INFIX: (string | undefined)[] = [];
for (const [name, sign] of Object.entries({
  ...{ add: "+", sub: "-", mul: "*", udiv: "/", sdiv: "/s", urem: "%", srem: "%s", and: "&", or: "|", xor: "^" },
  ...{ shl: "<<", lshr: ">>", ashr: ">>s", eq: "==", ult: "<", ule: "<=", slt: "<s", sle: "<=s" },
  ...{ fadd: "+f", fsub: "-f", fmul: "*f", fdiv: "/f", feq: "==f", flt: "<f", fle: "<=f" },
})) {
  INFIX[OPS[name as keyof typeof OPS].code] = sign;
}

/** By mode of an fround. */
const ROUNDING = ["nearest", "trunc", "floor", "ceil", "round"] as const;

/** Entries of a table shown before it is cut off. */
const SHOWN_ENTRIES = 4;

/** Text, or an expression still to print; `inner` says that an infix operation needs parentheses. */
type Piece = string | { readonly e: ExprRef; readonly inner: boolean };

export function printExpr(arena: ExprArena, e: ExprRef, byteName: (index: number) => string, limit = 400): string {
  const pieces: Piece[] = [{ e, inner: false }];
  let text = "";
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    if (typeof piece === "string") text += piece;
    else pushReversed(pieces, describe(arena, piece.e, piece.inner, byteName));
    if (text.length > limit) return `${text.slice(0, limit)}…`;
  }
  return text;
}

function pushReversed(pieces: Piece[], more: readonly Piece[]): void {
  for (let i = more.length - 1; i >= 0; i--) pieces.push(more[i]);
}

function describe(arena: ExprArena, e: ExprRef, inner: boolean, byteName: (index: number) => string): readonly Piece[] {
  const op = arena.op(e);
  const width = arena.width(e);
  const part = (x: ExprRef): Piece => ({ e: x, inner: true });
  const whole = (x: ExprRef): Piece => ({ e: x, inner: false });
  const infix = (...pieces: Piece[]): Piece[] => (inner ? ["(", ...pieces, ")"] : pieces);
  const a = arena.a(e);
  const b = arena.b(e);
  if (op >= FIRST_FLOAT_OP) return describeFloat(arena, e, infix);
  switch (op) {
    case OPS.constant.code:
      return [constantText(arena, e)];
    case OPS.variable.code:
      return [byteName(arena.payload(e))];
    case OPS.not.code:
      if (arena.op(a) === OPS.eq.code) return infix(part(arena.a(a)), " != ", part(arena.b(a)));
      return [width === 1 ? "!" : "~", part(a)];
    case OPS.neg.code:
      return ["-", part(a)];
    case OPS.extract.code: {
      const low = arena.payload(e);
      return [part(a), width === 1 ? `[${low}]` : `[${low + width - 1}:${low}]`];
    }
    case OPS.zext.code:
      return [`u${width}(`, whole(a), ")"];
    case OPS.sext.code:
      return [`s${width}(`, whole(a), ")"];
    case OPS.concat.code:
      if (arena.isConstant(b) && arena.constantBigValue(b) === 0n)
        return infix(part(shifted(arena, a)), ` << ${arena.width(b)}`);
      return ["{", whole(a), ", ", whole(b), "}"];
    case OPS.ite.code:
      return infix(part(a), " ? ", part(b), " : ", part(arena.c(e)));
    case OPS.lookup.code:
      return ["[", ...entriesOf(arena, e), "][", whole(a), "]"];
    case OPS.add.code: {
      const magnitude = negativeText(arena, b);
      return magnitude === null ? infix(part(a), " + ", part(b)) : infix(part(a), ` - ${magnitude}`);
    }
    default:
      return infix(part(a), ` ${INFIX[op]} `, part(b));
  }
}

/** An operation on floating-point numbers; constants among its operands are written as such. */
function describeFloat(arena: ExprArena, e: ExprRef, infix: (...pieces: Piece[]) => Piece[]): readonly Piece[] {
  const op = arena.op(e);
  const width = arena.width(e);
  const float = (x: ExprRef, inner: boolean): Piece => (arena.isConstant(x) ? floatText(arena, x) : { e: x, inner });
  const a = arena.a(e);
  switch (op) {
    case OPS.fsqrt.code:
      return ["sqrt(", float(a, false), ")"];
    case OPS.ffma.code:
      return ["fma(", float(a, false), ", ", float(arena.b(e), false), ", ", float(arena.c(e), false), ")"];
    case OPS.fround.code:
      return [`${ROUNDING[arena.payload(e)]}(`, float(a, false), ")"];
    case OPS.fcvt.code:
      return [`f${width}(`, float(a, false), ")"];
    case OPS.ftosi.code:
      return [`int${width}(`, float(a, false), ")"];
    case OPS.ftoui.code:
      return [`uint${width}(`, float(a, false), ")"];
    case OPS.sitof.code:
      return [`f${width}(s `, { e: a, inner: false }, ")"];
    case OPS.uitof.code:
      return [`f${width}(u `, { e: a, inner: false }, ")"];
    default:
      return infix(float(a, true), ` ${INFIX[op]} `, float(arena.b(e), true));
  }
}

/** Of a constant: the floating-point number that its bits are. Of 32 bits the shortest text that means the same float. */
export function floatText(arena: ExprArena, e: ExprRef): string {
  const width = arena.width(e);
  const value = floatOfBits(width, arena.constantLow(e), arena.constantHigh(e));
  if (Object.is(value, -0)) return "-0.0";
  let text = String(value);
  for (let digits = 1; width === 32 && digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) {
      text = String(short);
      break;
    }
  }
  return Number.isFinite(value) && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Of a constant with the sign bit set: the text of what it subtracts; -48 reads better than 4294967248. */
function negativeText(arena: ExprArena, e: ExprRef): string | null {
  if (!arena.isConstant(e)) return null;
  const value = BigInt.asIntN(arena.width(e), arena.constantBigValue(e));
  return value < 0n ? valueText(-value, arena.width(e)) : null;
}

/** Above zeros stand the low bits of what a shift to the left by a constant was made of: that, if they were cut from it. */
function shifted(arena: ExprArena, high: ExprRef): ExprRef {
  return arena.op(high) === OPS.extract.code && arena.payload(high) === 0 ? arena.a(high) : high;
}

function* entriesOf(arena: ExprArena, e: ExprRef): Generator<Piece> {
  const entries = arena.tableEntries(arena.payload(e) as TableRef);
  for (let i = 0; i < Math.min(entries.length, SHOWN_ENTRIES); i++) {
    if (i > 0) yield ", ";
    yield { e: entries[i] as ExprRef, inner: false };
  }
  if (entries.length > SHOWN_ENTRIES) yield `, … ${entries.length} entries`;
}

function constantText(arena: ExprArena, e: ExprRef): string {
  return valueText(arena.constantBigValue(e), arena.width(e));
}

function valueText(value: bigint, width: number): string {
  if (width === 1) return value === 1n ? "true" : "false";
  if (width === 8 && value >= 0x20n && value < 0x7fn) return `'${String.fromCharCode(Number(value))}'`;
  return value < 10_000n ? value.toString() : `0x${value.toString(16)}`;
}
