import assert from "node:assert/strict";
import { test } from "node:test";
import { GuestProbe } from "../guest-probe.js";
import { RunStop } from "../run-end.js";
import { BUFFERS } from "./buffers.js";
import type { Call } from "./call.js";
import { FAMILIES } from "./table.js";

const CALLS = FAMILIES.flatMap((family) =>
  Object.entries(family).map(([number, { name }]) => ({ number: Number(number), name })),
);
/** Arguments that are no pointers: a valid descriptor, signal, count and size. */
const ANY = 8;
const ANY_CALL = { i64: () => ANY, i32: () => ANY, u32: () => ANY } as unknown as Call;

/** The fault a call ends with, as "write of 8 by pipe"; null if it ends in any other way. */
function faultOf(probe: GuestProbe, number: number, values: readonly number[]): string | null {
  try {
    probe.call(number, ...values);
  } catch (error) {
    if (!(error instanceof RunStop)) throw error;
    const { reason } = error;
    return reason.kind === "fault" ? `${reason.fault.name} of ${reason.fault.size} by ${reason.fault.syscall}` : null;
  }
  return null;
}

test("table: no system call is in two families: the one that is refused would win", () => {
  const numbers = CALLS.map(({ number }) => number);
  assert.deepEqual(
    CALLS.filter(({ number }, index) => numbers.indexOf(number) !== index),
    [],
  );
  const families = FAMILIES.map((family) => new Set(Object.values(family).map(({ name }) => name)));
  const twice = families.flatMap((names, index) =>
    [...names].filter((name) => families.some((other, at) => at > index && other.has(name))),
  );
  assert.deepEqual(twice, []);
});

test("buffers: every system call says what it reads and writes, and there are no others", () => {
  assert.deepEqual(Object.keys(BUFFERS).sort(), [...new Set(CALLS.map(({ name }) => name))].sort());
});

test("buffers: one that is too small or freed is a finding in every call", () => {
  let roles = 0;
  for (const { number, name } of CALLS) {
    for (const role of BUFFERS[name]) {
      if (role.kind === "moved") continue;
      const probe = new GuestProbe();
      const pointers = new Set(BUFFERS[name].map(({ argument }) => argument));
      const place = (address: number): number[] =>
        [0, 1, 2, 3, 4, 5].map((argument) => (argument === role.argument ? address : pointers.has(argument) ? 0 : ANY));
      const size = role.kind === "path" ? 5 : typeof role.size === "number" ? role.size : role.size(ANY_CALL);
      const access = role.kind === "write" ? "write" : "read";
      const told = `${access} of ${size} by ${name}`;
      const exact = probe.allocate(size);
      if (role.kind === "path") probe.memory.u8.set(Buffer.from("/no/\0"), exact);
      assert.equal(faultOf(probe, number, place(exact)), null, `${told}: exact`);
      const small = probe.allocate(size - 1);
      if (role.kind === "path") probe.memory.u8.set(Buffer.from("/no/"), small);
      assert.equal(faultOf(probe, number, place(small)), told, `${told}: too small`);
      const freed = probe.allocate(size);
      probe.memory.forbid(freed, size);
      assert.equal(faultOf(probe, number, place(freed)), role.kind === "path" ? `read of 1 by ${name}` : told);
      assert.equal(faultOf(probe, number, place(0)), null, `${told}: null`);
      assert.equal(faultOf(probe, number, place(0x1234)), null, `${told}: below the program`);
      roles++;
    }
  }
  assert.ok(roles > 100, String(roles));
});
