// A small conflict-driven SAT solver for the many easy queries. CaDiCaL solves them as well, but its set-up is what costs:
// measured, a fresh instance with 1000 variables and 3000 clauses takes 0.8 ms to fill (65 ns a literal inside CaDiCaL; adding
// in bulk through a shim in WebAssembly changed nothing), 0.1 ms to solve and 0.13 ms to release. Here filling is part of
// making the clauses. There is no clause deletion, no preprocessing, no inprocessing: after some thousand conflicts the
// query is handed on.
//
// Assumptions are facts of level 0, which makes everything they imply final for this query. To name the failed ones, a
// learned clause keeps the level-0 literals that its derivation dropped behind its end: propagation never looks at
// them, the final analysis does. Layout of a learned clause: [number of dropped literals][clause][dropped literals...].
//
// Decisions take the most active variable (VSIDS on a heap) with its saved phase; before the first conflict that is the
// lowest number, an input bit with the hint's value (cone.ts).

import { CLAUSE_LITERALS, CLAUSE_SIZE, type ClauseArena } from "../blast/clauses.js";
import type { SatCore, SatLimits, SatOutcome } from "./sat-core.js";

/** Conflicts of the first restart interval; the intervals follow Luby's sequence. */
const RESTART_UNIT = 32;
const ACTIVITY_DECAY = 1 / 0.95;
const ACTIVITY_LIMIT = 1e100;
/** Values set and looked at between two looks at the clock, about a millisecond: with a million of variables one conflict is long. */
const WORK_BETWEEN_LOOKS = 1 << 15;

/** 1, 1, 2, 1, 1, 2, 4, ... (index from 1) */
export function luby(index: number): number {
  let size = 1;
  let exponent = 0;
  while (size < index) {
    size = size * 2 + 1;
    exponent++;
  }
  let rest = index;
  while (size !== rest) {
    size = (size - 1) / 2;
    exponent--;
    if (rest > size) rest -= size;
  }
  return 2 ** exponent;
}

export class QuickSat implements SatCore {
  readonly failed: number[] = [];
  conflicts = 0;
  private clauses!: ClauseArena;
  private data!: Int32Array;
  /** First learned clause's place: clauses from here have dropped literals. */
  private learnedFrom = 0;
  private values = new Int8Array(0);
  private level = new Int32Array(0);
  private reason = new Int32Array(0);
  private owner = new Int32Array(0);
  private trail = new Int32Array(0);
  private trailLength = 0;
  private propagated = 0;
  private levelStart = new Int32Array(0);
  private currentLevel = 0;
  private phase = new Uint8Array(0);
  private seen = new Uint8Array(0);
  private activity = new Float64Array(0);
  private increment = 1;
  private heap = new Int32Array(0);
  private heapPlace = new Int32Array(0);
  private heapLength = 0;
  private learned: number[] = [];
  private dropped: number[] = [];
  private marked: number[] = [];

  value(variable: number): number {
    return this.values[variable * 2] === 1 ? 1 : 0;
  }

  solve(clauses: ClauseArena, assumptions: readonly number[], phases: Uint8Array, limits: SatLimits): SatOutcome {
    this.start(clauses, phases);
    if (!this.assume(assumptions)) return "unsat";
    const conflict = this.propagate();
    if (conflict !== 0) {
      this.analyzeFinal(conflict, -1);
      return "unsat";
    }
    return this.search(limits);
  }

  private start(clauses: ClauseArena, phases: Uint8Array): void {
    const count = clauses.variableCount;
    clauses.unlearn();
    this.clauses = clauses;
    this.data = clauses.data;
    this.learnedFrom = clauses.length + 1;
    if (this.level.length <= count) this.allocate(count * 2 + 2);
    this.values.fill(0, 0, 2 * (count + 1));
    this.seen.fill(0, 0, count + 1);
    for (let v = 1; v <= count; v++) {
      this.phase[v] = phases[v];
      this.activity[v] = (count - v) * 1e-9;
      this.heap[v - 1] = v;
      this.heapPlace[v] = v - 1;
    }
    this.heapLength = count;
    this.trailLength = 0;
    this.propagated = 0;
    this.currentLevel = 0;
    this.increment = 1;
    this.conflicts = 0;
    this.failed.length = 0;
  }

  private allocate(size: number): void {
    this.values = new Int8Array(size * 2);
    this.level = new Int32Array(size);
    this.reason = new Int32Array(size);
    this.owner = new Int32Array(size);
    this.trail = new Int32Array(size);
    this.levelStart = new Int32Array(size + 1);
    this.phase = new Uint8Array(size);
    this.seen = new Uint8Array(size);
    this.activity = new Float64Array(size);
    this.heap = new Int32Array(size);
    this.heapPlace = new Int32Array(size);
  }

  private assume(assumptions: readonly number[]): boolean {
    for (let i = 0; i < assumptions.length; i++) {
      const literal = assumptions[i];
      if (literal === 0) continue;
      if (literal === 1) {
        this.failed.push(i);
        return false;
      }
      const value = this.values[literal];
      if (value === 1) continue;
      if (value === -1) {
        this.analyzeFinal(0, literal);
        this.failed.push(i);
        return false;
      }
      this.owner[literal >> 1] = i;
      this.enqueue(literal, 0);
    }
    return true;
  }

  private search(limits: SatLimits): SatOutcome {
    const variableCount = this.clauses.variableCount;
    let restarts = 1;
    let untilRestart = RESTART_UNIT;
    let untilLook = WORK_BETWEEN_LOOKS;
    for (;;) {
      const begun = this.propagated;
      const conflict = this.propagate();
      untilLook -= 1 + this.trailLength - begun;
      if (conflict !== 0) {
        this.conflicts++;
        if (this.currentLevel === 0) {
          this.analyzeFinal(conflict, -1);
          return "unsat";
        }
        const assigned = this.trailLength;
        this.learn(conflict);
        untilLook -= assigned - this.trailLength + this.marked.length;
        this.increment *= ACTIVITY_DECAY;
        if (this.conflicts >= limits.conflicts) return "conflicts";
        if (--untilRestart === 0) {
          untilRestart = luby(++restarts) * RESTART_UNIT;
          this.backtrack(0);
        }
      } else {
        if (this.trailLength === variableCount) return "sat";
        this.decide();
      }
      if (untilLook > 0) continue;
      if (performance.now() > limits.deadlineMs) return "time";
      untilLook = WORK_BETWEEN_LOOKS;
    }
  }

  private decide(): void {
    let variable = this.popHeap();
    while (this.values[variable * 2] !== 0) variable = this.popHeap();
    this.levelStart[this.currentLevel++] = this.trailLength;
    this.enqueue(variable * 2 + (this.phase[variable] ^ 1), 0);
  }

  private enqueue(literal: number, reason: number): void {
    const variable = literal >> 1;
    this.values[literal] = 1;
    this.values[literal ^ 1] = -1;
    this.level[variable] = this.currentLevel;
    this.reason[variable] = reason;
    this.trail[this.trailLength++] = literal;
  }

  /** Follows all consequences; returns a clause that became false, or 0. */
  private propagate(): number {
    const { data, values, trail, level, reason, currentLevel } = this;
    let length = this.trailLength;
    let next = this.propagated;
    while (next < length) {
      const falsified = trail[next++] ^ 1;
      let slot = falsified;
      let clause = data[slot];
      while (clause !== 0) {
        const first = data[clause + 3];
        const isSecond = first === falsified ? 0 : 1;
        const other = isSecond === 1 ? first : data[clause + 4];
        const otherValue = values[other];
        if (otherValue === 1) {
          slot = clause + isSecond;
          clause = data[slot];
          continue;
        }
        const end = clause + 3 + data[clause + 2];
        let place = clause + 5;
        while (place < end && values[data[place]] === -1) place++;
        if (place < end) {
          // Watch this one instead: unlink from this list, link into the other's.
          const watched = data[place];
          data[place] = falsified;
          data[clause + 3 + isSecond] = watched;
          const following = data[clause + isSecond];
          data[slot] = following;
          data[clause + isSecond] = data[watched];
          data[watched] = clause;
          clause = following;
          continue;
        }
        if (otherValue === -1) {
          this.trailLength = length;
          this.propagated = length;
          return clause;
        }
        const variable = other >> 1;
        values[other] = 1;
        values[other ^ 1] = -1;
        level[variable] = currentLevel;
        reason[variable] = clause;
        trail[length++] = other;
        slot = clause + isSecond;
        clause = data[slot];
      }
    }
    this.trailLength = length;
    this.propagated = length;
    return 0;
  }

  /** Learns the first unique implication point's clause, jumps back and asserts it. */
  private learn(conflict: number): void {
    const { data, level, seen, trail, marked, learned, dropped } = this;
    learned.length = 1;
    dropped.length = 0;
    marked.length = 0;
    let open = 0;
    let index = this.trailLength - 1;
    let clause = conflict;
    let pivot = -1;
    do {
      const end = clause + CLAUSE_LITERALS + data[clause + CLAUSE_SIZE];
      for (let place = clause + CLAUSE_LITERALS; place < end; place++) {
        const literal = data[place];
        if (literal === pivot) continue;
        const variable = literal >> 1;
        if (seen[variable] !== 0) continue;
        seen[variable] = 1;
        marked.push(variable);
        if (level[variable] === 0) {
          dropped.push(literal);
          continue;
        }
        this.bump(variable);
        if (level[variable] === this.currentLevel) open++;
        else learned.push(literal);
      }
      if (clause >= this.learnedFrom) this.collectDropped(clause);
      while (seen[trail[index] >> 1] === 0) index--;
      pivot = trail[index--];
      clause = this.reason[pivot >> 1];
      open--;
    } while (open > 0);
    learned[0] = pivot ^ 1;
    this.minimize();
    for (let i = 0; i < marked.length; i++) seen[marked[i]] = 0;
    this.assertLearned();
  }

  private collectDropped(clause: number): void {
    const data = this.data;
    const start = clause + CLAUSE_LITERALS + data[clause + CLAUSE_SIZE];
    const count = data[clause - 1];
    for (let i = 0; i < count; i++) {
      const literal = data[start + i];
      if (this.seen[literal >> 1] !== 0) continue;
      this.seen[literal >> 1] = 1;
      this.marked.push(literal >> 1);
      this.dropped.push(literal);
    }
  }

  /** Leaves out literals that the rest implies by one reason clause. */
  private minimize(): void {
    const { data, seen, level, learned, reason } = this;
    let kept = 1;
    for (let i = 1; i < learned.length; i++) {
      const clause = reason[learned[i] >> 1];
      let redundant = clause !== 0;
      if (redundant) {
        const end = clause + CLAUSE_LITERALS + data[clause + CLAUSE_SIZE];
        for (let place = clause + CLAUSE_LITERALS; place < end && redundant; place++) {
          const variable = data[place] >> 1;
          if (seen[variable] === 0 && level[variable] !== 0) redundant = false;
        }
      }
      if (!redundant) {
        learned[kept++] = learned[i];
        continue;
      }
      // Its level-0 literals become part of the derivation.
      const end = clause + CLAUSE_LITERALS + data[clause + CLAUSE_SIZE];
      for (let place = clause + CLAUSE_LITERALS; place < end; place++) {
        const variable = data[place] >> 1;
        if (seen[variable] !== 0) continue;
        seen[variable] = 1;
        this.marked.push(variable);
        this.dropped.push(data[place]);
      }
      if (clause >= this.learnedFrom) this.collectDropped(clause);
    }
    learned.length = kept;
  }

  private assertLearned(): void {
    const { learned, dropped, clauses } = this;
    const size = learned.length;
    clauses.reserve(size + dropped.length + CLAUSE_LITERALS + 2);
    this.data = clauses.data;
    const data = this.data;
    data[clauses.length] = dropped.length;
    const clause = ++clauses.length;
    let backLevel = 0;
    if (size > 1) {
      let deepest = 1;
      for (let i = 2; i < size; i++) {
        if (this.level[learned[i] >> 1] > this.level[learned[deepest] >> 1]) deepest = i;
      }
      const literal = learned[deepest];
      learned[deepest] = learned[1];
      learned[1] = literal;
      backLevel = this.level[literal >> 1];
    }
    for (let i = 0; i < size; i++) data[clause + CLAUSE_LITERALS + i] = learned[i];
    if (size > 1) {
      clauses.linkWritten(size);
    } else {
      data[clause + CLAUSE_SIZE] = 1;
      clauses.length = clause + CLAUSE_LITERALS + 1;
    }
    for (let i = 0; i < dropped.length; i++) data[clauses.length++] = dropped[i];
    this.backtrack(backLevel);
    this.enqueue(learned[0], clause);
  }

  private backtrack(target: number): void {
    if (this.currentLevel <= target) return;
    const start = this.levelStart[target];
    for (let i = this.trailLength - 1; i >= start; i--) {
      const literal = this.trail[i];
      const variable = literal >> 1;
      this.values[literal] = 0;
      this.values[literal ^ 1] = 0;
      this.phase[variable] = (literal & 1) ^ 1;
      if (this.heapPlace[variable] < 0) this.pushHeap(variable);
    }
    this.trailLength = start;
    this.propagated = start;
    this.currentLevel = target;
  }

  /** Which assumptions made `conflict` (or the falsehood of `literal`) unavoidable. Everything here is of level 0. */
  private analyzeFinal(conflict: number, literal: number): void {
    const { seen, trail } = this;
    if (conflict !== 0) this.markAll(conflict);
    else seen[literal >> 1] = 1;
    for (let i = this.trailLength - 1; i >= 0; i--) {
      const variable = trail[i] >> 1;
      if (seen[variable] === 0) continue;
      seen[variable] = 0;
      const clause = this.reason[variable];
      if (clause === 0) this.failed.push(this.owner[variable]);
      else this.markAll(clause);
      // The clause marked the variable itself again.
      seen[variable] = 0;
    }
  }

  private markAll(clause: number): void {
    const data = this.data;
    const dropped = clause >= this.learnedFrom ? data[clause - 1] : 0;
    const end = clause + CLAUSE_LITERALS + data[clause + CLAUSE_SIZE] + dropped;
    for (let place = clause + CLAUSE_LITERALS; place < end; place++) this.seen[data[place] >> 1] = 1;
  }

  private bump(variable: number): void {
    const { activity } = this;
    activity[variable] += this.increment;
    if (activity[variable] > ACTIVITY_LIMIT) {
      for (let v = 1; v <= this.clauses.variableCount; v++) activity[v] *= 1 / ACTIVITY_LIMIT;
      this.increment *= 1 / ACTIVITY_LIMIT;
    }
    if (this.heapPlace[variable] >= 0) this.siftUp(this.heapPlace[variable], variable);
  }

  private siftUp(from: number, variable: number): void {
    const { heap, heapPlace, activity } = this;
    const weight = activity[variable];
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (activity[heap[parent]] >= weight) break;
      heap[place] = heap[parent];
      heapPlace[heap[place]] = place;
      place = parent;
    }
    heap[place] = variable;
    heapPlace[variable] = place;
  }

  private pushHeap(variable: number): void {
    this.siftUp(this.heapLength++, variable);
  }

  private popHeap(): number {
    const { heap, heapPlace, activity } = this;
    const top = heap[0];
    heapPlace[top] = -1;
    const last = heap[--this.heapLength];
    if (this.heapLength === 0) return top;
    const weight = activity[last];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.heapLength) break;
      if (child + 1 < this.heapLength && activity[heap[child + 1]] > activity[heap[child]]) child++;
      if (activity[heap[child]] <= weight) break;
      heap[place] = heap[child];
      heapPlace[heap[place]] = place;
      place = child;
    }
    heap[place] = last;
    heapPlace[last] = place;
    return top;
  }
}
