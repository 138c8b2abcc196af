import assert from "node:assert/strict";
import { test } from "node:test";
import type { Invocation } from "../inputs/invocation.js";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { TestInput } from "../inputs/test-input.js";
import type { LiteralInfo, ProgramImage, TestCode } from "../jit/image.js";
import { partsOf, shareOf } from "./amplify-parts.js";
import {
  changedLiteralsOnly,
  chooseLiterals,
  usesLiterals,
  withChosen,
  withLiteralGroups,
  withOwnLiterals,
} from "./literal-inputs.js";

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const literal = (line: number, text: string, number = 1): LiteralInfo => ({
  name: `literal:/p/t.c:${line}${number === 1 ? "" : `#${number}`}`,
  address: 0,
  bytes: [...bytes(text)],
  uses: [{ file: "/p/t.c", line }],
});
const TEST: TestInput = {
  program: "./t",
  workingDirectory: "/p",
  environment: [],
  inputs: NO_INPUTS,
  values: [],
  given: {},
};
const WITH_FILE: TestInput = {
  ...TEST,
  inputs: { ...NO_INPUTS, files: [{ name: "/p/a", size: 1 }] },
  values: [{ name: "file:/p/a", occurrence: 0, bytes: bytes("x") }],
};

/** Block n of the program has the code of line n + 1. */
function image(literals: readonly LiteralInfo[], named: TestCode["named"] = "surely"): ProgramImage {
  const lines = [1, 2, 3, 4];
  const locations = lines.map((line) => ({ file: "/p/t.c", line }));
  const coverage = lines.map((_, n) => ({ locations: [n] }));
  return { locations, coverage, tests: { named, files: ["/p/t.c"], literals } } as unknown as ProgramImage;
}

test("literal inputs: of surely a test always, of others only if nothing else is ever given to the program", () => {
  const some = [literal(1, "a")];
  assert.ok(usesLiterals(image(some), WITH_FILE, "auto", false));
  assert.ok(usesLiterals(image(some, "perhaps"), TEST, "auto", true));
  assert.ok(!usesLiterals(image(some, "perhaps"), TEST, "auto", false));
  assert.ok(!usesLiterals(image(some, "no"), WITH_FILE, "auto", true));
  assert.ok(usesLiterals(image(some, "no"), WITH_FILE, "on", false));
  assert.ok(!usesLiterals(image(some), TEST, "off", true));
  assert.ok(!usesLiterals(image([]), TEST, "on", true));
  assert.ok(!usesLiterals({ tests: null }, TEST, "on", true));
});

test("literal inputs: those that the run comes by, up to the limit, with their bytes", () => {
  const large = literal(3, "x".repeat(0x4000));
  const program = image([literal(1, "ab"), literal(2, "never"), large, literal(4, "c")]);
  const { chosen, leftOut } = chooseLiterals(program, Uint8Array.of(1, 0, 1, 1));
  const made = withChosen(WITH_FILE, chosen);
  assert.deepEqual(made.inputs.literals, [
    { name: "literal:/p/t.c:1", size: 2 },
    { name: "literal:/p/t.c:4", size: 1 },
  ]);
  assert.equal(leftOut, 0x4000);
  assert.deepEqual(
    made.values.map((value) => Buffer.from(value.bytes).toString()),
    ["x", "ab", "c"],
  );
});

test("literal inputs: a test of nothing else is explored in parts, literals of one line together, in another order each time", () => {
  const all = [
    literal(1, "ab"),
    literal(1, "cd", 2),
    literal(2, "e"),
    literal(3, "x".repeat(40)),
    literal(3, "y".repeat(40), 2),
  ];
  const made = withChosen(TEST, all);
  const names = (distance: number) =>
    partsOf(made, distance).map(({ values }) => values.map(({ name }) => name.slice(15)));
  assert.deepEqual(names(0), [["1", "1#2"], ["2"], ["3"], ["3#2"]]);
  assert.deepEqual(names(1), [["3"], ["3#2"], ["1", "1#2"], ["2"]]);
  for (const { inputs, values } of partsOf(made, 0)) {
    assert.deepEqual(
      inputs.literals?.map(({ name }) => name),
      values.map(({ name }) => name),
    );
  }
  assert.deepEqual(partsOf(WITH_FILE, 1), [WITH_FILE]);
  assert.deepEqual(partsOf(TEST, 1), [TEST]);
  const [whole] = partsOf(made, 0);
  assert.equal(shareOf(100, 1, whole), 100);
  assert.equal(shareOf(100, 10, whole), 30);
  assert.equal(shareOf(100, 10, WITH_FILE), 50);
});

test("literal inputs: other input is a part of its own, and stays as it is while literals vary", () => {
  const made = withChosen(WITH_FILE, [literal(1, "ab")]);
  const [beside, varied, ...more] = partsOf(made, 0);
  assert.deepEqual(beside, WITH_FILE);
  assert.deepEqual(more, []);
  assert.equal(varied.inputs.onlyLiterals, true);
  assert.deepEqual(varied.inputs.files, WITH_FILE.inputs.files);
  assert.deepEqual(
    varied.values.map(({ name }) => name),
    ["file:/p/a", "literal:/p/t.c:1"],
  );
});

test("literal inputs: numbers are parts of their own, and sizes of what is beside them are counted", () => {
  const number = { ...literal(1, "\x05\0\0\0"), name: "literal:/p/t.c:1=i32,f,1" };
  const made = withChosen(TEST, [literal(1, "ab"), number, { ...number, name: "literal:/p/t.c:1=i32,f,2" }]);
  assert.deepEqual(
    partsOf(made, 0).map(({ values }) => values.length),
    [1, 2],
  );
  const program = image([number]);
  const places = [1, 1, 2].map((line) => ({ file: "/p/t.c", line }));
  const tests = { ...(program.tests as TestCode), sizes: places };
  const { chosen, sizesLeftOut } = chooseLiterals({ ...program, tests }, Uint8Array.of(1, 0, 0, 0));
  assert.deepEqual(chosen, [number]);
  assert.equal(sizesLeftOut, 2);
});

test("literal inputs: a witness has the literals that changed", () => {
  const own = [{ name: "literal:/p/t.c:1", occurrence: 0, bytes: bytes("ab") }];
  const other = [{ ...own[0], bytes: bytes("ax") }];
  assert.deepEqual(changedLiteralsOnly(own, own), []);
  assert.deepEqual(changedLiteralsOnly(other, own), other);
});

test("literal inputs: groups of those that follow each other, never many, and no numbers", () => {
  const invocation = { program: "./t" } as Invocation;
  const groupsOf = (all: readonly LiteralInfo[]): string[][] =>
    withLiteralGroups(image(all), { invocation, coverage: Uint8Array.of(1, 1, 1, 1) }).map(({ literals = [] }) =>
      literals.map(({ name }) => name),
    );
  const short = [literal(1, "ab"), literal(2, "cd"), { ...literal(3, "xxxx"), name: "literal:/p/t.c:3=i32,put,2" }];
  assert.deepEqual(groupsOf(short), [["literal:/p/t.c:1", "literal:/p/t.c:2"]]);
  assert.equal(groupsOf([literal(1, "x".repeat(60)), literal(2, "y".repeat(10))]).length, 2);
  const many = Array.from({ length: 300 }, (_, n) => literal(1 + (n % 4), "z".repeat(40), n + 1));
  const groups = groupsOf(many);
  assert.ok(groups.length <= 13);
  assert.equal(groups.flat().length, 300);
  assert.deepEqual(groupsOf([]), []);
  const [grown] = withLiteralGroups(image([{ ...literal(1, "abc"), room: 16 }]), {
    invocation,
    coverage: Uint8Array.of(1, 0, 0, 0),
  });
  assert.deepEqual([grown.literals?.[0].least, grown.literals?.[0].most], [3, 19]);
});

test("literal inputs: a test with its literals as they stand in the source", () => {
  const program = image([literal(1, "abc")]);
  const edited = { ...withChosen(WITH_FILE, [literal(1, "abd")]) };
  const { values } = withOwnLiterals(program, edited);
  assert.deepEqual(
    values.map(({ bytes: own }) => Buffer.from(own).toString()),
    ["x", "abc"],
  );
});

test("literal inputs: a line of which only an inlined call is left is come by too", () => {
  const program = image([literal(2, "ab")]);
  const locations = [
    { file: "/p/lib.c", line: 9, inlinedAt: 1 },
    { file: "/p/t.c", line: 2, inlinedAt: -1 },
  ];
  const inlined = { ...program, locations, coverage: [{ locations: [0] }] } as unknown as ProgramImage;
  assert.equal(chooseLiterals(inlined, Uint8Array.of(1)).chosen.length, 1);
  assert.equal(chooseLiterals(inlined, Uint8Array.of(0)).chosen.length, 0);
});
