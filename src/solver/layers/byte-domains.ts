// Which values of its input byte satisfy a condition over one byte: a set of 256 bits, made once for each condition
// (columns.ts). Scanners and parsers ask almost nothing else, so that most queries are a few bitwise ands (half a
// microsecond) and need neither gates nor search. Intervals would be smaller, but `isalnum`, masks and tables are not
// intervals.
// Invariant: where[e] > 0 means that the eight words from where[e] - 1 on are the set of e.

import type { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import { OutOfTime } from "../out-of-time.js";
import { Columns } from "./columns.js";
import { VALUES } from "./columns-wide.js";

export const DOMAIN_WORDS = 8;
/** Sets beyond which everything is forgotten: 32 bytes each. */
const MAX_DOMAINS = 1 << 20;

export class ByteDomains {
  /** All sets, eight words each, bit v % 32 of word v / 32 for the value v. */
  words = new Int32Array(DOMAIN_WORDS * 128);
  private used = 0;
  private where = new Int32Array(1024);
  private generation: number;
  private readonly evaluator: Evaluator;
  private readonly columns: Columns;
  private columnsByte = -1;
  /** By the clock of `performance.now`: later no set is made any more (OutOfTime). */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** Whether the current query's own time has begun: most queries make no set, and need not look at the clock. */
  isTimed = false;
  private probe = new Uint8Array(64);

  constructor(
    private readonly arena: ExprArena,
    /** What a query may take from its first new set on. */
    private readonly limitMs = Number.POSITIVE_INFINITY,
  ) {
    this.generation = arena.generation;
    this.evaluator = new Evaluator(arena);
    this.columns = new Columns(arena, this.evaluator);
  }

  begin(deadlineMs: number): void {
    this.deadlineMs = deadlineMs;
    this.isTimed = false;
  }

  /** Where in `words` the set of `e` starts. `e` has width 1 and depends on exactly one input byte. */
  domain(e: ExprRef): number {
    if (e < this.where.length && this.where[e] > 0) return this.where[e] - 1;
    return this.make(e);
  }

  /** Drops all sets if the arena was collected or there are too many; call it between queries. */
  refresh(): void {
    if (this.arena.generation === this.generation && this.used < MAX_DOMAINS * DOMAIN_WORDS) return;
    this.generation = this.arena.generation;
    this.where = new Int32Array(1024);
    this.used = 0;
    this.columnsByte = -1;
  }

  private make(e: ExprRef): number {
    const { arena, words } = this;
    // The opposite condition is often there already.
    if (arena.op(e) === OPS.not.code) {
      const opposite = arena.a(e);
      if (opposite < this.where.length && this.where[opposite] > 0) {
        const source = this.where[opposite] - 1;
        const start = this.allocate(e);
        for (let i = 0; i < DOMAIN_WORDS; i++) this.words[start + i] = ~words[source + i];
        return start;
      }
    }
    const nowMs = performance.now();
    if (!this.isTimed) {
      this.isTimed = true;
      this.deadlineMs = Math.min(this.deadlineMs, nowMs + this.limitMs);
    }
    if (nowMs > this.deadlineMs) throw new OutOfTime();
    this.columns.deadlineMs = this.deadlineMs;
    const start = this.allocate(e);
    this.words.fill(-1, start, start + DOMAIN_WORDS);
    // Conditions on a byte come together and share their parts, whose columns depend on nothing else.
    const byte = arena.support(e)[0];
    if (byte !== this.columnsByte || this.columns.isLarge) this.columns.begin(byte);
    this.columnsByte = byte;
    if (!this.columns.intersect(e, this.words, start)) {
      this.columnsByte = -1;
      if (performance.now() > this.deadlineMs) {
        this.used = start;
        this.where[e] = 0;
        throw new OutOfTime();
      }
      this.fillByEvaluation(e, start);
    }
    return start;
  }

  private allocate(e: ExprRef): number {
    if (e >= this.where.length) {
      const larger = new Int32Array(Math.max(this.where.length * 2, e + 1));
      larger.set(this.where);
      this.where = larger;
    }
    if (this.used + DOMAIN_WORDS > this.words.length) {
      const larger = new Int32Array(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
    }
    const start = this.used;
    this.used += DOMAIN_WORDS;
    this.where[e] = start + 1;
    return start;
  }

  private fillByEvaluation(e: ExprRef, start: number): void {
    const byte = this.arena.support(e)[0];
    if (byte >= this.probe.length) this.probe = new Uint8Array(byte * 2);
    const { probe, evaluator, words } = this;
    words.fill(0, start, start + DOMAIN_WORDS);
    for (let value = 0; value < VALUES; value++) {
      probe[byte] = value;
      evaluator.load(probe);
      if (evaluator.holds(e)) words[start + (value >> 5)] |= 1 << (value & 31);
    }
    probe[byte] = 0;
  }
}

/** The member nearest to `wanted` (the smaller of two equally near), or -1 if the set of eight words is empty. */
export function nearestMember(words: Int32Array, start: number, wanted: number): number {
  if (((words[start + (wanted >> 5)] >>> (wanted & 31)) & 1) !== 0) return wanted;
  let above = -1;
  for (let word = wanted >> 5, mask = -1 << (wanted & 31); word < DOMAIN_WORDS; word++, mask = -1) {
    const bits = words[start + word] & mask;
    if (bits === 0) continue;
    above = word * 32 + 31 - Math.clz32(bits & -bits);
    break;
  }
  let below = -1;
  for (let word = wanted >> 5, mask = ~(-1 << (wanted & 31)); word >= 0; word--, mask = -1) {
    const bits = words[start + word] & mask;
    if (bits === 0) continue;
    below = word * 32 + 31 - Math.clz32(bits);
    break;
  }
  if (above < 0) return below;
  return below >= 0 && wanted - below <= above - wanted ? below : above;
}
