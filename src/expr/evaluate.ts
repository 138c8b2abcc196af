// The value of expressions under a model (the input bytes). Results are kept beside the arena's order and stamped with
// the model's number, so conditions that share parts pay for them once a model and nothing is cleared between models.
// The models of an engine differ in a byte or two, so a value outlives its model for as long as the bytes it depends on
// stay the same; that is asked of the node's support, once a model for each set of bytes.
// Iterative with a stack of its own; of an if-then-else and of a table only what is selected is evaluated. Values of up to
// 32 bits are one int32, up to 64 two, and only wider ones are BigInt.
// A condition on one input byte, the most frequent kind, remembers its truth for each value (byte-truths.ts).
// Flat lists of nodes in place of the stack were tried: faster by half on one long expression, slower on many short ones,
// where a question costs more than its nodes. A compiled function costs as much to make as ten thousand nodes.
// Invariants: a value's bits from its width upwards are zero; the high half of a value of at most 32 bits is never written;
// a byte is read by `byte` only, which notes when it changed.

import { ARITY, type ExprArena, type TableRef } from "./arena.js";
import { ByteTruths } from "./byte-truths.js";
import { foldFloat } from "./float-fold.js";
import { foldBinary, foldBinaryBig, maskBig } from "./fold.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "./ops.js";
import { Word64 } from "./word64.js";

/** The stamp of constants: current for every model. */
const ALWAYS = 0x7fff_ffff;
const CONSTANT = OPS.constant.code;
/** The first word of an input byte's node. */
const VARIABLE = OPS.variable.code | (8 << 8);
/** Of larger supports it is not asked whether they changed: the answer would cost more than the value. */
const TRACKED_SUPPORT = 16;
/** By operation: 1 if both its operands are always evaluated. */
const BINARY = ARITY.map((arity) => (arity === 2 ? 1 : 0));

export class Evaluator {
  private lows = new Int32Array(0);
  private highs = new Int32Array(0);
  private stamps = new Int32Array(0);
  /** Values wider than 64 bits, by node. */
  private wides = new Map<number, bigint>();
  private stack = new Int32Array(256);
  private readonly word = new Word64();
  private readonly truths = new ByteTruths();
  private model: Uint8Array = new Uint8Array(0);
  private stamp = 1;
  private known = 0;
  private generation = -1;
  /** By input byte: its value, the stamp when it was last looked at, and when it last changed. */
  private bytes = new Uint8Array(64);
  private byteSeen = new Int32Array(64);
  private byteChanged = new Int32Array(64);
  /** By set of input bytes: the stamp when it was last looked at, and when one of its bytes last changed. */
  private setSeen = new Int32Array(0);
  private setChanged = new Int32Array(0);

  constructor(private readonly arena: ExprArena) {}

  /** Values are of this model from now on. It is not copied: load it again after changing it. Bytes beyond its end are 0. */
  load(model: Uint8Array): void {
    this.model = model;
    this.stamp++;
    if (this.stamp === ALWAYS) this.known = 0;
  }

  /** Whether an expression of width 1 is true. */
  holds(e: ExprRef): boolean {
    if (e >= this.known || this.generation !== this.arena.generation) this.adopt();
    const place = this.truths.place(e, this.arena);
    if (place === 0) return this.low(e) !== 0;
    const { words } = this.truths;
    const index = words[place];
    const byte = index < this.model.length ? this.model[index] : 0;
    const at = place + 1 + (byte >> 5);
    const bit = 1 << (byte & 31);
    if ((words[at] & bit) !== 0) return (words[at + 8] & bit) !== 0;
    const truth = this.low(e) !== 0;
    words[at] |= bit;
    if (truth) words[at + 8] |= bit;
    return truth;
  }

  /** Bits 0 to 31 of an expression of at most 64 bits, as int32. */
  low(e: ExprRef): number {
    if (e >= this.known || this.generation !== this.arena.generation) this.adopt();
    if (this.stamps[e] < this.stamp && !this.isUnchanged(e)) this.run(e);
    return this.lows[e];
  }

  /** Bits 32 to 63 of an expression of at most 64 bits, as int32. */
  high(e: ExprRef): number {
    this.low(e);
    return this.highs[e];
  }

  big(e: ExprRef): bigint {
    this.low(e);
    return this.bigOf(e);
  }

  /** Takes in the nodes that the arena got since; all of them after it was collected. */
  private adopt(): void {
    const { arena } = this;
    const size = arena.size;
    if (this.generation !== arena.generation || this.known === 0) {
      this.generation = arena.generation;
      this.known = 1;
      this.stamp = 1;
      this.stamps.fill(0);
      this.highs.fill(0);
      this.wides.clear();
      this.byteSeen.fill(0);
      this.byteChanged.fill(0);
      this.setSeen.fill(0);
      this.truths.reset();
    }
    if (arena.supportCount > this.setSeen.length) {
      this.setSeen = grown(this.setSeen, new Int32Array(arena.supportCount * 2));
      this.setChanged = grown(this.setChanged, new Int32Array(arena.supportCount * 2));
    }
    if (size > this.lows.length) {
      const capacity = Math.max(1 << 12, size + (size >> 1));
      this.lows = grown(this.lows, new Int32Array(capacity));
      this.highs = grown(this.highs, new Int32Array(capacity));
      this.stamps = grown(this.stamps, new Int32Array(capacity));
      this.truths.reserve(capacity);
    }
    const words = arena.words;
    for (let node = this.known; node < size; node++) {
      if ((words[node << 2] & 0xff) !== CONSTANT) continue;
      this.lows[node] = words[(node << 2) + 1];
      this.highs[node] = words[(node << 2) + 2];
      if (words[(node << 2) + 3] !== 0) this.wides.set(node, arena.constantBigValue(node as ExprRef));
      this.stamps[node] = ALWAYS;
    }
    this.known = size;
  }

  /** The value of an input byte. */
  private byte(index: number): number {
    if (index >= this.bytes.length) this.growBytes(index);
    if (this.byteSeen[index] !== this.stamp) {
      this.byteSeen[index] = this.stamp;
      const value = index < this.model.length ? this.model[index] : 0;
      if (value !== this.bytes[index]) {
        this.bytes[index] = value;
        this.byteChanged[index] = this.stamp;
      }
    }
    return this.bytes[index];
  }

  private growBytes(index: number): void {
    const bytes = new Uint8Array(Math.max(index + 1, this.bytes.length * 2));
    bytes.set(this.bytes);
    this.bytes = bytes;
    this.byteSeen = grown(this.byteSeen, new Int32Array(bytes.length));
    this.byteChanged = grown(this.byteChanged, new Int32Array(bytes.length));
  }

  /** Whether an earlier model's value still stands; it is then the current one. */
  private isUnchanged(node: number): boolean {
    const since = this.stamps[node];
    if (since === 0) return false;
    const set = this.arena.supportId(node as ExprRef);
    if (this.setSeen[set] !== this.stamp) this.lookAtSet(set, node as ExprRef);
    if (this.setChanged[set] > since) return false;
    this.stamps[node] = this.stamp;
    return true;
  }

  private lookAtSet(set: number, e: ExprRef): void {
    this.setSeen[set] = this.stamp;
    this.setChanged[set] = this.stamp;
    if (this.arena.supportSize(e) > TRACKED_SUPPORT) return;
    const indices = this.arena.support(e);
    let last = 0;
    for (let i = 0; i < indices.length; i++) {
      this.byte(indices[i]);
      const changed = this.byteChanged[indices[i]];
      if (changed > last) last = changed;
    }
    this.setChanged[set] = last;
  }

  private bigOf(node: number): bigint {
    if (this.arena.width(node as ExprRef) > 64) return this.wides.get(node)!;
    return (BigInt(this.highs[node] >>> 0) << 32n) | BigInt(this.lows[node] >>> 0);
  }

  private run(root: number): void {
    const { lows, stamps, stamp } = this;
    const words = this.arena.words;
    let stack: Int32Array = this.stack;
    let top = 0;
    stack[0] = root;
    while (top >= 0) {
      const node = stack[top];
      const at = node << 2;
      const head = words[at];
      if (head === VARIABLE) {
        lows[node] = this.byte(words[at + 3]);
        stamps[node] = stamp;
        top--;
        continue;
      }
      const a = words[at + 1];
      const aHead = words[a << 2];
      if (stamps[a] < stamp) {
        if (aHead === VARIABLE) {
          // Most operands that are not there yet are input bytes: no turn of the loop for them.
          lows[a] = this.byte(words[(a << 2) + 3]);
          stamps[a] = stamp;
        } else if (!this.isUnchanged(a)) {
          if (++top === stack.length) stack = this.growStack();
          stack[top] = a;
          continue;
        }
      }
      const op = head & 0xff;
      let b = 0;
      if (BINARY[op] === 1) {
        b = words[at + 2];
      } else if (op === (27 satisfies typeof OPS.ite.code)) {
        b = lows[a] !== 0 ? words[at + 2] : words[at + 3];
      } else if (op === (28 satisfies typeof OPS.lookup.code)) {
        b = this.entryOf(words[at + 3] as TableRef, a, aHead >>> 8);
        if (b === 0) {
          this.zero(node, head >>> 8);
          stamps[node] = stamp;
          top--;
          continue;
        }
      } else if (op === (34 satisfies typeof OPS.ffma.code)) {
        b = words[at + 2];
        const c = words[at + 3];
        if (stamps[c] < stamp && !this.isUnchanged(c)) {
          if (++top === stack.length) stack = this.growStack();
          stack[top] = c;
          continue;
        }
      }
      if (b !== 0 && stamps[b] < stamp && !this.isUnchanged(b)) {
        if (++top === stack.length) stack = this.growStack();
        stack[top] = b;
        continue;
      }
      stamps[node] = stamp;
      top--;
      const from = aHead >>> 8;
      const width = head >>> 8;
      if (from > 32 || width > 32) {
        this.wide(op, node, a, b, from, width, words[at + 3]);
        continue;
      }
      const unused = 32 - width;
      const x = lows[a];
      const y = lows[b];
      let value: number;
      switch (op) {
        case 3 satisfies typeof OPS.add.code:
          value = (x + y) | 0;
          break;
        case 4 satisfies typeof OPS.sub.code:
          value = (x - y) | 0;
          break;
        case 5 satisfies typeof OPS.mul.code:
          value = Math.imul(x, y);
          break;
        case 6 satisfies typeof OPS.udiv.code:
          value = y === 0 ? -1 : ((x >>> 0) / (y >>> 0)) | 0;
          break;
        case 7 satisfies typeof OPS.sdiv.code: {
          const signedX = (x << unused) >> unused;
          const signedY = (y << unused) >> unused;
          value = signedY === 0 ? (signedX < 0 ? 1 : -1) : (signedX / signedY) | 0;
          break;
        }
        case 8 satisfies typeof OPS.urem.code:
          value = y === 0 ? x : ((x >>> 0) % (y >>> 0)) | 0;
          break;
        case 9 satisfies typeof OPS.srem.code:
          value = y === 0 ? x : (((x << unused) >> unused) % ((y << unused) >> unused)) | 0;
          break;
        case 10 satisfies typeof OPS.and.code:
          value = x & y;
          break;
        case 11 satisfies typeof OPS.or.code:
          value = x | y;
          break;
        case 12 satisfies typeof OPS.xor.code:
          value = x ^ y;
          break;
        case 13 satisfies typeof OPS.shl.code:
          value = y >>> 0 >= width ? 0 : x << y;
          break;
        case 14 satisfies typeof OPS.lshr.code:
          value = y >>> 0 >= width ? 0 : (x >>> y) | 0;
          break;
        case 15 satisfies typeof OPS.ashr.code:
          value = ((x << unused) >> unused) >> (y >>> 0 >= width ? 31 : y);
          break;
        case 16 satisfies typeof OPS.not.code:
          value = ~x;
          break;
        case 17 satisfies typeof OPS.neg.code:
          value = -x | 0;
          break;
        case 18 satisfies typeof OPS.eq.code:
          value = x === y ? 1 : 0;
          break;
        case 19 satisfies typeof OPS.ult.code:
          value = (x ^ 0x8000_0000) < (y ^ 0x8000_0000) ? 1 : 0;
          break;
        case 20 satisfies typeof OPS.ule.code:
          value = (x ^ 0x8000_0000) <= (y ^ 0x8000_0000) ? 1 : 0;
          break;
        case 21 satisfies typeof OPS.slt.code:
          value = x << (32 - from) < y << (32 - from) ? 1 : 0;
          break;
        case 22 satisfies typeof OPS.sle.code:
          value = x << (32 - from) <= y << (32 - from) ? 1 : 0;
          break;
        case 23 satisfies typeof OPS.extract.code:
          value = (x >>> words[at + 3]) | 0;
          break;
        case 24 satisfies typeof OPS.concat.code:
          value = (x << (width - from)) | y;
          break;
        case 25 satisfies typeof OPS.zext.code:
          value = x;
          break;
        case 26 satisfies typeof OPS.sext.code:
          value = (x << (32 - from)) >> (32 - from);
          break;
        case 27 satisfies typeof OPS.ite.code:
        case 28 satisfies typeof OPS.lookup.code:
          value = y;
          break;
        default:
          this.float(op, node, a, b, from, width, words[at + 3]);
          continue;
      }
      lows[node] = ((value << unused) >>> unused) | 0;
    }
  }

  private growStack(): Int32Array<ArrayBuffer> {
    this.stack = grown(this.stack, new Int32Array(this.stack.length * 2));
    return this.stack;
  }

  /** The entry that the value of the index selects, or 0 beyond the end. */
  private entryOf(table: TableRef, index: number, width: number): number {
    const entries = this.arena.tableEntries(table);
    if (width > 64) {
      const value = this.bigOf(index);
      return value < BigInt(entries.length) ? entries[Number(value)] : 0;
    }
    const low = this.lows[index] >>> 0;
    return this.highs[index] === 0 && low < entries.length ? entries[low] : 0;
  }

  private zero(node: number, width: number): void {
    this.lows[node] = 0;
    if (width > 32) this.highs[node] = 0;
    if (width > 64) this.wides.set(node, 0n);
  }

  /** A node of which an operand or the result has more than 32 bits. `b` is what an ite or a lookup selected. */
  private wide(op: number, node: number, a: number, b: number, from: number, width: number, payload: number): void {
    if (op === OPS.ite.code || op === OPS.lookup.code) this.copy(node, b, width);
    else if (op >= FIRST_FLOAT_OP) this.float(op, node, a, b, from, width, payload);
    else if (BINARY[op] === 1) this.binaryWide(op, node, a, b, from, width);
    else this.unaryWide(op, node, a, from, width, payload);
  }

  /** The last operand is the third one of an ffma, else the payload. */
  private float(op: number, node: number, a: number, b: number, from: number, width: number, last: number): void {
    const { word, lows, highs } = this;
    const c = op === OPS.ffma.code ? last : 0;
    foldFloat(word, op, width, from, last, lows[a], highs[a], lows[b], highs[b], lows[c], highs[c]);
    lows[node] = word.lo;
    if (width > 32) highs[node] = word.hi;
  }

  private copy(node: number, from: number, width: number): void {
    this.lows[node] = this.lows[from];
    if (width > 32) this.highs[node] = this.highs[from];
    if (width > 64) this.wides.set(node, this.wides.get(from)!);
  }

  private put(node: number, width: number, value: bigint): void {
    if (width > 64) {
      this.wides.set(node, value);
    } else {
      this.lows[node] = Number(BigInt.asIntN(32, value));
      this.highs[node] = Number(BigInt.asIntN(32, value >> 32n));
    }
  }

  private unaryWide(op: number, node: number, a: number, from: number, width: number, payload: number): void {
    const { word, lows, highs } = this;
    if (from > 64 || width > 64) {
      this.put(node, width, unaryBig(op, this.bigOf(a), from, width, payload));
      return;
    }
    const lo = lows[a];
    const hi = highs[a];
    if (op === OPS.not.code) word.set(~lo, ~hi);
    else if (op === OPS.neg.code) word.neg(lo, hi);
    else if (op === OPS.extract.code) word.lshr(lo, hi, payload);
    else if (op === OPS.zext.code) word.set(lo, hi);
    else word.signExtend(lo, hi, from);
    word.truncate(width);
    lows[node] = word.lo;
    highs[node] = word.hi;
  }

  private binaryWide(op: number, node: number, a: number, b: number, operandWidth: number, width: number): void {
    const { word, lows, highs } = this;
    if (operandWidth > 64 || width > 64) {
      const value =
        op === OPS.concat.code
          ? (this.bigOf(a) << BigInt(width - operandWidth)) | this.bigOf(b)
          : foldBinaryBig(op, operandWidth, this.bigOf(a), this.bigOf(b));
      this.put(node, width, value);
      return;
    }
    if (op === OPS.concat.code) {
      word.shl(lows[a], highs[a], width - operandWidth);
      lows[node] = word.lo | lows[b];
      highs[node] = word.hi | highs[b];
      return;
    }
    foldBinary(word, op, operandWidth, lows[a], highs[a], lows[b], highs[b]);
    lows[node] = word.lo;
    highs[node] = word.hi;
  }
}

function grown(from: Int32Array, to: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  to.set(from);
  return to;
}

function unaryBig(op: number, x: bigint, from: number, width: number, payload: number): bigint {
  switch (op) {
    case OPS.not.code:
      return x ^ maskBig(width);
    case OPS.neg.code:
      return -x & maskBig(width);
    case OPS.extract.code:
      return (x >> BigInt(payload)) & maskBig(width);
    case OPS.zext.code:
      return x;
    default:
      return BigInt.asIntN(from, x) & maskBig(width);
  }
}
