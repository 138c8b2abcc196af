import assert from "node:assert/strict";
import { test } from "node:test";
import { absenceReasons } from "../program/absent-code.js";
import { foreignEnds, foreignEndsInWords, missingEndsInWords } from "./foreign-ends.js";
import { result } from "./result-fixture.js";

test("libraries of the system are told by the tests that end in them", () => {
  const [seed] = result().seeds;
  const reason = absenceReasons({
    uncaptured: [],
    foreign: [
      { name: "libz.so.1", path: "", symbols: ["inflate"] },
      { name: "libpng16.so.16", path: "", symbols: ["png_read"] },
    ],
    natives: [],
  });
  const endedAt = (...names: readonly string[]) => ({
    ...seed,
    why: names.map((name) => `its run ended at what the machine does not have: a call of ${name}: ${reason(name)}`),
  });
  const seeds = [endedAt("png_read"), endedAt("inflate"), endedAt("inflate", "inflate"), { ...seed, why: ["time"] }];
  assert.deepEqual(
    [...foreignEnds({ seeds })],
    [
      ["libz.so.1", 2],
      ["libpng16.so.16", 1],
    ],
  );
  const words = foreignEndsInWords({ seeds }) ?? "";
  assert.match(words, /libz\.so\.1 \(2 tests\), libpng16\.so\.16 \(1 test\)/);
  assert.match(words, /\[libraries\] z = "DIR"/);
  assert.equal(foreignEndsInWords({ seeds: [seed] }), null);
});

test("what else the machine lacks is told by the tests that end there", () => {
  const [seed] = result().seeds;
  const endedAt = (what: string) => ({ ...seed, why: [`its run ended at what the machine does not have: ${what}`] });
  assert.equal(missingEndsInWords({ seeds: [seed] }), null);
  const seeds = [endedAt("a system call"), endedAt('the assembly "x"'), endedAt('the assembly "x"'), seed];
  assert.match(
    missingEndsInWords({ seeds }) ?? "",
    /^3 of 4 tests end at .*: the assembly "x" \(2 tests\); a system call/,
  );
});
