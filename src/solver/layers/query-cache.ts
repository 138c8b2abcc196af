// Answers to queries asked before, by their set of constraints. The constraints are kept sorted and compared; the hash only
// picks the place. A model is kept as the values of the constraints' bytes, and laid over the hint that comes with the
// question, so that an answer never carries another input's bytes.
// When the table is full it starts over: an order of use would cost more than it saves, and a run of new questions
// follows the search to another part of the program anyway.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Query, Solver, Verdict } from "../solver.js";
import { overlay, SupportUnion, valuesAt } from "./support-union.js";

const EMPTY = -1;
/** Of thousands of tests most ask little: a table for all that may come would cost more than their questions. */
const FIRST_SLOTS = 128;

interface Entry {
  readonly hash: number;
  readonly key: Int32Array;
  /** Bytes of the constraints and their values, for "sat". */
  readonly bytes: Int32Array | null;
  readonly values: Uint8Array | null;
  /** The constraints that contradict each other, for "unsat". */
  readonly core: readonly ExprRef[] | null;
  readonly unknown: Verdict | null;
  /** For "unknown": what it was given, in milliseconds. With more time there may be an answer. */
  readonly givenMs: number;
}

/** A question is asked again if it has so many times more time than before. */
const MORE_TIME = 1.5;
/** One that ended long before its time was over was ended by the solver's own limits, and more time does not help. */
const USED_UP = 0.8;

export class QueryCacheLayer implements Solver {
  hits = 0;
  private entries: Entry[] = [];
  private slots = new Int32Array(FIRST_SLOTS).fill(EMPTY);
  private generation: number;
  private key = new Int32Array(64);
  private readonly support: SupportUnion;

  constructor(
    private readonly arena: ExprArena,
    private readonly next: Solver,
    private readonly capacity: number,
  ) {
    this.generation = arena.generation;
    this.support = new SupportUnion(arena);
  }

  solve(query: Query): Verdict {
    if (this.arena.generation !== this.generation || this.entries.length >= this.capacity) this.clear();
    const length = this.makeKey(query.constraints);
    let hash = length;
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ this.key[i], 0x9e37_79b1) ^ (hash >>> 13);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (; this.slots[slot] !== EMPTY; slot = (slot + 1) & mask) {
      const entry = this.entries[this.slots[slot]];
      if (entry.hash !== hash || !this.sameKey(entry.key, length)) continue;
      if (entry.unknown !== null && timeOf(query) > MORE_TIME * entry.givenMs) return this.askAgain(slot, query);
      this.hits++;
      return this.answer(entry, query);
    }
    const key = this.key.slice(0, length);
    const givenMs = timeOf(query);
    const verdict = this.next.solve(query);
    if (2 * this.entries.length >= this.slots.length) this.grow();
    // A layer behind may have asked another question from the start, and taken the place.
    this.place(hash, this.entries.length);
    this.entries.push(this.entryOf(hash, key, query, verdict, givenMs));
    return verdict;
  }

  /** A question that was not answered in less time. */
  private askAgain(slot: number, query: Query): Verdict {
    const { slots, entries } = this;
    const index = slots[slot];
    const { hash, key } = entries[index];
    const givenMs = timeOf(query);
    const verdict = this.next.solve(query);
    // A layer behind may have asked another question from the start, and the table may have begun anew.
    if (entries === this.entries) entries[index] = this.entryOf(hash, key, query, verdict, givenMs);
    return verdict;
  }

  private place(hash: number, entry: number): void {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    while (this.slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.slots[slot] = entry;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length).fill(EMPTY);
    for (const [index, { hash }] of this.entries.entries()) this.place(hash, index);
  }

  private clear(): void {
    this.generation = this.arena.generation;
    this.entries = [];
    this.slots.fill(EMPTY);
  }

  /** Sorts the constraints into `key` without repetitions; returns how many there are. */
  private makeKey(constraints: readonly ExprRef[]): number {
    if (this.key.length < constraints.length) this.key = new Int32Array(constraints.length * 2);
    const { key } = this;
    for (let i = 0; i < constraints.length; i++) key[i] = constraints[i];
    sortFirst(key, constraints.length);
    let length = 0;
    for (let i = 0; i < constraints.length; i++) if (i === 0 || key[i] !== key[i - 1]) key[length++] = key[i];
    return length;
  }

  private sameKey(key: Int32Array, length: number): boolean {
    if (key.length !== length) return false;
    for (let i = 0; i < length; i++) if (key[i] !== this.key[i]) return false;
    return true;
  }

  private entryOf(hash: number, key: Int32Array, query: Query, verdict: Verdict, timeMs: number): Entry {
    const { constraints } = query;
    const nothing = { hash, key, bytes: null, values: null, core: null, unknown: null, givenMs: timeMs };
    if (verdict.kind === "unknown") {
      const isTime = verdict.reason === "time" && timeMs - timeOf(query) >= USED_UP * timeMs;
      return { ...nothing, unknown: verdict, givenMs: isTime ? timeMs : Number.POSITIVE_INFINITY };
    }
    if (verdict.kind === "unsat") return { ...nothing, core: verdict.core.map((position) => constraints[position]) };
    const bytes = this.support.of(constraints);
    return { ...nothing, bytes, values: valuesAt(verdict.model, bytes) };
  }

  private answer(entry: Entry, { constraints, hint }: Query): Verdict {
    if (entry.unknown !== null) return entry.unknown;
    if (entry.core !== null) return { kind: "unsat", core: entry.core.map((ref) => constraints.indexOf(ref)) };
    return { kind: "sat", model: overlay(hint, entry.bytes!, entry.values!) };
  }
}

/** What a question may take from now on. */
function timeOf({ deadlineMs }: Query): number {
  return deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - performance.now();
}

const INSERTION_LIMIT = 32;

function sortFirst(numbers: Int32Array, count: number): void {
  if (count > INSERTION_LIMIT) {
    numbers.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = numbers[i];
    let place = i;
    for (; place > 0 && numbers[place - 1] > value; place--) numbers[place] = numbers[place - 1];
    numbers[place] = value;
  }
}
