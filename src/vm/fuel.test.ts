import assert from "node:assert/strict";
import test from "node:test";
import { FuelMeter } from "./fuel.js";
import { RunStop } from "./run-end.js";
import { DEFAULT_LIMITS } from "./run-options.js";

/** A program that spends so much between two looks at its fuel; gives the instructions at each timer. */
function timers(meter: FuelMeter, step: number, until: number, pause: () => void): number[] {
  const global = new WebAssembly.Global<number>({ value: "i32", mutable: true }, 0);
  const seen: number[] = [];
  meter.onRefuel = () => seen.push(meter.used());
  meter.attach(global);
  while (meter.used() < until) {
    global.value -= step;
    if (global.value >= 0) continue;
    pause();
    global.value = meter.refuel();
  }
  return seen;
}

function waitMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("fuel: when a timer is looked at depends on instructions alone, not on how fast they were", () => {
  const fast = timers(new FuelMeter(DEFAULT_LIMITS, null), 20_003, 65_000_000, () => {});
  const slow = timers(new FuelMeter(DEFAULT_LIMITS, null), 20_003, 65_000_000, () => waitMs(1));
  let round = 0;
  const uneven = timers(new FuelMeter(DEFAULT_LIMITS, null), 20_003, 65_000_000, () =>
    waitMs(round++ % 3 === 0 ? 22 : 0),
  );
  assert.equal(fast.length, 6);
  assert.deepEqual(slow, fast);
  assert.deepEqual(uneven, fast);
});

test("fuel: a run whose instructions are slow is asked often", () => {
  let asked = 0;
  timers(new FuelMeter(DEFAULT_LIMITS, null), 1000, 2_200_000, () => {
    asked++;
    waitMs(25);
  });
  assert.ok(asked > 10, `${asked} times`);
});

test("fuel: time and a wish to stop end a run at the next look, and instructions at the next portion", () => {
  const limitOf = (action: () => unknown): string => {
    try {
      action();
    } catch (error) {
      if (error instanceof RunStop && error.reason.kind === "limit") return error.reason.limit;
      throw error;
    }
    return "none";
  };
  const late = new FuelMeter({ ...DEFAULT_LIMITS, milliseconds: 1 }, null);
  waitMs(5);
  assert.equal(
    limitOf(() => late.look()),
    "time",
  );
  const unwanted = new FuelMeter(DEFAULT_LIMITS, null, () => true);
  assert.equal(
    limitOf(() => unwanted.look()),
    "cancelled",
  );
  const told = new FuelMeter(DEFAULT_LIMITS, new Int32Array([-1]));
  assert.equal(
    limitOf(() => told.refuel()),
    "cancelled",
  );
  const short = new FuelMeter({ ...DEFAULT_LIMITS, instructions: 50_000 }, null);
  assert.equal(
    limitOf(() => timers(short, 1000, 1_000_000, () => {})),
    "instructions",
  );
  assert.ok(short.used() >= 50_000 && short.used() <= 52_000);
});
