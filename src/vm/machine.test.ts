import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULTS, HOST_FUNCTIONS } from "../jit/boundary.js";
import { loadModule } from "../jit/load-module.js";
import { ARGUMENTS_BASE, CONTROL } from "../jit/memory-layout.js";
import { Machine, runImage } from "./machine.js";
import { DEFAULT_LIMITS, DEFAULT_OPTIONS } from "./run-options.js";
import { callHost, i32const, NO_VALUES, store64, tinyImage } from "./tiny-module.js";

/** The first function of a tiny module has this index. */
const HOST_COUNT = Object.keys(HOST_FUNCTIONS).length;

/** Code that makes a system call. */
function syscall(number: number, ...values: number[]): number[] {
  return [number, ...values]
    .flatMap((value, index) => store64(CONTROL.syscall + 8 * index, value))
    .concat(callHost("syscall"));
}

const start = (...body: number[]) => tinyImage([{ name: "start", signature: NO_VALUES, body }]);

test("machine: a program that writes its name and exits gives output and exit code", () => {
  // argv[0] is the first string after the vector; its address is what argv[0] holds.
  const probe = new Machine(start(), DEFAULT_OPTIONS);
  const name = probe.argumentObjects?.find((object) => object.name === "argv[0]");
  assert.ok(name);
  const result = runImage(start(...syscall(1, 1, name.address, 7), ...syscall(231, 3)), DEFAULT_OPTIONS);
  assert.deepEqual(result.end, { kind: "exit", code: 3 });
  assert.equal(Buffer.from(result.stdout).toString(), "program");
  assert.deepEqual(result.syscalls, { write: 1, exit_group: 1 });
});

test("machine: the start vector has argc, argv, environ and the auxiliary vector where the kernel has them", () => {
  const machine = new Machine(start(), { ...DEFAULT_OPTIONS, arguments: ["a", "bc"], environment: ["X=1"] });
  const word = (index: number): number => machine.memory.getI64(ARGUMENTS_BASE + 8 * index);
  assert.equal(word(0), 2);
  assert.equal(machine.memory.latin1(word(1)), "a");
  assert.equal(machine.memory.latin1(word(2)), "bc");
  assert.equal(word(3), 0);
  assert.equal(machine.memory.latin1(word(4)), "X=1");
  assert.equal(word(5), 0);
  assert.equal(word(6), 6);
  assert.equal(word(7), 4096);
  assert.equal(machine.memory.firstUnwritable(word(2), 3), -1);
  assert.equal(machine.memory.firstUnwritable(word(2), 4), word(2) + 3);
});

test("machine: a detector's fault ends the run with address, size and the stack of generated code", () => {
  const result = runImage(start(...callHost("fault", FAULTS.write, 0x1234, 0, 4)), DEFAULT_OPTIONS);
  assert.ok(result.end.kind === "fault");
  assert.equal(result.end.fault.name, "write");
  assert.equal(result.end.fault.address, 0x1234);
  assert.equal(result.end.fault.size, 4);
  assert.equal(result.end.trace.length, 1);
});

test("machine: traps of WebAssembly become the fault they stand for", () => {
  const divide = start(...i32const(1), ...i32const(0), 0x6d, 0x1a);
  const overflow = start(...i32const(-0x8000_0000), ...i32const(-1), 0x6d, 0x1a);
  const remainder = start(...i32const(1), ...i32const(0), 0x6f, 0x1a);
  const unreachable = start(0x00);
  const outside = start(...i32const(-4), 0x28, 2, 0, 0x1a);
  const recursion = start(0x10, HOST_COUNT);
  const wild = start(...i32const(77), 0x11, HOST_COUNT, 0);
  const expected = [
    [divide, "division-by-zero"],
    [overflow, "division-overflow"],
    [remainder, "division-by-zero"],
    [unreachable, "unreachable"],
    [outside, "read"],
    [recursion, "stack-overflow"],
    [wild, "wild-call"],
  ] as const;
  for (const [image, name] of expected) {
    const { end } = runImage(image, DEFAULT_OPTIONS);
    assert.equal(end.kind === "fault" ? end.fault.name : end.kind, name);
    assert.ok(end.kind === "fault" && end.trace.length > 0);
  }
});

test("machine: the instruction budget ends a run that asks for fuel beyond it", () => {
  // loop: fuel = refuel(); br loop
  const image = start(0x03, 0x40, ...callHost("refuel"), 0x1a, 0x41, 0, 0x24, 0, 0x0c, 0, 0x0b);
  const limits = { ...DEFAULT_LIMITS, instructions: 25_000_000 };
  const result = runImage(image, { ...DEFAULT_OPTIONS, limits });
  assert.ok(result.end.kind === "limit" && result.end.limit === "instructions");
  assert.equal(result.instructions, 25_000_000);
});

test("machine: a call with another signature is made with what fits, as the x86-64 convention would", () => {
  // callee(i64, f64, i32) -> i64 returns a + c; the caller passes (i32 7, i32 5) and wants an i32.
  const callee = {
    name: "callee",
    signature: { params: ["i64", "f64", "i32"], results: ["i64"] } as const,
    body: [0x20, 0, 0x20, 2, 0xac, 0x7c],
  };
  const body = [
    ...store64(CONTROL.mismatchedCall, 7),
    ...store64(CONTROL.mismatchedCall + 8, 5),
    ...callHost("callMismatched", 1, 0),
    // exit with the result
    ...store64(CONTROL.syscall, 231),
    ...i32const(CONTROL.syscall + 8),
    ...i32const(CONTROL.mismatchedCall),
    0x29,
    3,
    0,
    0x37,
    3,
    0,
    ...callHost("syscall"),
  ];
  const image = tinyImage([{ name: "start", signature: NO_VALUES, body }, callee], {
    mismatchSites: [{ params: ["i32", "i32"], results: ["i32"] }],
  });
  assert.deepEqual(runImage(image, DEFAULT_OPTIONS).end, { kind: "exit", code: 12 });
});

test("machine: an unknown system call fails with ENOSYS and is counted", () => {
  const result = runImage(start(...syscall(999), ...syscall(231, 0)), DEFAULT_OPTIONS);
  assert.deepEqual(result.denied, { "syscall 999": 1 });
});

test("machine: a write from memory the program may not read is a fault of that call", () => {
  const result = runImage(start(...syscall(1, 1, 0x3000_0000, 7)), DEFAULT_OPTIONS);
  assert.ok(result.end.kind === "fault");
  assert.equal(result.end.fault.name, "read");
  assert.equal(result.end.fault.syscall, "write");
});

test("machine: a machine that is prepared again runs as if it were new", () => {
  // Counts in a variable and on the heap, which must begin at zero each time.
  const image = start(...syscall(231, 5));
  const hooks = { functions: {}, started() {}, delivered() {}, written() {}, read() {}, taken() {}, stored() {} };
  const machine = new Machine(image, DEFAULT_OPTIONS, hooks);
  const module = loadModule(image);
  assert.deepEqual(machine.runToEnd(module), { kind: "exit", code: 5 });
  const { memory } = machine;
  const heap = memory.grow(0x1_0000);
  memory.u8[heap + 3] = 7;
  memory.allow(heap, 8);
  memory.u8[image.globalsEnd - 1] = 9;
  machine.prepare({ ...DEFAULT_OPTIONS, arguments: ["other"] });
  assert.equal(memory.u8[heap + 3], 0);
  assert.equal(memory.firstUnreadable(heap, 1), heap);
  assert.equal(memory.u8[image.globalsEnd - 1], 0);
  assert.equal(memory.grow(0x1_0000), heap);
  assert.equal(machine.argumentObjects?.find(({ name }) => name === "argv[0]")?.size, 6);
  assert.deepEqual(machine.runToEnd(module), { kind: "exit", code: 5 });
});
