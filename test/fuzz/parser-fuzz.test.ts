import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/support/random.js";
import { mutate } from "./mutate-ir.js";
import { SEEDS } from "./parser-seeds.js";
import { trial } from "./parser-trial.js";

test("parser: accepts the texts that the fuzzer starts from", () => {
  for (const [name, text] of SEEDS) assert.equal(trial(text), "parsed", name);
});

test("parser: 300 mutated texts are accepted or rejected with an IrError, and nothing else", () => {
  const seeds = [...SEEDS.values()];
  const outcomes = { parsed: 0, rejected: 0 };
  for (let i = 0; i < 300; i++) {
    const random = new Random(i);
    const text = mutate(seeds[random.next() % seeds.length], random);
    outcomes[trial(text)]++;
  }
  // Mutations that never, or always, spoil the text would test little.
  assert.ok(outcomes.parsed > 10, `only ${outcomes.parsed} parsed`);
  assert.ok(outcomes.rejected > 100, `only ${outcomes.rejected} were rejected`);
});

test("mutate: the same seed makes the same text", () => {
  const [text] = SEEDS.values();
  assert.equal(mutate(text, new Random(7)), mutate(text, new Random(7)));
  assert.notEqual(mutate(text, new Random(7)), mutate(text, new Random(8)));
});
