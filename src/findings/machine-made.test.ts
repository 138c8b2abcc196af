import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputValue } from "../inputs/input-value.js";
import type { FindingObject } from "./finding.js";
import { machineMade } from "./machine-made.js";

const input = (text: string): InputValue[] => [{ name: "stdin", occurrence: 0, bytes: Buffer.from(text) }];
const EXIT = { kind: "exit", code: 0 } as const;
const KILLED = { kind: "signal", signal: 6 } as const;

test("machine-made: an abort on the test's own input, which ended well natively", () => {
  const failure = { kind: "abort", object: null, witness: input("a"), denied: {} } as const;
  assert.match(machineMade(failure, input("a"), EXIT) ?? "", /abort .* exit 0/);
  assert.match(machineMade(failure, input("a"), { kind: "unknown" }) ?? "", /^abort /, "its end was not seen");
  assert.equal(machineMade(failure, input("b"), EXIT), null, "another input");
  assert.equal(machineMade(failure, input("a"), KILLED), null, "the test died natively too");
  assert.equal(machineMade(failure, input("a"), { kind: "never-ran" }), null, "nobody has run it natively");
});

test("machine-made: an abort after a process was refused, whatever the input", () => {
  const failure = {
    kind: "assertion-failure",
    object: null,
    witness: input("a"),
    denied: { clone: 1, "ioctl 0x5401": 2 },
  } as const;
  assert.equal(machineMade(failure, input("b"), EXIT), "assertion-failure after the virtual machine refused clone");
  assert.equal(machineMade({ ...failure, denied: { "ioctl 0x5401": 2, getxattr: 1 } }, input("b"), EXIT), null);
});

test("machine-made: memory errors are true wherever they happen", () => {
  const failure = { kind: "heap-buffer-overflow", object: null, witness: input("a"), denied: { fork: 1 } } as const;
  assert.equal(machineMade(failure, input("a"), EXIT), null);
});

test("machine-made: a page that the program made inaccessible, and a test that catches what the processor says to it", () => {
  const page = {
    kind: "mapping",
    name: "mapped memory",
    address: 0x1000,
    size: 8192,
    offset: 4032,
    file: null,
    line: 0,
  };
  const failure = { kind: "wild-access", object: page as FindingObject, witness: input("a"), denied: {} } as const;
  assert.match(machineMade(failure, input("a"), EXIT) ?? "", /^wild-access .* exit 0/);
  assert.equal(machineMade(failure, input("a"), KILLED), null);
  assert.equal(machineMade(failure, input("b"), EXIT), null, "another input");
  const behind = { ...failure, object: { ...failure.object, offset: 8192 } };
  assert.equal(machineMade(behind, input("a"), EXIT), null, "natively there may be something behind it");
});
