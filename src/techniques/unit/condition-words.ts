// Conditions on a unit's input in words of the source: `len > 64`, `p->next == NULL`, `s[0] == 'x'`. Bytes that belong together are
// named by the parameter or field that they are; a sign that the comparison does not share with its operand is written as a cast, as C
// would need it. Truth is not bent: what has no short form is written out, and cut off at a length.

import type { InputSpace } from "../../concolic/input-space.js";
import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import type { PlacedObject } from "../../engine/unit-values.js";
import type { ExprArena, TableRef } from "../../expr/arena.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "../../expr/ops.js";
import type { CType } from "../../ir/debug-types.js";
import { fieldsEqual } from "./bit-field-words.js";
import { atom, ByteNames, castName, compound, type Operand, plain, rangeWords } from "./byte-names.js";
import { byteEqualities, comparedBits } from "./compared-pieces.js";
import { floatCondition, floatConstant, floatWords } from "./float-words.js";
import { MachineAddresses } from "./machine-addresses.js";
import { OverflowWords } from "./overflow-words.js";
import { littleEndian, numberText, scalarTextOf, stringText } from "./scalar-words.js";
import { type DescribedUnit, leafAt } from "./unit-inputs.js";
import { unshifted } from "./unshifted.js";

const LONGEST = 160;
const MOST_NESTING = 24;
const ADDRESS_BITS = 64;
const INFIX: (string | undefined)[] = [];
for (const [name, sign] of Object.entries({
  ...{ add: "+", sub: "-", mul: "*", udiv: "/", sdiv: "/", urem: "%", srem: "%", and: "&", or: "|", xor: "^" },
  ...{ shl: "<<", lshr: ">>", ashr: ">>" },
})) {
  INFIX[OPS[name as keyof typeof OPS].code] = sign;
}

export class ConditionWords {
  private readonly names: ByteNames;
  private readonly overflows: OverflowWords;
  private isOfAddress = false;

  constructor(
    unit: Pick<DescribedUnit, "inputs" | "types">,
    private readonly arena: ExprArena,
    space: InputSpace,
    /** The objects of the run that the conditions are of: addresses are named by them. */
    places: readonly PlacedObject[] = [],
    private readonly addresses: MachineAddresses | null = null,
  ) {
    this.names = new ByteNames(unit, arena, space, places);
    this.overflows = new OverflowWords(arena, this.names);
  }

  /** Of what an executor's last run decided. */
  static ofRun(unit: Pick<DescribedUnit, "inputs" | "types">, executor: UnitExecutor): ConditionWords {
    const { arena, space, values } = executor;
    return new ConditionWords(unit, arena, space, values.placed, MachineAddresses.of(executor));
  }

  /** Expressions of the source that conditions spoke of. */
  get mentioned(): ReadonlySet<string> {
    return this.names.mentioned;
  }

  /** What holds together with the conditions that are told. */
  learn(steps: readonly PathStep[]): void {
    for (const { condition } of steps) this.overflows.learn(condition);
  }

  /** Whether the last condition speaks of an address that has no name. */
  get spokeOfAddress(): boolean {
    return this.isOfAddress;
  }

  /** A condition (width 1), cut off if it is long. */
  of(condition: ExprRef): string {
    this.isOfAddress = false;
    const text = this.condition(condition, false, 0);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  }

  // ---- truth values

  private condition(e: ExprRef, negated: boolean, nesting: number): string {
    const { arena } = this;
    const a = arena.a(e);
    const b = arena.b(e);
    if (nesting > MOST_NESTING) return "…";
    const inner = (x: ExprRef, not: boolean): string => this.condition(x, not, nesting + 1);
    switch (arena.op(e)) {
      case OPS.constant.code:
        return (arena.constantLow(e) !== 0) !== negated ? "true" : "false";
      case OPS.not.code:
        return inner(a, !negated);
      case OPS.and.code: {
        const whole = this.wholeEquality(e, negated);
        if (whole !== null) return whole;
        return negated
          ? this.joined(inner(a, true), "||", inner(b, true))
          : this.joined(inner(a, false), "&&", inner(b, false));
      }
      case OPS.or.code: {
        const whole = this.wholeEquality(e, negated);
        if (whole !== null) return whole;
        return negated
          ? this.joined(inner(a, true), "&&", inner(b, true))
          : this.joined(inner(a, false), "||", inner(b, false));
      }
      case OPS.eq.code:
        return arena.width(a) === 1
          ? this.equalTruths(a, b, negated, nesting)
          : this.equality(a, b, negated ? "!=" : "==", nesting);
      case OPS.ult.code:
        return negated ? this.order(b, a, false, true, nesting) : this.order(a, b, false, false, nesting);
      case OPS.ule.code:
        return negated ? this.order(b, a, false, false, nesting) : this.order(a, b, false, true, nesting);
      case OPS.slt.code:
        return negated ? this.order(b, a, true, true, nesting) : this.order(a, b, true, false, nesting);
      case OPS.sle.code:
        return negated ? this.order(b, a, true, false, nesting) : this.order(a, b, true, true, nesting);
      case OPS.extract.code:
        return this.bitTest(e, negated, nesting);
      case OPS.ite.code: {
        const whole = `${inner(a, false)} ? ${inner(b, negated)} : ${inner(arena.c(e), negated)}`;
        return `(${whole})`;
      }
      default: {
        const float = floatCondition(arena, e, negated, (x) => this.operand(x, nesting + 1));
        if (float !== null) return float;
        const { text, isCompound } = this.operand(e, nesting + 1);
        return negated ? `!${isCompound ? `(${text})` : text}` : text;
      }
    }
  }

  /** An equality, or its opposite, that was taken apart into its bytes, put together again; null if it is none. */
  private wholeEquality(e: ExprRef, negated: boolean): string | null {
    const { arena, names } = this;
    const bytes = byteEqualities(arena, names, e, negated);
    if (bytes !== null) return this.bytesEqual(bytes, "==") ?? this.bitsEqual(e, negated, "==");
    const others = byteEqualities(arena, names, e, !negated);
    if (others !== null) return this.bytesEqual(others, "!=") ?? this.bitsEqual(e, !negated, "!=");
    return this.bitsEqual(e, negated, "==") ?? this.bitsEqual(e, !negated, "!=");
  }

  /** Some bits of one number that were compared piece by piece: `(n & 0xff00) == 0`, or `n < 256` of the upper ones. */
  private bitsEqual(e: ExprRef, negated: boolean, sign: "==" | "!="): string | null {
    const pieces = comparedBits(this.arena, this.names, e, negated);
    if (pieces === null || pieces.length < 2) return null;
    const fields = fieldsEqual(this.names, pieces, sign);
    if (fields !== null) return fields;
    const first = pieces.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
    const at = this.names.inputAt(first >> 3);
    if (at === null || at.input.role === "null") return null;
    const leaf = leafAt(this.names.types, at.input, 8 * at.offset, 8);
    if (leaf.type.kind !== "integer" || leaf.field !== null) return null;
    const start = 8 * ((first >> 3) - leaf.offset);
    const width = 8 * leaf.size;
    let mask = 0n;
    let value = 0n;
    for (const piece of pieces) {
      const bit = piece.from - start;
      if (bit + piece.width > width) return null;
      const bits = (1n << BigInt(piece.width)) - 1n;
      mask |= bits << BigInt(bit);
      value |= piece.value << BigInt(bit);
    }
    this.names.mentioned.add(leaf.words);
    const below = (1n << BigInt(width)) - mask;
    if (value === 0n && (below & (below - 1n)) === 0n) {
      const [least, less, or] = sign === "==" ? [">=", "<", "&&"] : ["<", ">=", "||"];
      const ends = `${leaf.words} ${less} ${numberText(leaf.type, below, width)}`;
      return leaf.type.signed ? `${leaf.words} ${least} 0 ${or} ${ends}` : ends;
    }
    return `(${leaf.words} & 0x${mask.toString(16)}) ${sign} 0x${value.toString(16)}`;
  }

  private bytesEqual(bytes: ReadonlyMap<number, number>, sign: "==" | "!="): string | null {
    const first = Math.min(...bytes.keys());
    const values: number[] = [];
    for (let n = 0; n < bytes.size; n++) {
      const value = bytes.get(first + n);
      if (value === undefined) return null;
      values.push(value);
    }
    if (values.every((value) => value >= 0)) return this.bytesAre(first, Uint8Array.from(values), sign);
    const other = -1 - values[0];
    if (values.length < 2 || values.some((value, n) => value !== -1 - (other + n))) return null;
    const left = this.names.named(first, values.length);
    const right = this.names.named(other, values.length);
    return left.type === null || right.type === null ? null : `${left.text} ${sign} ${right.text}`;
  }

  private joined(a: string, sign: "&&" | "||", b: string): string {
    const other = sign === "&&" ? "||" : "&&";
    const part = (text: string): string => (text.includes(` ${other} `) ? `(${text})` : text);
    return `${part(a)} ${sign} ${part(b)}`;
  }

  private equalTruths(a: ExprRef, b: ExprRef, negated: boolean, nesting: number): string {
    if (this.arena.isConstant(b)) {
      return this.condition(a, (this.arena.constantLow(b) === 0) !== negated, nesting + 1);
    }
    return `(${this.condition(a, false, nesting + 1)}) ${negated ? "!=" : "=="} (${this.condition(b, false, nesting + 1)})`;
  }

  private equality(a: ExprRef, b: ExprRef, sign: "==" | "!=", nesting: number): string {
    const { arena } = this;
    if (arena.isConstant(a) && !arena.isConstant(b)) return this.equality(b, a, sign, nesting);
    const nullness = arena.isConstant(b) ? this.nullness(a, arena.constantBigValue(b) === 0n, sign) : null;
    if (nullness !== null) return nullness;
    if (arena.isConstant(b)) {
      const text = this.textIs(a, b, sign);
      if (text !== null) return text;
    }
    const bits = arena.isConstant(b) ? this.names.bitRunOf(a) : null;
    if (bits !== null && this.names.bitFieldAt(bits.from, bits.count) === null) {
      const piece = { from: bits.from, width: bits.count, value: arena.constantBigValue(b) };
      const fields = fieldsEqual(this.names, [piece], sign);
      if (fields !== null) return fields;
    }
    const left = this.operand(a, nesting + 1);
    if (!arena.isConstant(b)) return `${atom(left)} ${sign} ${atom(this.operand(b, nesting + 1))}`;
    const float = floatConstant(arena, a, b);
    if (float !== null) return `${atom(left)} ${sign} ${float}`;
    const value = arena.constantBigValue(b);
    const width = arena.width(b);
    const variable = width === ADDRESS_BITS ? this.variableAt(value) : null;
    if (variable !== null) return `${atom(left)} ${sign} ${variable}`;
    if (left.type?.kind === "bool") return (value === 0n) === (sign === "==") ? `!${atom(left)}` : atom(left);
    return `${atom(left)} ${sign} ${numberText(left.type ?? this.numbers(width, left.signed), value, width)}`;
  }

  /** The byte that says whether a pointer is null. */
  private nullness(e: ExprRef, isZero: boolean, sign: "==" | "!="): string | null {
    const run = this.names.runOf(e);
    const input = run === null ? null : this.names.inputAt(run.first);
    if (input?.input.role !== "null" || !isZero) return null;
    this.names.mentioned.add(input.input.words);
    return `${input.input.words} ${sign === "==" ? "!=" : "=="} NULL`;
  }

  /** Several characters compared at once. */
  private textIs(a: ExprRef, b: ExprRef, sign: "==" | "!="): string | null {
    const { arena } = this;
    const run = this.names.runOf(a);
    if (run === null || run.count < 2) return null;
    let value = arena.constantBigValue(b);
    const bytes = new Uint8Array(run.count);
    for (let n = 0; n < run.count; n++, value >>= 8n) bytes[n] = Number(value & 0xffn);
    return this.bytesAre(run.first, bytes, sign);
  }

  /** Bytes compared with bytes: a whole value, or a part of a text. Null if they are neither. */
  private bytesAre(first: number, bytes: Uint8Array, sign: "==" | "!="): string | null {
    const at = this.names.inputAt(first);
    if (at === null || at.input.role === "null") return null;
    const whole = leafAt(this.names.types, at.input, 8 * at.offset, 8 * bytes.length);
    if (whole.offset === 0 && whole.size === bytes.length && whole.type.kind !== "other") {
      this.names.mentioned.add(whole.words);
      const variable = 8 * bytes.length === ADDRESS_BITS ? this.variableAt(littleEndian(bytes)) : null;
      return `${whole.words} ${sign} ${variable ?? scalarTextOf(whole.type, bytes)}`;
    }
    const leaf = leafAt(this.names.types, at.input, 8 * at.offset, 8);
    const isCharacter = leaf.type.kind === "integer" && leaf.type.bytes === 1;
    const range = rangeWords(leaf.words, bytes.length);
    if (!isCharacter || range === null) return null;
    this.names.mentioned.add(leaf.words);
    return `${range} ${sign} ${stringText(bytes)}`;
  }

  /** `a < b`, or `a <= b`: a constant goes to the right. */
  private order(a: ExprRef, b: ExprRef, signed: boolean, orEqual: boolean, nesting: number): string {
    const { arena } = this;
    const smaller = unshifted(arena, (x) => this.operand(x, nesting + 1).type !== null, a, b, signed, orEqual);
    if (smaller !== null) return this.order(smaller.a, smaller.b, signed, orEqual, nesting);
    const overflow = signed ? this.overflows.ofOrder(a, b, orEqual) : null;
    if (overflow !== null) return overflow;
    if (arena.isConstant(a) && !arena.isConstant(b)) {
      const outside = this.range(b, a, signed, !orEqual, nesting, true);
      if (outside !== null) return outside;
      return `${this.compared(b, signed, nesting)} ${orEqual ? ">=" : ">"} ${this.bound(b, a, signed, nesting)}`;
    }
    if (arena.isConstant(b)) {
      const range = this.range(a, b, signed, orEqual, nesting);
      if (range !== null) return range;
    }
    const right = arena.isConstant(b) ? this.bound(a, b, signed, nesting) : this.compared(b, signed, nesting);
    return `${this.compared(a, signed, nesting)} ${orEqual ? "<=" : "<"} ${right}`;
  }

  /** One side of an order, cast if its sign is another. */
  private compared(e: ExprRef, signed: boolean, nesting: number): string {
    const operand = this.operand(e, nesting + 1);
    if (operand.signed === signed || operand.type?.kind === "bool") return atom(operand);
    return `(${castName(this.arena.width(e), signed)})${atom(operand)}`;
  }

  private bound(other: ExprRef, constant: ExprRef, signed: boolean, nesting: number): string {
    const width = this.arena.width(constant);
    const { type } = this.operand(other, nesting + 1);
    const fits = type !== null && "signed" in type && type.signed === signed;
    return this.constant(fits ? type : this.numbers(width, signed), constant);
  }

  /** A number, or the address of an object. */
  private constant(type: CType | null, e: ExprRef): string {
    const value = this.arena.constantBigValue(e);
    const width = this.arena.width(e);
    const object = width === ADDRESS_BITS ? this.names.addressWords(value) : null;
    if (object === null) this.noteAddress(value, width);
    return object ?? numberText(type, value, width);
  }

  private noteAddress(value: bigint, width: number): void {
    if (this.addresses?.isAddress(value, width) === true) this.isOfAddress = true;
  }

  /** What an address that is compared for equality is: one of the unit's objects, or a variable. Null if it has no name, or is none. */
  private variableAt(value: bigint): string | null {
    if (this.addresses?.isAddress(value, ADDRESS_BITS) !== true) return null;
    const name = this.names.addressWords(value) ?? this.addresses.variableAt(value);
    if (name === null) this.isOfAddress = true;
    return name;
  }

  private numbers(width: number, signed: boolean): CType {
    return { kind: "integer", name: "", bytes: Math.ceil(width / 8), signed, character: "no" };
  }

  /** `x - 3 < 5` without a sign is `3 <= x && x <= 7`: so compilers and our rewriting write ranges. `outside`: what is not in it. */
  private range(
    a: ExprRef,
    b: ExprRef,
    signed: boolean,
    orEqual: boolean,
    nesting: number,
    outside = false,
  ): string | null {
    const { arena } = this;
    if (signed || arena.op(a) !== OPS.add.code || !arena.isConstant(arena.b(a))) return null;
    const number = arena.a(a);
    const width = arena.width(a);
    const operand = this.operand(number, nesting + 1);
    const count = arena.constantBigValue(b) + (orEqual ? 1n : 0n);
    const shift = arena.constantBigValue(arena.b(a));
    if (count <= 0n) return null;
    const low = operand.signed ? -BigInt.asIntN(width, shift) : BigInt.asUintN(width, -shift);
    const high = low + count - 1n;
    const top = operand.signed ? (1n << BigInt(width - 1)) - 1n : (1n << BigInt(width)) - 1n;
    if (high > top || (operand.signed && low < -top - 1n)) return null;
    const type = operand.type ?? this.numbers(width, operand.signed);
    const text = atom(operand);
    const bound = (value: bigint): string => numberText(type, value, width);
    this.noteAddress(low, width);
    if (low === high) return `${text} ${outside ? "!=" : "=="} ${bound(low)}`;
    // What holds of every such number says nothing.
    const bottom = operand.signed && arena.op(number) !== OPS.zext.code ? -top - 1n : 0n;
    const ends = [
      ...(low <= bottom ? [] : [`${text} ${outside ? "<" : ">="} ${bound(low)}`]),
      ...(high === top ? [] : [`${text} ${outside ? ">" : "<="} ${bound(high)}`]),
    ];
    return ends.length === 0 ? null : ends.join(outside ? " || " : " && ");
  }

  /** One bit as a condition: a sign, a bit-field of one bit, a boolean, or a bit. */
  private bitTest(e: ExprRef, negated: boolean, nesting: number): string {
    const { arena } = this;
    const a = arena.a(e);
    const bit = arena.payload(e);
    const upper = this.names.upperBits(e);
    if (upper?.signed === true) return `${upper.words} ${negated ? ">=" : "<"} 0`;
    const run = this.names.bitRunOf(e);
    const field = run === null ? null : this.names.bitFieldAt(run.from, 1);
    if (field !== null) {
      const { words, type, at, bits } = field;
      this.names.mentioned.add(words);
      if (bits === 1) return negated ? `!${words}` : words;
      if (at === bits - 1 && "signed" in type && type.signed) return `${words} ${negated ? ">=" : "<"} 0`;
      const part = `(${words} & ${numberText(null, 1n << BigInt(at), bits + 1)})`;
      return negated ? `!${part}` : part;
    }
    const operand = this.operand(a, nesting + 1);
    if (bit === 0 && operand.type?.kind === "bool") return negated ? `!${atom(operand)}` : operand.text;
    const isSign = bit === arena.width(a) - 1 && operand.signed;
    const overflow = isSign ? this.overflows.of(a, negated ? "at least" : "at most", negated ? 0n : -1n) : null;
    if (overflow !== null) return overflow;
    if (isSign) return `${atom(operand)} ${negated ? ">=" : "<"} 0`;
    const mask = numberText(null, 1n << BigInt(bit), arena.width(a));
    return negated ? `!(${atom(operand)} & ${mask})` : `(${atom(operand)} & ${mask})`;
  }

  // ---- values

  private operand(e: ExprRef, nesting: number): Operand {
    const { arena } = this;
    const op = arena.op(e);
    const width = arena.width(e);
    if (nesting > MOST_NESTING) return plain("…");
    if (op === OPS.constant.code) return plain(this.constant(null, e));
    const run = this.names.runOf(e);
    if (run !== null) return this.names.named(run.first, run.count);
    const bits = op === OPS.concat.code || op === OPS.extract.code ? this.names.bitRunOf(e) : null;
    const field = bits === null ? null : this.names.fieldOperand(bits.from, bits.count);
    if (field !== null) return field;
    const upper = op === OPS.concat.code || op === OPS.extract.code ? this.names.upperBits(e) : null;
    if (upper !== null) return { ...compound(`${upper.words} >> ${upper.shift}`), signed: upper.signed };
    const shifted = op === OPS.concat.code ? this.names.shiftedRun(e) : null;
    if (shifted !== null) return shifted;
    const inner = (x: ExprRef): Operand => this.operand(x, nesting + 1);
    if (op >= FIRST_FLOAT_OP) return floatWords(arena, e, inner);
    const a = arena.a(e);
    const b = arena.b(e);
    switch (op) {
      case OPS.extract.code:
        return this.extracted(e, nesting);
      case OPS.zext.code: {
        const upper = this.names.upperBits(a);
        if (upper?.signed === true) {
          return { ...compound(`(${castName(8 * upper.size, false)})${upper.words} >> ${upper.shift}`), signed: true };
        }
        if (arena.width(a) === 1) return { ...plain(`(${this.condition(a, false, nesting + 1)})`), signed: true };
        const operand = inner(a);
        // A value without a sign is the same in a wider type, where C's comparisons have one.
        if (!operand.signed) return { ...operand, signed: true };
        return { ...plain(`(${castName(arena.width(a), false)})${atom(operand)}`), signed: true };
      }
      case OPS.sext.code: {
        if (arena.width(a) === 1) return { ...plain(`-(${this.condition(a, false, nesting + 1)})`), signed: true };
        const operand = inner(a);
        if (operand.signed) return operand;
        return { ...plain(`(${castName(arena.width(a), true)})${atom(operand)}`), signed: true };
      }
      case OPS.concat.code:
        if (arena.isConstant(b) && arena.constantBigValue(b) === 0n) {
          const high = arena.op(a) === OPS.extract.code && arena.payload(a) === 0 ? arena.a(a) : a;
          return { ...compound(`${atom(inner(high))} << ${arena.width(b)}`), signed: inner(high).signed };
        }
        return plain(`{${inner(a).text}, ${inner(b).text}}`);
      case OPS.not.code:
        return plain(`~${atom(inner(a))}`);
      case OPS.neg.code:
        return { ...plain(`-${atom(inner(a))}`), signed: inner(a).signed };
      case OPS.ite.code:
        return compound(`${this.condition(a, false, nesting + 1)} ? ${atom(inner(b))} : ${atom(inner(arena.c(e)))}`);
      case OPS.lookup.code:
        return this.element(e, inner(a)) ?? this.constantElement(e, inner(a));
      default:
        break;
    }
    if (op >= OPS.eq.code && op <= OPS.sle.code) return compound(this.condition(e, false, nesting + 1));
    const left = inner(a);
    if (op === OPS.add.code && arena.isConstant(b)) {
      const address = width === 64 ? this.names.addressWords(arena.constantBigValue(b)) : null;
      if (address !== null) return compound(`(char *)${address} + ${atom(left)}`);
      if (!isWidthOfC(width)) return wrapped(`${atom(left)} + ${arena.constantBigValue(b)}`, width);
      const value = BigInt.asIntN(width, arena.constantBigValue(b));
      this.noteAddress(value, width);
      const sign = value < 0n ? "-" : "+";
      const size = numberText(null, value < 0n ? -value : value, width);
      return { ...compound(`${atom(left)} ${sign} ${size}`), signed: left.signed };
    }
    const right = inner(b);
    const grows = op === OPS.add.code || op === OPS.sub.code || op === OPS.mul.code || op === OPS.shl.code;
    if (grows && !isWidthOfC(width)) return wrapped(`${atom(left)} ${INFIX[op]} ${atom(right)}`, width);
    const signed = left.signed && (right.signed || arena.isConstant(b)) && op !== OPS.lshr.code && op !== OPS.udiv.code;
    return { ...compound(`${atom(left)} ${INFIX[op] ?? "?"} ${atom(right)}`), signed };
  }

  /** A table whose entries are elements of one array, in order, is that array. */
  private element(e: ExprRef, index: Operand): Operand | null {
    const { arena } = this;
    const entries = arena.tableEntries(arena.payload(e) as TableRef);
    const first = this.names.runOf(entries[0] as ExprRef);
    if (first === null || entries.length < 2) return null;
    for (let n = 1; n < entries.length; n++) {
      const run = this.names.runOf(entries[n] as ExprRef);
      if (run === null || run.first !== first.first + n * first.count || run.count !== first.count) return null;
    }
    const { text, type, signed } = this.names.named(first.first, first.count);
    const match = /^(.*)\[(\d+)\]$/.exec(text);
    if (match === null || type === null) return null;
    this.names.mentioned.add(text);
    const from = Number(match[2]);
    return { text: `${match[1]}[${index.text}${from === 0 ? "" : ` + ${from}`}]`, isCompound: false, type, signed };
  }

  /** An entry of a table that is no input. */
  private constantElement(e: ExprRef, index: Operand): Operand {
    const { arena, addresses } = this;
    const entries = Array.from(arena.tableEntries(arena.payload(e) as TableRef), (entry) => entry as ExprRef);
    const isConstant = entries.every((entry) => arena.isConstant(entry));
    const values = isConstant ? entries.map((entry) => arena.constantBigValue(entry)) : [];
    for (const value of values) this.noteAddress(value, arena.width(e) === ADDRESS_BITS ? ADDRESS_BITS : 0);
    const name = isConstant ? addresses?.tableOf(values, arena.width(e)) : null;
    return plain(`${name ?? "table"}[${index.text}]`);
  }

  private extracted(e: ExprRef, nesting: number): Operand {
    const { arena } = this;
    const a = arena.a(e);
    const low = arena.payload(e);
    const width = arena.width(e);
    const operand = (low === 0 ? this.lowBytes(a) : null) ?? this.operand(a, nesting + 1);
    if (low === 0 && (width === 8 || width === 16 || width === 32)) {
      return plain(`(${castName(width, false)})${atom(operand)}`);
    }
    const shifted = low === 0 ? atom(operand) : `${atom(operand)} >> ${low}`;
    if (low + width === arena.width(a) && !operand.signed) return compound(shifted);
    return compound(
      `${low === 0 ? shifted : `(${shifted})`} & ${numberText(null, (1n << BigInt(width)) - 1n, width + 1)}`,
    );
  }

  /** Of the low bytes of a named value, all of it: what is cut off is cut off anyway. */
  private lowBytes(e: ExprRef): Operand | null {
    const run = this.names.runOf(e);
    const at = run === null ? null : this.names.inputAt(run.first);
    if (run === null || at === null || at.input.role === "null") return null;
    const leaf = leafAt(this.names.types, at.input, 8 * at.offset, 8 * run.count);
    const isPart = leaf.offset === 0 && leaf.size > run.count && leaf.type.kind === "integer";
    return isPart ? this.names.named(run.first, leaf.size) : null;
  }
}

/** C has no numbers of other widths: what is computed in them is cut by hand. */
function isWidthOfC(width: number): boolean {
  return width === 8 || width === 16 || width === 32 || width >= 64;
}

function wrapped(text: string, width: number): Operand {
  return compound(`(${text}) & ${(1n << BigInt(width)) - 1n}`);
}
