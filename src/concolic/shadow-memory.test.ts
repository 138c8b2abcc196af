import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { STATE_SYMBOLIC } from "../jit/memory-layout.js";
import { Random } from "../support/random.js";
import { RunStop } from "../vm/run-end.js";
import { Losses } from "./losses.js";
import { FIXTURE_BASE, FixtureMemory } from "./memory-fixture.js";
import { ShadowMemory } from "./shadow-memory.js";

function fixture(): { arena: ExprArena; memory: FixtureMemory; shadows: ShadowMemory; losses: Losses } {
  const arena = new ExprArena();
  const memory = new FixtureMemory();
  const losses = new Losses();
  return { arena, memory, losses, shadows: new ShadowMemory(arena, memory, losses) };
}

/** An expression of that many bytes that is not a constant. */
function wideVariable(arena: ExprArena, first: number, size: number): ExprRef {
  let result = arena.variable(first);
  for (let i = 1; i < size; i++) result = arena.concat(arena.variable(first + i), result);
  return result;
}

const A = FIXTURE_BASE + 0x1000;

describe("shadow memory", () => {
  it("ends a run that makes too much of its memory symbolic, and has all of it again for the next", () => {
    const arena = new ExprArena();
    const memory = new FixtureMemory();
    const shadows = new ShadowMemory(arena, memory, new Losses(), 2);
    const byte = arena.variable(0);
    for (const _ of ["first run", "second run"]) {
      shadows.store(A, 1, byte);
      shadows.store(A + 0x1000, 1, byte);
      shadows.store(A + 1, 1, byte);
      assert.throws(
        () => shadows.store(A + 0x2000, 1, byte),
        (error) => error instanceof RunStop && error.reason.kind === "limit",
      );
      shadows.reset();
    }
  });

  it("gives back a stored expression itself", () => {
    const { arena, memory, shadows } = fixture();
    memory.allow(A, 64);
    const sum = arena.binary("add", wideVariable(arena, 0, 4), wideVariable(arena, 4, 4));
    for (const address of [A, A + 3, A + 6, A + 13]) {
      shadows.store(address, 4, sum);
      assert.equal(shadows.load(address, 4), sum);
    }
  });

  it("gives back an expression that crosses a page", () => {
    const { arena, memory, shadows } = fixture();
    memory.allow(A + 0xff0, 64);
    const value = wideVariable(arena, 0, 8);
    shadows.store(A + 0xffd, 8, value);
    assert.equal(shadows.load(A + 0xffd, 8), value);
    assert.equal(shadows.load(A + 0xffd, 1), arena.variable(0));
    assert.equal(shadows.load(A + 0x1000, 2), arena.concat(arena.variable(4), arena.variable(3)));
    assert.deepEqual([...shadows.touchedPages()].sort(), [A >>> 12, (A >>> 12) + 1]);
  });

  it("makes constants of the concrete bytes among symbolic ones", () => {
    const { arena, memory, shadows } = fixture();
    memory.place(A, [1, 2, 3, 4, 5, 6, 7, 8]);
    shadows.store(A + 1, 1, arena.variable(9));
    const evaluator = new Evaluator(arena);
    evaluator.load(new Uint8Array(10).fill(0xee));
    assert.equal(evaluator.big(shadows.load(A, 4)), 0x0403ee01n);
    assert.equal(evaluator.big(shadows.load(A, 8)), 0x080706050403ee01n);
    assert.equal(shadows.load(A + 2, 4), CONCRETE);
  });

  it("calls a byte concrete that cannot be anything else", () => {
    const { arena, memory, shadows } = fixture();
    memory.allow(A, 8);
    shadows.store(A, 4, arena.zext(arena.variable(0), 32));
    assert.equal(shadows.load(A + 1, 1), CONCRETE);
    assert.equal(shadows.load(A, 1), arena.variable(0));
  });

  it("keeps the number of addressable bytes in the state of a partial granule", () => {
    const { arena, memory, shadows } = fixture();
    memory.allow(A, 13);
    shadows.store(A + 8, 1, arena.variable(0));
    assert.equal(memory.state(A + 8), STATE_SYMBOLIC | (5 << 4));
    shadows.store(A + 12, 1, arena.variable(1));
    shadows.clear(A + 8, 1);
    assert.equal(memory.state(A + 8), STATE_SYMBOLIC | (5 << 4));
    shadows.clear(A + 12, 1);
    assert.equal(memory.state(A + 8), 5);
    shadows.store(A, 8, wideVariable(arena, 0, 8));
    assert.equal(memory.state(A), STATE_SYMBOLIC);
    shadows.store(A, 8, CONCRETE);
    assert.equal(memory.state(A), 8);
  });

  it("does not take neighbouring expressions for one", () => {
    const { arena, memory, shadows } = fixture();
    memory.allow(A, 32);
    const word = wideVariable(arena, 0, 8);
    const constants = [5, 7].map((n) => arena.constant(64, n, 0));
    const [x, y] = constants.map((constant) => arena.binary("mul", word, constant));
    assert.equal(y, x + 1, "the last byte of one and the first of the other have consecutive cells");
    const joined = arena.concat(arena.extract(y, 0, 8), arena.extract(x, 56, 8));
    for (const address of [A, A + 1]) {
      shadows.store(address, 8, x);
      shadows.store(address + 8, 8, y);
      assert.equal(shadows.load(address + 7, 2), joined);
    }
  });

  it("believes the states and not what it stored when the two differ", () => {
    const { arena, memory, shadows } = fixture();
    memory.allow(A, 16);
    shadows.store(A, 8, wideVariable(arena, 0, 8));
    // As a frame's end and the next call would do.
    memory.allow(A, 16);
    assert.equal(shadows.load(A, 8), CONCRETE);
    shadows.store(A + 2, 1, arena.variable(20));
    assert.equal(shadows.load(A, 2), CONCRETE);
    assert.equal(shadows.load(A + 3, 4), CONCRETE);
    assert.equal(shadows.load(A + 2, 1), arena.variable(20));
  });

  it("keeps nothing where nothing may be stored, and counts it", () => {
    const { arena, memory, shadows, losses } = fixture();
    memory.allow(A, 8);
    shadows.store(A + 4, 8, wideVariable(arena, 0, 8));
    assert.equal(shadows.load(A + 4, 4), wideVariable(arena, 0, 4));
    assert.equal(memory.state(A + 8), 0);
    assert.ok(losses.of("unaddressable-store") > 0);
  });

  it("forgets everything on reset and lists the pages of one run only", () => {
    const { arena, memory, shadows } = fixture();
    memory.allow(A, 0x3000);
    shadows.setVariables(A, 16, 0);
    shadows.setVariables(A + 0x2000, 16, 16);
    assert.equal(shadows.touchedPages().length, 2);
    memory.allow(A, 0x3000);
    shadows.reset();
    assert.equal(shadows.touchedPages().length, 0);
    shadows.store(A + 0x1000, 1, arena.variable(3));
    assert.deepEqual([...shadows.touchedPages()], [(A >>> 12) + 1]);
    assert.equal(shadows.load(A + 0x1001, 4), CONCRETE);
  });

  for (let seed = 1; seed <= 8; seed++) {
    it(`agrees with a model of single bytes on random operations, seed ${seed}`, () => new Comparison(seed).run(4000));
  }
});

/** Shadow memory beside a map from address to (expression, byte of it). */
class Comparison {
  private readonly random: Random;
  private readonly arena = new ExprArena();
  private readonly memory = new FixtureMemory();
  private readonly losses = new Losses();
  private readonly shadows = new ShadowMemory(this.arena, this.memory, this.losses);
  private readonly bytes = new Map<number, { readonly ref: ExprRef; readonly k: number }>();
  private readonly actual = new Evaluator(this.arena);
  private readonly other = new Evaluator(this.arena);
  private readonly pool: ExprRef[][] = [];
  /** Crosses a page; its end is a partial granule. */
  private readonly start = A + 0xf80;
  private readonly size = 0x105;

  constructor(seed: number) {
    this.random = new Random(seed);
    const { arena } = this;
    for (const evaluator of [this.actual, this.other]) {
      const model = new Uint8Array(32);
      this.random.fill(model);
      evaluator.load(model);
    }
    for (let size = 1; size <= 8; size++) {
      const word = wideVariable(arena, this.below(24), size);
      const sum = arena.binary("add", word, wideVariable(arena, this.below(24), size));
      this.pool[size] = [
        word,
        sum,
        size === 1 ? arena.not(word) : arena.zext(arena.variable(this.below(32)), 8 * size),
      ];
    }
    this.memory.allow(this.start, this.size);
    this.random.fill(this.memory.u8.subarray(this.start, this.start + this.size));
  }

  run(steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.change();
      if (step % 16 === 0) this.checkStates();
      for (let i = 0; i < 3; i++) this.checkLoad(1 + this.below(8));
    }
    this.checkStates();
    assert.equal(this.losses.of("unaddressable-store"), 0);
  }

  private below(limit: number): number {
    return this.random.next() % limit;
  }

  private range(longest: number): [number, number] {
    const size = 1 + this.below(Math.min(longest, this.size));
    return [this.start + this.below(this.size - size + 1), size];
  }

  private change(): void {
    switch (this.below(8)) {
      case 0:
      case 1:
      case 2: {
        const [address, size] = this.range(8);
        this.setBytes(address, size, this.pool[size][this.below(3)]);
        break;
      }
      case 3: {
        const [address, size] = this.range(this.below(2) === 0 ? 8 : 64);
        this.shadows.clear(address, size);
        for (let i = 0; i < size; i++) this.bytes.delete(address + i);
        break;
      }
      case 4: {
        const [source, size] = this.range(this.below(2) === 0 ? 20 : 200);
        let destination = this.start + this.below(this.size - size + 1);
        if (this.below(2) === 0) destination -= (destination - source) & 7;
        this.copy(Math.max(destination, this.start + (source & 7)), source, size);
        break;
      }
      case 5: {
        const [address, size] = this.range(40);
        const ref = this.below(3) === 0 ? CONCRETE : this.pool[1][this.below(3)];
        this.shadows.fill(address, size, ref);
        for (let i = 0; i < size; i++) this.note(address + i, ref, 0);
        break;
      }
      case 6: {
        const [address, size] = this.range(24);
        const first = this.below(32 - size);
        this.shadows.setVariables(address, size, first);
        for (let i = 0; i < size; i++) this.note(address + i, this.arena.variable(first + i), 0);
        break;
      }
      default: {
        // Generated code makes granules plain without telling.
        const from = this.start + 8 * this.below(28);
        this.memory.allow(from, 32);
        for (let i = 0; i < 32; i++) this.bytes.delete(from + i);
      }
    }
  }

  private setBytes(address: number, size: number, ref: ExprRef): void {
    this.shadows.store(address, size, ref);
    for (let k = 0; k < size; k++) this.note(address + k, ref, k);
  }

  /** Memory holds what the expression is on the actual input. */
  private note(address: number, ref: ExprRef, k: number): void {
    if (ref === CONCRETE) {
      this.bytes.delete(address);
      return;
    }
    this.bytes.set(address, { ref, k });
    this.memory.u8[address] = Number((this.actual.big(ref) >> BigInt(8 * k)) & 0xffn);
  }

  private copy(destination: number, source: number, size: number): void {
    if (destination + size > this.start + this.size) return;
    this.shadows.copy(destination, source, size);
    this.memory.u8.copyWithin(destination, source, source + size);
    const before = Array.from({ length: size }, (_, i) => this.bytes.get(source + i));
    for (const [i, byte] of before.entries()) {
      if (byte === undefined) this.bytes.delete(destination + i);
      else this.bytes.set(destination + i, byte);
    }
  }

  private checkStates(): void {
    for (let granule = this.start; granule < this.start + this.size; granule += 8) {
      const count = Math.min(8, this.start + this.size - granule);
      let symbolic = false;
      for (let i = 0; i < 8; i++) if (this.bytes.has(granule + i)) symbolic = true;
      const expected = symbolic ? STATE_SYMBOLIC | ((count & 7) << 4) : count;
      assert.equal(this.memory.state(granule), expected, `state of ${(granule - this.start).toString(16)}`);
    }
  }

  private checkLoad(longest: number): void {
    const [address, size] = this.range(longest);
    const loaded = this.shadows.load(address, size);
    if (loaded !== CONCRETE) assert.equal(this.arena.width(loaded), 8 * size);
    for (const evaluator of [this.actual, this.other]) {
      let expected = 0n;
      let concrete = 0n;
      for (let i = size - 1; i >= 0; i--) {
        const byte = this.bytes.get(address + i);
        const value = BigInt(this.memory.u8[address + i]);
        concrete = (concrete << 8n) | value;
        expected <<= 8n;
        expected |= byte === undefined ? value : (evaluator.big(byte.ref) >> BigInt(8 * byte.k)) & 0xffn;
      }
      assert.equal(loaded === CONCRETE ? concrete : evaluator.big(loaded), expected);
    }
  }
}
