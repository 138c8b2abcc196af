// Ranges of guest memory as tables of expressions, for loads at a symbolic index. Making one costs a node per entry, and
// a loop over a string asks for the same table (of character classes, say) at every character, on every run. So tables
// are kept by place and shape, and used again as long as the bytes are what they were: compared, or known to be constant.
// When some bytes have changed only their entries are made anew.
//
// Alternative: writing through to the tables on every store; it would cost all stores for the sake of few loads.
// Invariant: a kept entry's `bytes` and `cells` are the memory that its `refs` were made of; where a cell is set, the byte
// does not matter.

import type { ExprArena, TableRef } from "../expr/arena.js";
import { CONCRETE } from "../expr/ops.js";
import { constantAt } from "./plain-bytes.js";
import type { ByteMemory, ShadowMemory } from "./shadow-memory.js";

/** Kept tables; a new one replaces what has its place. */
const PLACES = 256;

interface Kept {
  readonly low: number;
  readonly count: number;
  readonly step: number;
  readonly size: number;
  /** The range is constant as long as the program is. */
  readonly constant: boolean;
  readonly bytes: Uint8Array;
  /** Null while no byte is symbolic. */
  cells: Int32Array | null;
  readonly refs: Int32Array;
  table: TableRef;
}

export class LookupTables {
  private readonly arena: ExprArena;
  private readonly memory: ByteMemory;
  private readonly shadows: ShadowMemory;
  private readonly kept: (Kept | null)[] = new Array(PLACES).fill(null);
  private generation: number;

  constructor(arena: ExprArena, memory: ByteMemory, shadows: ShadowMemory) {
    this.arena = arena;
    this.memory = memory;
    this.shadows = shadows;
    this.generation = arena.generation;
  }

  /** Before a run. */
  begin(): void {
    if (this.generation === this.arena.generation) return;
    this.generation = this.arena.generation;
    this.kept.fill(null);
  }

  /** The values of `size` bytes at low, low + step, ...: `count` of them. */
  tableOf(low: number, count: number, step: number, size: number, constant: boolean): TableRef {
    const place = placeOf(low, count, step, size);
    const kept = this.kept[place];
    if (kept !== null && kept.low === low && kept.count === count && kept.step === step && kept.size === size) {
      if (kept.constant && constant) return kept.table;
      this.refresh(kept);
      return kept.table;
    }
    const made = this.make(low, count, step, size, constant);
    this.kept[place] = made;
    return made.table;
  }

  private make(low: number, count: number, step: number, size: number, constant: boolean): Kept {
    const length = (count - 1) * step + size;
    const bytes = this.memory.u8.slice(low, low + length);
    const cells = this.shadows.cellsOf(low, length);
    const refs = new Int32Array(count);
    const table = 0 as TableRef;
    const kept: Kept = { low, count, step, size, constant: constant && cells === null, bytes, cells, refs, table };
    for (let i = 0; i < count; i++) refs[i] = this.entry(kept, i);
    kept.table = this.arena.table(refs);
    return kept;
  }

  /** Makes anew what has changed. */
  private refresh(kept: Kept): void {
    const { bytes, low, count, step, size, refs } = kept;
    if (this.shadows.hasContent(low, bytes, kept.cells)) return;
    const now = this.memory.u8.subarray(low, low + bytes.length);
    const cells = this.shadows.cellsOf(low, bytes.length);
    const before = kept.cells;
    kept.cells = cells;
    for (let i = 0; i < count; i++) {
      const at = i * step;
      let same = true;
      for (let j = at; j < at + size; j++) {
        if (bytes[j] !== now[j] || (before === null ? 0 : before[j]) !== (cells === null ? 0 : cells[j])) same = false;
      }
      if (!same) refs[i] = this.entry(kept, i);
    }
    bytes.set(now);
    kept.table = this.arena.table(refs);
  }

  private entry(kept: Kept, i: number): number {
    const { size } = kept;
    const address = kept.low + i * kept.step;
    if (kept.cells !== null) {
      const symbolic = this.shadows.load(address, size);
      if (symbolic !== CONCRETE) return symbolic;
    }
    return constantAt(this.arena, this.memory.u8, address, size);
  }
}

function placeOf(low: number, count: number, step: number, size: number): number {
  let hash = Math.imul(low, 0x9e37_79b1) ^ Math.imul(count, 0x85eb_ca6b);
  hash = Math.imul(hash ^ (step << 4) ^ size, 0x2c1b_3c6d);
  return (hash >>> 16) & (PLACES - 1);
}
