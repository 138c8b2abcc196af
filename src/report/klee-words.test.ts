import assert from "node:assert/strict";
import { test } from "node:test";
import { slotsOf, surroundings } from "../inputs/symbolic-inputs.js";
import { hasSymbolicInputs, mergeInputs, parseKleeWords, printKleeWords } from "./klee-words.js";

const bytes = (...words: string[]): Uint8Array[] => words.map((word) => Buffer.from(word));
function parsed(...words: string[]) {
  const result = parseKleeWords(bytes(...words));
  assert.equal(result.kind, "inputs");
  if (result.kind !== "inputs") throw new Error("unreachable");
  return result.inputs;
}

test("words: symbolic arguments stand where they were written, with one dash or two", () => {
  const inputs = parsed("-v", "-sym-arg", "3", "x", "--sym-args", "0", "2", "0x4", "--sym-stdin", "8");
  assert.deepEqual(inputs.words, [
    { kind: "fixed", bytes: Buffer.from("-v") },
    { kind: "symbolic", length: 3 },
    { kind: "fixed", bytes: Buffer.from("x") },
    { kind: "several", least: 0, most: 2, length: 4 },
  ]);
  assert.equal(inputs.stdin, 8);
  assert.ok(hasSymbolicInputs(inputs));
});

test("words: files are A, B, ... and the environment is on request", () => {
  const inputs = parsed("--sym-files", "2", "16", "--sym-env", "HOME", "5");
  assert.deepEqual(inputs.files, [
    { name: "A", size: 16 },
    { name: "B", size: 16 },
  ]);
  assert.deepEqual(inputs.environment, [{ name: "HOME", length: 5 }]);
});

test("words: after -- everything is the program's", () => {
  assert.ok(!hasSymbolicInputs(parsed("--", "--sym-arg", "3")));
  assert.equal(parsed("--", "--sym-arg", "3").words.length, 3);
});

test("words: a mistake is named", () => {
  for (const [words, problem] of [
    [["--sym-args", "0", "2"], /--sym-args needs MIN MAX LEN/],
    [["--sym-arg", "three"], /three is not a number/],
    [["--sym-args", "3", "2", "1"], /more than the most/],
    [["--sym-files", "27", "1"], /names for 26 files/],
    [["--sym-env", "A=B", "1"], /cannot be the name/],
    [["--max-fail", "1"], /not supported/],
    [["--sym-stdin", "99999999999"], /not a number up to/],
  ] as const) {
    const result = parseKleeWords(bytes(...words));
    assert.ok(result.kind === "wrong" && problem.test(result.problem), JSON.stringify(result));
  }
});

test("words: what is printed is read again as the same", () => {
  const inputs = parsed("a", "--sym-args", "1", "3", "5", "--sym-files", "1", "9", "--sym-stdin", "2", "--", "-x");
  const again = parseKleeWords(printKleeWords(inputs));
  assert.ok(again.kind === "inputs");
  if (again.kind === "inputs") assert.deepEqual(again.inputs, inputs);
});

test("words: options before the program and words after it come together", () => {
  const merged = mergeInputs(parsed("--sym-stdin", "4", "--sym-arg", "1"), parsed("x"));
  assert.equal(merged.stdin, 4);
  assert.deepEqual(
    merged.words.map(({ kind }) => kind),
    ["symbolic", "fixed"],
  );
});

test("inputs: an argument keeps its name when those before it are fewer", () => {
  const inputs = parsed("--sym-args", "0", "2", "3", "mid", "--sym-arg", "4");
  assert.deepEqual(
    slotsOf(inputs).map(({ name, size }) => `${name}:${size}`),
    ["n_args:4", "arg0:3", "arg1:3", "arg2:4"],
  );
  const given: { [name: string]: Uint8Array } = {
    n_args: Uint8Array.of(1, 0, 0, 0),
    arg0: Buffer.from("ab\0"),
    arg1: Buffer.from("xyz"),
    arg2: Buffer.from("last"),
  };
  const { words } = surroundings(inputs, (name) => given[name]);
  assert.deepEqual(
    words.map((word) => [Buffer.from(word.bytes).toString(), word.name]),
    [
      ["ab", "arg0"],
      ["mid", null],
      ["last", "arg2"],
    ],
  );
});

test("inputs: a count outside of its range counts as the nearest in it", () => {
  const inputs = parsed("--sym-args", "1", "2", "1");
  const wordsWith = (count: number): number =>
    surroundings(inputs, (name, size) => (name === "n_args" ? Uint8Array.of(count, 0, 0, 0) : new Uint8Array(size)))
      .words.length;
  assert.equal(wordsWith(0), 1);
  assert.equal(wordsWith(2), 2);
  assert.equal(wordsWith(200), 2);
});

test("words: a test that was sent cannot ask for more input than memory has", () => {
  const many = Array.from({ length: 20 }, () => ["--sym-args", "256", "256", "1048576"]).flat();
  const result = parseKleeWords(bytes(...many));
  assert.ok(result.kind === "wrong" && /together/.test(result.problem));
});
