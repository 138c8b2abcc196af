// Loads and stores at symbolic addresses. The access concerns the object that the concrete address lies in: the check
// "outside of this object" is told first, so that its negation is on the path, and everything else relies on that. A load
// is then a lookup over the addresses that remain; a store pins its address, and the alternatives stay pending.
//
// An address that may reach several objects needs nothing of its own. The other objects are on the bad side of the check:
// an input for that side is run, and either faults, which is a finding, or lands in another object, which is then just
// another path, with a check of its own that excludes both. Asking the solver which objects are meant, as KLEE does at the
// access, costs a query per object whether or not anybody wants that path.
//
// Invariant: what is told depends on the run alone, never on what earlier runs have left in a cache.

import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef, OPS } from "../expr/ops.js";
import { HEAP_LIMIT } from "../jit/memory-layout.js";
import type { CheckKind, PinReason } from "../path/observer.js";
import { AddressShape } from "./address-shape.js";
import { ForbiddenGap } from "./forbidden-gap.js";
import { LookupTables } from "./lookup-tables.js";
import type { Losses } from "./losses.js";
import { ObjectBounds } from "./object-bounds.js";
import type { ByteMemory, ShadowMemory } from "./shadow-memory.js";

/** More candidates than this and the address is pinned: a table has a node per entry, and the solver a clause per bit of it. */
export const MAX_CANDIDATES = 0x1_0000;
/** From this many candidates on, a lookup in memory that can change counts against the run's budget. */
const LARGE = 4096;
/** Entries of large changing tables that a run may ask for: a thousand tables of 4096, about half a second. */
const LARGE_BUDGET = 0x40_0000;
const ADDRESS_WIDTH = 64;
const KNOWN_BITS = 10;

/** What is told of an access; the host tells each condition once. */
export interface AccessTeller {
  check(site: number, kind: CheckKind, bad: ExprRef): void;
  failing(site: number, kind: CheckKind, bad: ExprRef): void;
  pin(site: number, reason: PinReason, equals: ExprRef): void;
}

export class Addresses {
  private readonly arena: ExprArena;
  private readonly shadows: ShadowMemory;
  private readonly losses: Losses;
  private readonly tell: AccessTeller;
  private readonly bounds: ObjectBounds;
  private readonly gap: ForbiddenGap;
  private readonly tables: LookupTables;
  private readonly constantsEnd: number;
  private budget = LARGE_BUDGET;
  /** Loads from constant objects, direct-mapped: address, size, the object's first and last place, bad, result. */
  private readonly known = new Float64Array(6 << KNOWN_BITS);
  private generation: number;
  private readonly shape: AddressShape;
  /** The candidates of the last access: low, low + step, ... */
  private low = 0;
  private count = 0;

  /** Read-only memory below `constantsEnd` never changes. */
  constructor(
    arena: ExprArena,
    memory: ByteMemory,
    shadows: ShadowMemory,
    losses: Losses,
    tell: AccessTeller,
    constantsEnd: number,
  ) {
    this.arena = arena;
    this.shadows = shadows;
    this.losses = losses;
    this.tell = tell;
    this.shape = new AddressShape(arena);
    this.bounds = new ObjectBounds(memory);
    this.gap = new ForbiddenGap(memory);
    this.tables = new LookupTables(arena, memory, shadows);
    this.constantsEnd = constantsEnd;
    this.generation = arena.generation;
  }

  begin(): void {
    this.budget = LARGE_BUDGET;
    this.tables.begin();
    if (this.generation === this.arena.generation) return;
    this.generation = this.arena.generation;
    this.known.fill(0);
  }

  /** The value of a load of 1 to 8 bytes, which on this run is at `concrete`. */
  read(site: number, address: ExprRef, concrete: number, size: number): ExprRef {
    const { arena, known } = this;
    const place = (Math.imul(address ^ (size << 20), 0x9e37_79b1) >>> (32 - KNOWN_BITS)) * 6;
    if (
      known[place] === address &&
      known[place + 1] === size &&
      concrete >= known[place + 2] &&
      concrete <= known[place + 3]
    ) {
      const bad = known[place + 4] as ExprRef;
      if (bad !== arena.FALSE) this.tell.check(site, "out-of-bounds-read", bad);
      return known[place + 5] as ExprRef;
    }
    const bad = this.bound(site, "out-of-bounds-read", address, concrete, size);
    const constant = this.bounds.readOnly && concrete < this.constantsEnd;
    const result = this.lookUp(site, address, concrete, size, constant);
    if (constant && this.count <= MAX_CANDIDATES) {
      known[place] = address;
      known[place + 1] = size;
      known[place + 2] = this.bounds.start;
      known[place + 3] = this.bounds.end - size;
      known[place + 4] = bad;
      known[place + 5] = result;
    }
    return result;
  }

  /** After `bound`. */
  private lookUp(site: number, address: ExprRef, concrete: number, size: number, constant: boolean): ExprRef {
    const { arena, count } = this;
    if (count === 1) return this.shadows.load(concrete, size);
    if (count > MAX_CANDIDATES || (count >= LARGE && !constant && !this.spend(count))) {
      this.losses.count("lookup-too-large");
      this.tell.pin(site, "load-address", this.equals(address, concrete));
      return this.shadows.load(concrete, size);
    }
    const table = this.tables.tableOf(this.low, count, this.shape.step, size, constant);
    const result = arena.lookup(table, this.index());
    return arena.isConstant(result) ? CONCRETE : result;
  }

  /** A store of 1 to 8 bytes with this shadow, which on this run is at `concrete`. */
  write(site: number, address: ExprRef, concrete: number, size: number, value: ExprRef): void {
    this.bound(site, "out-of-bounds-write", address, concrete, size);
    if (this.count > 1) this.tell.pin(site, "store-address", this.equals(address, concrete));
    this.shadows.store(concrete, size, value);
  }

  /** An access that fails on this run, at `concrete`: so do all that touch the same gap between objects. */
  refused(site: number, address: ExprRef, concrete: number, size: number, write: boolean): void {
    const { arena, gap } = this;
    if (!gap.find(concrete, size, write)) return;
    // From the first access that runs into the gap to the last that begins in it.
    const first = gap.firstAccess(size, write);
    const count = BigInt(gap.end) - BigInt(first);
    const from = arena.binary(OPS.sub.code, address, arena.constantBig(ADDRESS_WIDTH, BigInt(first)));
    const last = arena.constantBig(ADDRESS_WIDTH, count - 1n);
    this.tell.failing(
      site,
      write ? "out-of-bounds-write" : "out-of-bounds-read",
      arena.binary(OPS.ule.code, from, last),
    );
  }

  /**
   * A copy or fill is about to touch `bytes` bytes at `concrete`; the address or the size is symbolic. Beyond the check
   * nothing is done: both are pinned next, the address first. If both are symbolic, the address is not checked: how
   * large the range is, is not decided yet, and what is told must not depend on it.
   */
  range(site: number, address: ExprRef, concrete: number, size: ExprRef, bytes: number, write: boolean): void {
    const { arena, bounds, shape } = this;
    const kind = write ? "out-of-bounds-write" : "out-of-bounds-read";
    if (address !== CONCRETE) {
      if (size !== CONCRETE || bytes === 0 || bytes > HEAP_LIMIT) return;
      if (bounds.roomAt(concrete, bytes) < bytes) this.refused(site, address, concrete, bytes, write);
      else this.bound(site, kind, address, concrete, bytes);
      return;
    }
    shape.take(size);
    const room = bounds.roomAt(concrete, Math.min(shape.most, HEAP_LIMIT));
    if (shape.most <= room) return;
    const bad = arena.binary(OPS.ult.code, arena.constant(ADDRESS_WIDTH, room | 0, 0), size);
    if (bytes > room) this.tell.failing(site, kind, bad);
    else this.tell.check(site, kind, bad);
  }

  /** Keeps the access in its object, and sets the candidates. Returns what was told, FALSE if nothing had to be. */
  private bound(site: number, kind: CheckKind, address: ExprRef, concrete: number, size: number): ExprRef {
    const { arena, bounds, shape } = this;
    shape.take(address);
    const { least, most, step } = shape;
    bounds.find(concrete, size, least, most + size);
    const { start } = bounds;
    const last = bounds.end - size;
    let bad: ExprRef = arena.FALSE;
    if (least < start || most > last) {
      const room = arena.constant(ADDRESS_WIDTH, last - start, 0);
      bad = arena.binary(OPS.ult.code, room, shape.minus(start));
      this.tell.check(site, kind, bad);
    }
    const below = Math.floor((concrete - Math.max(start, least)) / step);
    const above = Math.floor((Math.min(last, most) - concrete) / step);
    this.low = concrete - below * step;
    this.count = below + above + 1;
    return bad;
  }

  /** Which of the candidates it is. Being one of them, it has no bits above those that are taken. */
  private index(): ExprRef {
    const { arena, shape, low } = this;
    const bits = 32 - Math.clz32(this.count - 1);
    if (shape.factor !== CONCRETE) return arena.extract(shape.factorMinus((low - shape.base) / shape.step), 0, bits);
    return arena.extract(shape.minus(low), 31 - Math.clz32(shape.step), bits);
  }

  private equals(address: ExprRef, concrete: number): ExprRef {
    return this.arena.binary(OPS.eq.code, address, this.arena.constant(ADDRESS_WIDTH, concrete, 0));
  }

  private spend(count: number): boolean {
    this.budget -= count;
    return this.budget >= 0;
  }
}
