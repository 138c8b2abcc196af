import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import { Random } from "../../support/random.js";
import { DomainClauses } from "../blast/domain-clauses.js";
import { RandomFormulas } from "../random-formula-fixture.js";
import { ByteDomains, DOMAIN_WORDS, nearestMember } from "./byte-domains.js";
import { Columns } from "./columns.js";

function has(words: Int32Array, start: number, value: number): boolean {
  return ((words[start + (value >> 5)] >>> (value & 31)) & 1) === 1;
}

describe("columns", () => {
  it("a condition's column over a byte has the value that evaluation gives, for each of its 256 values", () => {
    let accepted = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      const check = new Evaluator(arena);
      const random = new Random(seed);
      const formulas = new RandomFormulas(arena, random, { bytes: 3, hard: true });
      const e = formulas.condition(6, 64);
      const model = new Uint8Array(3);
      random.fill(model);
      const byte = formulas.below(3);
      evaluator.load(model);
      const columns = new Columns(arena, evaluator);
      columns.begin(byte);
      const set = new Int32Array(DOMAIN_WORDS).fill(-1);
      if (!columns.intersect(e, set, 0)) continue;
      accepted++;
      for (let value = 0; value < 256; value++) {
        const changed = Uint8Array.from(model);
        changed[byte] = value;
        check.load(changed);
        assert.equal(has(set, 0, value), check.holds(e), `seed ${seed}, value ${value}`);
      }
    }
    assert.ok(accepted > 200, `${accepted}`);
  });

  it("a condition over one byte, and its opposite, are the sets of values that satisfy them", () => {
    let seen = 0;
    for (let seed = 1; seed <= 80; seed++) {
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      const formulas = new RandomFormulas(arena, new Random(seed), { bytes: 1, hard: true });
      const domains = new ByteDomains(arena);
      const e = formulas.condition(4, 100);
      for (const condition of [e, arena.not(e)]) {
        if (arena.supportSize(condition) !== 1) continue;
        seen++;
        const start = domains.domain(condition);
        for (let value = 0; value < 256; value++) {
          evaluator.load(Uint8Array.of(value));
          assert.equal(has(domains.words, start, value), evaluator.holds(condition), `seed ${seed}, value ${value}`);
        }
      }
    }
    assert.ok(seen > 80);
  });

  it("the nearest member of a set is the nearest", () => {
    const random = new Random(9);
    for (let round = 0; round < 300; round++) {
      const set = new Int32Array(DOMAIN_WORDS);
      const count = random.next() % 6;
      const members: number[] = [];
      for (let i = 0; i < count; i++) {
        const value = random.next() & 255;
        members.push(value);
        set[value >> 5] |= 1 << (value & 31);
      }
      const wanted = random.next() & 255;
      const found = nearestMember(set, 0, wanted);
      if (count === 0) assert.equal(found, -1);
      else assert.equal(Math.abs(found - wanted), Math.min(...members.map((value) => Math.abs(value - wanted))));
      if (count > 0) assert.ok(members.includes(found));
    }
  });

  it("the clauses of a set forbid exactly the values outside of it, and digits need six", () => {
    const clauses = new DomainClauses();
    const random = new Random(4);
    const digits = new Int32Array(DOMAIN_WORDS);
    for (let value = 48; value <= 57; value++) digits[value >> 5] |= 1 << (value & 31);
    const sets = [digits, new Int32Array(DOMAIN_WORDS).fill(-1)];
    for (let i = 0; i < 30; i++)
      sets.push(Int32Array.from({ length: DOMAIN_WORDS }, () => random.next() | random.next()));
    for (const set of [...sets, ...sets]) {
      const cubes = clauses.cubes(set, 0);
      for (let value = 0; value < 256; value++) {
        const forbidden = cubes.some((cube) => (value & cube & 255) === cube >> 8);
        assert.equal(forbidden, !has(set, 0, value));
      }
    }
    assert.equal(clauses.cubes(digits, 0).length, 6);
  });
});
