// Random system calls with the values that go wrong: whatever a program asks, the answer is a number or the end of the
// run, and never an error of ours.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Random } from "../../support/random.js";
import { GuestProbe } from "../guest-probe.js";
import { RunStop } from "../run-end.js";
import { DEFAULT_LIMITS } from "../run-options.js";
import { FAMILIES } from "./table.js";

const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tangent-random-calls-")));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const NUMBERS = FAMILIES.flatMap((family) => Object.keys(family).map(Number));
const ROUNDS = 150;
const CALLS = 120;

const WORDS = [0, 1, 2, 3, 4, 5, 8, 16, 63, 64, 100, 1023, 1024, 4095, 4096, 0x1_0000, 0x7fff_ffff, 0x8000_0000];
const WIDE = [0xffff_ffff, 2 ** 32, 2 ** 40, 2 ** 53 - 2, 2 ** 62, -1, -2, -100, -4096, -(2 ** 31), -(2 ** 62)];
const FLAGS = [0o101, 0o1102, 0o2101, 0o200000, 0o4002, 0x1000, 0x100, 0x200, 0x22, 0x11, 0x5401, 0x5413, 0x541b, 1030];
const PATHS = [
  "",
  "/",
  ".",
  "..",
  "file",
  "a/b",
  "link",
  "//",
  "x".repeat(300),
  "/proc/self/fd",
  "/proc/self/fd/3",
  "/dev",
];
const MORE_PATHS = ["/dev/full", "/dev/urandom", "/proc/self/exe", "/proc/self/cwd/file", "/dev/shm/s", "a/../link/"];

function randomValue(probe: GuestProbe, random: Random, places: number[]): number {
  const pick = <T>(list: readonly T[]): T => list[random.next() % list.length];
  switch (random.next() % 7) {
    case 0:
      return pick(WORDS);
    case 1:
      return pick(WIDE);
    case 2:
      return pick(FLAGS);
    case 3:
      return probe.place(pick([...PATHS, ...MORE_PATHS]));
    case 4: {
      const place = probe.allocate(pick([8, 64, 256, 4096]));
      for (let i = 0; i < 8; i += 8) probe.memory.setI64(place + i, pick([...WORDS, ...WIDE, ...places, 0]));
      return place;
    }
    case 5:
      return places.length > 0 ? pick(places) : 0;
    default:
      return random.next() % 8;
  }
}

test("system calls: whatever they are given, the answer is a number or the end of the run", () => {
  fs.mkdirSync(join(folder, "a"));
  fs.writeFileSync(join(folder, "file"), "content of the file");
  fs.writeFileSync(join(folder, "a/b"), "x".repeat(10_000));
  fs.symlinkSync("file", join(folder, "link"));
  let ended = 0;
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = new Random(seed);
    const limits = { ...DEFAULT_LIMITS, heapBytes: 1 << 26, outputBytes: 1 << 24 };
    const probe = new GuestProbe({ workingDirectory: folder, stdin: Buffer.from("some input"), limits });
    const places: number[] = [];
    const history: string[] = [];
    try {
      for (let i = 0; i < CALLS; i++) {
        const number = random.next() % 30 === 0 ? random.next() % 500 : NUMBERS[random.next() % NUMBERS.length];
        // Ends of the run are not what is looked for.
        if ([60, 231, 62, 200, 234].includes(number)) continue;
        const values = Array.from({ length: 6 }, () => randomValue(probe, random, places));
        history.push(`${number}(${values.join(", ")})`);
        let result: number;
        try {
          result = probe.call(number, ...values);
        } catch (error) {
          // A wrong buffer or an endless wait ends the run; here the next call comes all the same.
          if (!(error instanceof RunStop)) throw error;
          ended++;
          continue;
        }
        assert.ok(Number.isSafeInteger(result) || Math.abs(result) <= 2 ** 63, `${number} gives ${result}`);
        if (number === 9 && result > 0) places.push(result);
      }
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      assert.fail(`seed ${seed}: ${text}\nafter ${history.slice(-3).join("\n      ")}`);
    }
    probe.machine.kernel.mappings.finish();
    probe.machine.kernel.files.finish();
  }
  assert.ok(ended > 0);
  assert.deepEqual(fs.readdirSync(folder).sort(), ["a", "file", "link"]);
  assert.equal(fs.readFileSync(join(folder, "file"), "utf8"), "content of the file");
});
