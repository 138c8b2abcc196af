import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { TestInput } from "../inputs/test-input.js";
import { FAULTS } from "../jit/boundary.js";
import { loadModule } from "../jit/load-module.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { callHost, NO_VALUES, tinyImage } from "../vm/tiny-module.js";
import { type Confirmation, type ConfirmationOptions, confirm } from "./confirmation.js";

const TEST: TestInput = {
  program: "p",
  workingDirectory: "/",
  environment: [],
  inputs: { ...NO_INPUTS, stdin: 1 },
  values: [{ name: "stdin", occurrence: 0, bytes: Uint8Array.of(1) }],
  given: {},
};

function confirmed(body: readonly number[], options: Partial<ConfirmationOptions> = {}, input = 2): Confirmation {
  const image = tinyImage([{ name: "main", signature: NO_VALUES, body }]);
  const witness = [{ name: "stdin", occurrence: 0, bytes: Uint8Array.of(input) }];
  return confirm({ image, module: loadModule(image) }, TEST, witness, {
    seed: 1,
    limits: DEFAULT_LIMITS,
    nativeEnd: { kind: "exit", code: 0 },
    ...options,
  });
}
const DIVIDES = callHost("fault", FAULTS["division-by-zero"], 0, 0, 0);

test("confirmation: a run that fails twice is a finding", () => {
  const answer = confirmed(DIVIDES);
  assert.equal(answer.kind, "confirmed");
  assert.equal(answer.finding.kind, "division-by-zero");
  assert.equal(answer.finding.confirmed, true);
});

test("confirmation: in machines that other runs have left, as in new ones", () => {
  const image = tinyImage([{ name: "main", signature: NO_VALUES, body: DIVIDES }]);
  const loaded = { image, module: loadModule(image) };
  const options = { seed: 1, limits: DEFAULT_LIMITS, nativeEnd: { kind: "exit", code: 0 } } as const;
  const answers = [2, 3, 2].map((byte) =>
    confirm(loaded, TEST, [{ name: "stdin", occurrence: 0, bytes: Uint8Array.of(byte) }], options),
  );
  for (const answer of answers) assert.deepEqual(answer, confirmed(DIVIDES));
});

test("confirmation: a run that ends well reproduces nothing", () => {
  assert.equal(confirmed([]).kind, "not-reproduced");
});

test("confirmation: a failure on the test's own input, which ended well natively, is machine-made", () => {
  assert.equal(confirmed(DIVIDES, {}, 1).kind, "machine-made");
  assert.equal(confirmed(DIVIDES, { nativeEnd: null }, 1).kind, "confirmed", "nobody knows how it ended");
  assert.equal(confirmed(DIVIDES, { nativeEnd: { kind: "signal", signal: 8 } }, 1).kind, "confirmed");
});

test("confirmation: a failure that there was no time to repeat is not confirmed", (context) => {
  const TICK_MS = 3000;
  const LOOKS = 50;
  let nowMs = 0;
  context.mock.method(performance, "now", () => {
    nowMs += TICK_MS;
    return nowMs;
  });
  const DROP = 0x1a;
  const looking = Array.from({ length: LOOKS }, () => [...callHost("refuel"), DROP]).flat();
  const limits = { ...DEFAULT_LIMITS, milliseconds: (LOOKS + 20) * TICK_MS };
  assert.deepEqual(confirmed([...looking, ...DIVIDES], { limits }), { kind: "limit", limit: "time" });
  assert.equal(confirmed([...looking, ...DIVIDES]).kind, "confirmed");
});
