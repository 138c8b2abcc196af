import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../inputs/invocation.js";
import { SeedMutator } from "../inputs/mutations/mutate-seed.js";
import { perturbed, unperturbed } from "../inputs/mutations/perturbed.js";
import { Random } from "../support/random.js";
import { MutationTurns } from "./mutation-turns.js";

function invocation(environment: readonly string[] = []): Invocation {
  const stdin = { kind: "bytes", bytes: Buffer.from("one two\nthree 4\n"), regularFile: false } as const;
  return { program: "prog", arguments: [], environment, workingDirectory: "/", umask: 0o022, stdin, tree: [] };
}

test("an input is filled once, and is as it was without", () => {
  const plain = invocation(["A=b"]);
  const filled = perturbed(plain);
  assert.deepEqual(filled?.environment, ["A=b", "MALLOC_PERTURB_=65"]);
  assert.equal(perturbed(filled ?? plain), null);
  assert.deepEqual(unperturbed(filled ?? plain), plain);
  assert.equal(unperturbed(plain), null);
  const own = invocation(["MALLOC_PERTURB_=7"]);
  assert.deepEqual([perturbed(own), unperturbed(own)], [null, null]);
});

test("some of the inputs that edits make find memory filled, most do not, and a test's own word stands", () => {
  const filledOf = (environment: readonly string[]): number => {
    const random = new Random(1);
    const from = { invocation: invocation(environment) };
    const turns = new MutationTurns<typeof from>(4, random);
    assert.equal(turns.isEmpty, true);
    turns.addTest(from, { coverage: Uint8Array.of(1, 0, 0, 0), instructions: 10 });
    const mutator = new SeedMutator([from.invocation], random);
    const made = Array.from({ length: 400 }, () => turns.next(mutator)?.invocation ?? null).filter(
      (one) => one !== null,
    );
    assert.ok(made.length > 200);
    return made.filter((one) => unperturbed(one) !== null).length / made.length;
  };
  const share = filledOf([]);
  assert.ok(share > 0.1 && share < 0.4, `${share}`);
  assert.equal(filledOf(["MALLOC_PERTURB_=7"]), 0);
});
