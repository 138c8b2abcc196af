import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import type { Invocation } from "../invocation.js";
import { invocationKey } from "../moves/invocation-key.js";
import { MOVE_LIMITS } from "../moves/move.js";
import { bytesOf, textOf } from "../moves/shown-text.js";
import { SeedMutator } from "./mutate-seed.js";

function invocation(stdin: string): Invocation {
  return {
    program: "/p/prog",
    arguments: [bytesOf("prog"), bytesOf("-n")],
    environment: [],
    workingDirectory: "/p",
    umask: 0o022,
    stdin: { kind: "bytes", bytes: bytesOf(stdin), regularFile: false },
    tree: [],
  };
}

function inputOf({ stdin }: Invocation): string {
  return stdin.kind === "bytes" ? textOf(stdin.bytes) : "";
}

function mutations(from: Invocation, others: readonly Invocation[], seed: number, count = 2000): Invocation[] {
  const mutator = new SeedMutator(others, new Random(seed));
  return Array.from({ length: count }, () => mutator.mutate(from)).filter((made) => made !== null);
}

test("the same seed of randomness gives the same mutations, another one gives others", () => {
  const from = invocation("width 12\nheight 7\n");
  const first = mutations(from, [from], 1).map(inputOf);
  assert.deepEqual(mutations(from, [from], 1).map(inputOf), first);
  assert.notDeepEqual(mutations(from, [from], 2).map(inputOf), first);
});

test("numbers become large, small and negative, and pieces of other tests are put in", () => {
  const from = invocation("width 12\n");
  const made = mutations(from, [from, invocation("colour red green blue\n")], 1, 20_000).map(inputOf);
  for (const wanted of ["width 13\n", "width -12\n", "width 2147483648\n"]) assert.ok(made.includes(wanted), wanted);
  assert.ok(made.some((text) => text.includes("red green") && text.includes("width")));
});

test("nothing is made twice, and nothing becomes too long", () => {
  const from = invocation("x".repeat(MOVE_LIMITS.fileBytes - 3));
  const made = mutations(from, [from], 1, 300);
  assert.ok(made.length > 50);
  assert.ok(made.every((one) => inputOf(one).length <= MOVE_LIMITS.fileBytes));
  const short = invocation("ab");
  const keys = mutations(short, [short], 3).map(invocationKey);
  assert.equal(new Set(keys).size, keys.length);
});

test("words that the program compares with are put in as often as those of the tests; options are not", () => {
  const from = invocation("alpha beta gamma delta\n");
  const known = [
    { text: "rename from ", kind: "compared", argument: "none" },
    { text: "--verbose", kind: "long-option", argument: "none" },
  ] as const;
  const mutator = new SeedMutator([from], new Random(1), known);
  const made = Array.from({ length: 2000 }, () => mutator.mutate(from)).flatMap((one) => (one === null ? [] : [one]));
  const count = (text: string): number => made.filter((one) => inputOf(one).includes(text)).length;
  assert.ok(count("rename from ") > 100);
  assert.equal(count("--verbose"), 0);
});

test("pieces are repeated until they fill buffers of many sizes", () => {
  const from = invocation("call f(a, b)\n");
  const lengths = mutations(from, [from], 1).map((one) => inputOf(one).length);
  for (const least of [64, 256, 1024, 2048]) assert.ok(lengths.some((length) => length >= least && length < 2 * least));
});

test("files of the system stay as they are, whatever an operand names, and no new word names them", () => {
  const zone = {
    kind: "file",
    path: "/usr/share/zoneinfo/UTC",
    bytes: bytesOf("TZif2 zone data"),
    mode: 0o644,
  } as const;
  const own = { kind: "file", path: "/p/a.txt", bytes: bytesOf("some text"), mode: 0o644 } as const;
  const from: Invocation = {
    ...invocation("text\n"),
    arguments: [bytesOf("/"), bytesOf("a.txt")],
    tree: [zone, own],
  };
  const others = [from, { ...from, arguments: [bytesOf("/etc/passwd"), bytesOf("/usr")] }];
  const made = mutations(from, others, 1, 3000);
  const bytesAt = (one: Invocation, path: string): string =>
    one.tree.flatMap((entry) => (entry.kind === "file" && entry.path === path ? [textOf(entry.bytes)] : [])).join();
  assert.ok(made.every((one) => bytesAt(one, zone.path) === "TZif2 zone data"));
  assert.ok(made.some((one) => bytesAt(one, own.path) !== "some text"));
  assert.ok(made.every((one) => one.arguments.every((word) => !/^\/(etc|usr)/.test(textOf(word)))));
});
