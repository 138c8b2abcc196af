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
import type { CheckKind, PinReason } from "../path/observer.js";
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
/** Candidates are at most a page apart, so that a table spans at most MAX_CANDIDATES pages. */
const MAX_SHIFT = 12;
const ADDRESS_WIDTH = 64;

/** What is told of an access; the host tells each condition once. */
export interface AccessTeller {
  check(site: number, kind: CheckKind, bad: ExprRef): void;
  pin(site: number, reason: PinReason, equals: ExprRef): void;
}

export class Addresses {
  private readonly arena: ExprArena;
  private readonly shadows: ShadowMemory;
  private readonly losses: Losses;
  private readonly tell: AccessTeller;
  private readonly bounds: ObjectBounds;
  private readonly tables: LookupTables;
  private readonly constantsEnd: number;
  private budget = LARGE_BUDGET;
  /** The candidates of the last access: low, low + (1 << shift), ... */
  private low = 0;
  private count = 0;
  private shift = 0;

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
    this.bounds = new ObjectBounds(memory);
    this.tables = new LookupTables(arena, memory, shadows);
    this.constantsEnd = constantsEnd;
  }

  begin(): void {
    this.budget = LARGE_BUDGET;
    this.tables.begin();
  }

  /** The value of a load of 1 to 8 bytes, which on this run is at `concrete`. */
  read(site: number, address: ExprRef, concrete: number, size: number): ExprRef {
    this.bound(site, "out-of-bounds-read", address, concrete, size);
    const { arena, count, low, shift } = this;
    if (count === 1) return this.shadows.load(concrete, size);
    const constant = this.bounds.readOnly && concrete < this.constantsEnd;
    if (count > MAX_CANDIDATES || (count >= LARGE && !constant && !this.spend(count))) {
      this.losses.count("lookup-too-large");
      this.tell.pin(site, "load-address", this.equals(address, concrete));
      return this.shadows.load(concrete, size);
    }
    const table = this.tables.tableOf(low, count, shift, size, constant);
    // Being in the object, the difference has no bits above these.
    const bits = 32 - Math.clz32(count - 1);
    const index = arena.extract(this.minus(address, low), shift, bits);
    const result = arena.lookup(table, index);
    return arena.isConstant(result) ? CONCRETE : result;
  }

  /** A store of 1 to 8 bytes with this shadow, which on this run is at `concrete`. */
  write(site: number, address: ExprRef, concrete: number, size: number, value: ExprRef): void {
    this.bound(site, "out-of-bounds-write", address, concrete, size);
    if (this.count > 1) this.tell.pin(site, "store-address", this.equals(address, concrete));
    this.shadows.store(concrete, size, value);
  }

  /** Keeps the access in its object, and sets the candidates. */
  private bound(site: number, kind: CheckKind, address: ExprRef, concrete: number, size: number): void {
    const { arena, bounds } = this;
    const { facts } = arena;
    const least = facts.minimum(address);
    const most = facts.maximum(address);
    bounds.find(concrete, size, least, most + size);
    const { start } = bounds;
    const last = bounds.end - size;
    if (least < start || most > last) {
      const room = arena.constant(ADDRESS_WIDTH, last - start, 0);
      this.tell.check(site, kind, arena.binary(OPS.ult.code, room, this.minus(address, start)));
    }
    const lowest = Math.max(start, least);
    const highest = Math.min(last, most);
    const known = facts.zerosLow(address) | facts.onesLow(address);
    // Low bits that are always the same make the distance between candidates.
    const shift = known === -1 ? MAX_SHIFT : Math.min(MAX_SHIFT, 31 - Math.clz32(~known & (known + 1)));
    this.shift = shift;
    const below = Math.floor((concrete - lowest) / (1 << shift));
    this.low = concrete - (below << shift);
    this.count = below + Math.floor((highest - concrete) / (1 << shift)) + 1;
  }

  private minus(address: ExprRef, base: number): ExprRef {
    return this.arena.binary(OPS.sub.code, address, this.arena.constant(ADDRESS_WIDTH, base, 0));
  }

  private equals(address: ExprRef, concrete: number): ExprRef {
    return this.arena.binary(OPS.eq.code, address, this.arena.constant(ADDRESS_WIDTH, concrete, 0));
  }

  private spend(count: number): boolean {
    this.budget -= count;
    return this.budget >= 0;
  }
}
