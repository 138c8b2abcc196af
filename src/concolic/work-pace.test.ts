import assert from "node:assert/strict";
import test from "node:test";
import { WorkPace } from "./work-pace.js";

/** How often the clock is looked at for so much work, if each unit takes that long. */
function looks(units: number, unitMs: number): number {
  let now = 0;
  let count = 0;
  const pace = new WorkPace(() => {
    count++;
    return now;
  });
  for (let i = 0; i < units; i++) {
    now += unitMs;
    pace.spend(1);
  }
  return count;
}

test("work pace: cheap work looks at the clock rarely", () => {
  assert.ok(looks(1_000_000, 0.0002) < 1_000_000 / 2000);
});

test("work pace: work of 10 ms a unit looks at the clock at almost every unit", () => {
  assert.ok(looks(200, 10) > 100);
});

test("work pace: work that becomes a thousand times as costly is noticed after one round at most", () => {
  let now = 0;
  let lastMs = 0;
  let longestMs = 0;
  const pace = new WorkPace(() => {
    longestMs = Math.max(longestMs, now - lastMs);
    lastMs = now;
    return now;
  });
  for (let i = 0; i < 100_000; i++) {
    now += 0.0005;
    pace.spend(1);
  }
  for (let i = 0; i < 20_000; i++) {
    now += 0.5;
    pace.spend(1);
  }
  assert.ok(longestMs < 2100, `${longestMs} ms`);
});

test("work pace: whoever looks may end the work by throwing", () => {
  const pace = new WorkPace(() => {
    throw new Error("over");
  });
  assert.throws(() => pace.spend(1_000_000), /over/);
});
