import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding, FindingObject } from "../findings/finding.js";
import type { InputValue } from "../inputs/input-value.js";
import type { ProgramImage } from "../jit/image.js";
import { bytesOfNumber, numberIn } from "../support/literal-numbers.js";
import { misuseOf, type ProbeEnd } from "./number-misuse.js";

const NAME = "literal:/p/t.c:1=i32,f,1";
const number = (value: bigint, name = NAME): InputValue => ({
  name,
  occurrence: 0,
  bytes: bytesOfNumber("i32", value),
});
const image = {
  functions: [
    { name: "f", origin: "program", file: "/p/lib.c", line: 1 },
    { name: "main", origin: "program", file: "/p/t.c", line: 1 },
  ],
  tests: { named: "surely", files: ["/p/t.c"], literals: [] },
} as unknown as ProgramImage;

function finding(kind: Finding["kind"], object: Partial<FindingObject> | null): Finding {
  return { kind, object } as unknown as Finding;
}
const OF_LIBRARY = finding("global-buffer-overflow", { kind: "global", name: "days", file: "/p/lib.c" });

/** The library fails where `fails` says so. */
function judged(found: Finding, fails: (value: bigint) => boolean, own = 5n, witness = 16n): string | null {
  const run = (values: readonly InputValue[]): ProbeEnd =>
    fails(BigInt(numberIn("i32", values[0].bytes))) ? "fails" : "survives";
  return misuseOf(image, found, [number(witness)], [number(own)], run);
}

test("misuse: an exception is told, what most values show is not", () => {
  assert.equal(
    judged(OF_LIBRARY, (value) => value === 16n),
    null,
    "one value that a check lets through",
  );
  assert.equal(
    judged(OF_LIBRARY, (value) => value < 0n),
    null,
    "a check that forgot negative ones",
  );
  assert.equal(
    judged(OF_LIBRARY, (value) => value === 2n ** 31n - 1n),
    null,
    "the largest",
  );
  const unchecked = "other values fail, too";
  assert.equal(
    judged(OF_LIBRARY, (value) => value > 15n),
    unchecked,
    "an index, a length",
  );
  assert.equal(
    judged(OF_LIBRARY, (value) => value < 5n),
    unchecked,
    "a capacity",
  );
  assert.equal(
    judged(OF_LIBRARY, (value) => value > 0x7ff && value < 0x10000),
    unchecked,
    "some size in between",
  );
});

test("misuse: nothing is told where it is not known what other values do", () => {
  const run = (): ProbeEnd => "unknown";
  assert.notEqual(misuseOf(image, OF_LIBRARY, [number(16n)], [number(5n)], run), null);
});

test("misuse: zero of something is not told unless the object has a fixed size", () => {
  const block = {
    kind: "heap",
    allocationStack: [{ origin: "program", file: "/p/lib.c" }],
  } as unknown as FindingObject;
  const isZero = (value: bigint): boolean => value === 0n;
  assert.equal(judged(OF_LIBRARY, isZero, 5n, 0n), null);
  assert.notEqual(judged(finding("heap-buffer-overflow", block), isZero, 5n, 0n), null);
  assert.notEqual(judged(finding("division-by-zero", null), isZero, 5n, 0n), null);
  const array = { kind: "stack", name: "digits", functionName: "f" } as const;
  assert.equal(judged(finding("stack-buffer-overflow", array), isZero, 5n, 0n), null);
  const variable = { ...array, name: null };
  assert.notEqual(judged(finding("stack-buffer-overflow", variable), isZero, 5n, 0n), null, "its length was computed");
});

test("misuse: objects of the tests, and assertions, are never told", () => {
  const never = (): boolean => false;
  const ofTests = [
    { kind: "global", name: "x", file: "/p/t.c" },
    { kind: "stack", name: "x", functionName: "main" },
    {
      kind: "heap",
      allocationStack: [
        { origin: "libc", file: "m.c" },
        { origin: "program", file: "/p/t.c" },
      ],
    },
    { kind: "heap", allocationStack: null },
    { kind: "global", name: ".str", file: null },
  ] as unknown as readonly FindingObject[];
  for (const object of ofTests) {
    assert.equal(judged(finding("global-buffer-overflow", object), never), "the tests' own object");
  }
  assert.equal(judged(finding("assertion-failure", null), never), "an assertion");
  assert.equal(judged(finding("null-dereference", null), never), null);
});

test("misuse: without a changed number nothing is asked; of two each is tried, alone and beside the other", () => {
  const run = (): ProbeEnd => assert.fail("not to be run");
  const text = { name: "literal:/p/t.c:1", occurrence: 0, bytes: Uint8Array.of(1) };
  assert.equal(misuseOf(image, OF_LIBRARY, [text], [], run), null);
  const other = "literal:/p/t.c:1=i32,f,2";
  const seen = new Set<string>();
  const both = [number(1n), number(2n, other)];
  misuseOf(image, OF_LIBRARY, both, both, (values) => {
    seen.add(values.map(({ name }) => name).join(" "));
    return "survives";
  });
  assert.deepEqual([...seen].sort(), [NAME, `${NAME} ${other}`, other, `${other} ${NAME}`].sort());
});

test("misuse: two huge numbers at once are, one beside an ordinary one is asked for", () => {
  const other = "literal:/p/t.c:1=u64,f,2";
  const wide = (value: bigint): InputValue => ({ name: other, occurrence: 0, bytes: bytesOfNumber("u64", value) });
  const own = [number(2n), wide(3n)];
  const survives = (): ProbeEnd => "survives";
  const judge = (first: bigint, second: bigint): string | null =>
    misuseOf(image, finding("wild-access", null), [number(first), wide(second)], own, survives);
  assert.equal(judge(-(2n ** 31n), 2n ** 63n), "several huge numbers at once");
  assert.equal(judge(7n, 2n ** 63n), null);
  assert.equal(judge(7n, 9n), null);
});
