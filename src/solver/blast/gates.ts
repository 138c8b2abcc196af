// The graph of gates that expressions become: hash-consed, with constants folded, kept for the lifetime of the arena. The
// alternative, making clauses straight from expressions, would build the same circuits again for every query: the queries
// of one program repeat almost everything. Clauses are made per query from the cone of its roots (cone.ts).
//
// A literal is 2 * gate + sign; literal 0 is true and literal 1 is false, so negation is `^ 1`.
// A gate that depends on one input byte only has its truth table over the byte's 256 values beside it: when a query
// restricts the byte, a look at the table tells whether the gate is constant there (cone.ts).
// Invariant: the operands of a gate have smaller indices than the gate; operands are normalised, so that equal structure
// is the same literal (the hash only picks the bucket; operands are compared).

export const TRUE_LITERAL = 0;
export const FALSE_LITERAL = 1;

/** What a gate is. An input's operands are its byte and bit; a conjunction's are a place and a count in `pool`. */
export const GATE = { constant: 0, input: 1, and: 2, xor: 3, mux: 4, majority: 5, conjunction: 6 } as const;

/** Small: a campaign makes a graph for each of ten thousand tests, and most need no gate. */
const FIRST_CAPACITY = 1 << 8;
/** Words of a truth table over one byte. */
const COLUMN_WORDS = 8;
/** Truth table of bits 0 to 4 within each word; bits 5 to 7 choose among words. */
const BIT_PATTERNS = [0xaaaa_aaaa | 0, 0xcccc_cccc | 0, 0xf0f0_f0f0 | 0, 0xff00_ff00 | 0, 0xffff_0000 | 0];

function hash(kind: number, a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e37_79b1) ^ Math.imul(b, 0x85eb_ca6b) ^ Math.imul(c, 0xc2b2_ae35) ^ kind;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b_3c6d);
  return h ^ (h >>> 13);
}

function grown(old: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(capacity);
  larger.set(old);
  return larger;
}

export class GateGraph {
  /** Number of gates; gate 0 is the constant. */
  count = 1;
  kind = new Uint8Array(FIRST_CAPACITY);
  a = new Int32Array(FIRST_CAPACITY);
  b = new Int32Array(FIRST_CAPACITY);
  c = new Int32Array(FIRST_CAPACITY);
  /** Place in `columns` of the gate's truth table over its one byte, plus one; 0 if it depends on several. */
  column = new Int32Array(FIRST_CAPACITY);
  /** The one byte, where there is a truth table. */
  byte = new Int32Array(FIRST_CAPACITY);
  columns = new Int32Array(FIRST_CAPACITY * 2);
  private columnsLength = 0;
  /** Operands of conjunctions. */
  pool = new Int32Array(FIRST_CAPACITY);
  private poolLength = 0;
  private buckets = new Int32Array(FIRST_CAPACITY * 2);
  /** Literal of each bit of each input byte, 0 where not made yet. */
  private inputs = new Int32Array(256 * 8);
  private scratch = new Int32Array(64);

  input(byte: number, bit: number): number {
    const place = byte * 8 + bit;
    if (place >= this.inputs.length) this.inputs = grown(this.inputs, Math.max(place + 8, this.inputs.length * 2));
    if (this.inputs[place] === 0) this.inputs[place] = this.make(GATE.input, byte, bit, 0);
    return this.inputs[place];
  }

  and(x: number, y: number): number {
    if (x === y || y === TRUE_LITERAL) return x;
    if (x === TRUE_LITERAL) return y;
    if (x === FALSE_LITERAL || y === FALSE_LITERAL || x === (y ^ 1)) return FALSE_LITERAL;
    return x < y ? this.intern(GATE.and, x, y, 0) : this.intern(GATE.and, y, x, 0);
  }

  or(x: number, y: number): number {
    return this.and(x ^ 1, y ^ 1) ^ 1;
  }

  xor(x: number, y: number): number {
    if (x <= 1) return y ^ x ^ 1;
    if (y <= 1) return x ^ y ^ 1;
    if (x >> 1 === y >> 1) return x === y ? FALSE_LITERAL : TRUE_LITERAL;
    // Signs move to the result, so that x^y, !x^y and x^!y share one gate.
    const sign = (x ^ y) & 1;
    const p = x & ~1;
    const q = y & ~1;
    return (p < q ? this.intern(GATE.xor, p, q, 0) : this.intern(GATE.xor, q, p, 0)) ^ sign;
  }

  /** `c ? t : f` */
  mux(c: number, t: number, f: number): number {
    if (c <= 1) return c === TRUE_LITERAL ? t : f;
    if (t === f) return t;
    if (t === (f ^ 1)) return this.xor(c, f);
    if (t === TRUE_LITERAL || t === c) return this.or(c, f);
    if (t === FALSE_LITERAL || t === (c ^ 1)) return this.and(c ^ 1, f);
    if (f === TRUE_LITERAL || f === (c ^ 1)) return this.or(c ^ 1, t);
    if (f === FALSE_LITERAL || f === c) return this.and(c, t);
    if ((c & 1) !== 0) return this.mux(c ^ 1, f, t);
    if ((t & 1) !== 0) return this.intern(GATE.mux, c, t ^ 1, f ^ 1) ^ 1;
    return this.intern(GATE.mux, c, t, f);
  }

  /** At least two of three: a carry, or one step of a comparison. */
  majority(x: number, y: number, z: number): number {
    if (x === y) return x;
    if (x === z) return x;
    if (y === z) return y;
    if (x === (y ^ 1)) return z;
    if (x === (z ^ 1)) return y;
    if (y === (z ^ 1)) return x;
    if (x <= 1) return x === TRUE_LITERAL ? this.or(y, z) : this.and(y, z);
    if (y <= 1) return y === TRUE_LITERAL ? this.or(x, z) : this.and(x, z);
    if (z <= 1) return z === TRUE_LITERAL ? this.or(x, y) : this.and(x, y);
    const p = Math.min(x, y, z);
    const r = Math.max(x, y, z);
    const q = x ^ y ^ z ^ p ^ r;
    // Majority is its own dual: the first operand is kept positive.
    if ((p & 1) !== 0) return this.intern(GATE.majority, p ^ 1, q ^ 1, r ^ 1) ^ 1;
    return this.intern(GATE.majority, p, q, r);
  }

  /** All of `literals`; one gate, because a chain of pairs costs the SAT solver a variable each. */
  conjunction(literals: readonly number[]): number {
    if (this.scratch.length < literals.length) this.scratch = new Int32Array(literals.length * 2);
    const scratch = this.scratch;
    let count = 0;
    for (let i = 0; i < literals.length; i++) {
      if (literals[i] === FALSE_LITERAL) return FALSE_LITERAL;
      if (literals[i] !== TRUE_LITERAL) scratch[count++] = literals[i];
    }
    scratch.subarray(0, count).sort();
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (kept > 0 && scratch[kept - 1] === scratch[i]) continue;
      if (kept > 0 && scratch[kept - 1] === (scratch[i] ^ 1)) return FALSE_LITERAL;
      scratch[kept++] = scratch[i];
    }
    if (kept === 0) return TRUE_LITERAL;
    if (kept === 1) return scratch[0];
    if (kept === 2) return this.and(scratch[0], scratch[1]);
    return this.internConjunction(kept);
  }

  private internConjunction(count: number): number {
    let h = count;
    for (let i = 0; i < count; i++) h = hash(GATE.conjunction, h, this.scratch[i], i);
    const mask = this.buckets.length - 1;
    let slot = h & mask;
    for (; this.buckets[slot] !== 0; slot = (slot + 1) & mask) {
      const gate = this.buckets[slot];
      if (this.kind[gate] === GATE.conjunction && this.b[gate] === count && this.poolEquals(this.a[gate], count)) {
        return gate * 2;
      }
    }
    if (this.poolLength + count > this.pool.length) {
      this.pool = grown(this.pool, Math.max(this.pool.length * 2, this.poolLength + count));
    }
    this.pool.set(this.scratch.subarray(0, count), this.poolLength);
    const start = this.poolLength;
    this.poolLength += count;
    this.buckets[slot] = this.count;
    return this.make(GATE.conjunction, start, count, h);
  }

  private poolEquals(start: number, count: number): boolean {
    for (let i = 0; i < count; i++) if (this.pool[start + i] !== this.scratch[i]) return false;
    return true;
  }

  private intern(kind: number, x: number, y: number, z: number): number {
    const mask = this.buckets.length - 1;
    let slot = hash(kind, x, y, z) & mask;
    for (; this.buckets[slot] !== 0; slot = (slot + 1) & mask) {
      const gate = this.buckets[slot];
      if (this.a[gate] === x && this.b[gate] === y && this.c[gate] === z && this.kind[gate] === kind) return gate * 2;
    }
    this.buckets[slot] = this.count;
    return this.make(kind, x, y, z);
  }

  private make(kind: number, x: number, y: number, z: number): number {
    const gate = this.count++;
    this.kind[gate] = kind;
    this.a[gate] = x;
    this.b[gate] = y;
    this.c[gate] = z;
    this.fillColumn(gate);
    if (this.count === this.kind.length) this.grow();
    return gate * 2;
  }

  private fillColumn(gate: number): void {
    const kind = this.kind[gate];
    const x = this.a[gate];
    if (kind === GATE.input) {
      const start = this.newColumn(gate, x);
      const bit = this.b[gate];
      for (let i = 0; i < COLUMN_WORDS; i++) {
        this.columns[start + i] = bit < 5 ? BIT_PATTERNS[bit] : ((i >> (bit - 5)) & 1) === 1 ? -1 : 0;
      }
      return;
    }
    if (kind === GATE.conjunction) {
      this.fillConjunctionColumn(gate);
      return;
    }
    const { column, byte } = this;
    const y = this.b[gate];
    const z = this.c[gate];
    const at = column[x >> 1];
    const bt = column[y >> 1];
    const ct = z === 0 ? at : column[z >> 1];
    if (at === 0 || bt === 0 || ct === 0 || byte[x >> 1] !== byte[y >> 1]) return;
    if (z !== 0 && byte[z >> 1] !== byte[x >> 1]) return;
    const start = this.newColumn(gate, byte[x >> 1]);
    const { columns } = this;
    const flipX = -(x & 1);
    const flipY = -(y & 1);
    const flipZ = -(z & 1);
    for (let i = 0; i < COLUMN_WORDS; i++) {
      const p = columns[at - 1 + i] ^ flipX;
      const q = columns[bt - 1 + i] ^ flipY;
      const r = columns[ct - 1 + i] ^ flipZ;
      let value: number;
      if (kind === GATE.and) value = p & q;
      else if (kind === GATE.xor) value = p ^ q;
      else if (kind === GATE.mux) value = (p & q) | (~p & r);
      else value = (p & q) | (p & r) | (q & r);
      columns[start + i] = value;
    }
  }

  private fillConjunctionColumn(gate: number): void {
    const { pool, column, byte } = this;
    const from = this.a[gate];
    const count = this.b[gate];
    const first = pool[from] >> 1;
    for (let i = 0; i < count; i++) {
      const operand = pool[from + i] >> 1;
      if (column[operand] === 0 || byte[operand] !== byte[first]) return;
    }
    const start = this.newColumn(gate, byte[first]);
    const { columns } = this;
    for (let k = 0; k < COLUMN_WORDS; k++) {
      let value = -1;
      for (let i = 0; i < count; i++) {
        const operand = pool[from + i];
        value &= columns[column[operand >> 1] - 1 + k] ^ -(operand & 1);
      }
      columns[start + k] = value;
    }
  }

  private newColumn(gate: number, byte: number): number {
    if (this.columnsLength + COLUMN_WORDS > this.columns.length) {
      this.columns = grown(this.columns, this.columns.length * 2);
    }
    const start = this.columnsLength;
    this.columnsLength += COLUMN_WORDS;
    this.column[gate] = start + 1;
    this.byte[gate] = byte;
    return start;
  }

  private grow(): void {
    const capacity = this.kind.length * 2;
    const kind = new Uint8Array(capacity);
    kind.set(this.kind);
    this.kind = kind;
    this.a = grown(this.a, capacity);
    this.b = grown(this.b, capacity);
    this.c = grown(this.c, capacity);
    this.column = grown(this.column, capacity);
    this.byte = grown(this.byte, capacity);
    this.buckets = new Int32Array(capacity * 2);
    const mask = this.buckets.length - 1;
    for (let gate = 1; gate < this.count; gate++) {
      const kindOf = this.kind[gate];
      if (kindOf === GATE.input) continue;
      // A conjunction keeps its hash as third operand: recomputing it would need its operands in the scratch.
      let slot =
        (kindOf === GATE.conjunction ? this.c[gate] : hash(kindOf, this.a[gate], this.b[gate], this.c[gate])) & mask;
      while (this.buckets[slot] !== 0) slot = (slot + 1) & mask;
      this.buckets[slot] = gate;
    }
  }
}
