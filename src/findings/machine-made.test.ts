import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputValue } from "../inputs/input-value.js";
import { machineMade } from "./machine-made.js";

const input = (text: string): InputValue[] => [{ name: "stdin", occurrence: 0, bytes: Buffer.from(text) }];
const EXIT = { kind: "exit", code: 0 } as const;
const KILLED = { kind: "signal", signal: 6 } as const;

test("machine-made: an abort on the test's own input, which ended well natively", () => {
  const failure = { kind: "abort", witness: input("a"), denied: {} } as const;
  assert.match(machineMade(failure, input("a"), EXIT) ?? "", /abort .* exit 0/);
  assert.match(machineMade(failure, input("a"), { kind: "unknown" }) ?? "", /^abort /, "its end was not seen");
  assert.equal(machineMade(failure, input("b"), EXIT), null, "another input");
  assert.equal(machineMade(failure, input("a"), KILLED), null, "the test died natively too");
  assert.equal(machineMade(failure, input("a"), { kind: "never-ran" }), null, "nobody has run it natively");
});

test("machine-made: an abort after a process was refused, whatever the input", () => {
  const failure = { kind: "assertion-failure", witness: input("a"), denied: { clone: 1, "ioctl 0x5401": 2 } } as const;
  assert.equal(machineMade(failure, input("b"), EXIT), "assertion-failure after the virtual machine refused clone");
  assert.equal(machineMade({ ...failure, denied: { "ioctl 0x5401": 2, getxattr: 1 } }, input("b"), EXIT), null);
});

test("machine-made: memory errors are true wherever they happen", () => {
  const failure = { kind: "heap-buffer-overflow", witness: input("a"), denied: { fork: 1 } } as const;
  assert.equal(machineMade(failure, input("a"), EXIT), null);
});
