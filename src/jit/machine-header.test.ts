// The C runtime and the translation must mean the same machine: machine.h against memory-layout.ts and boundary.ts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { FAULTS, HOST_FUNCTIONS, JIT_FUNCTIONS } from "./boundary.js";
import * as layout from "./memory-layout.js";

const HEADER = readFileSync(new URL("../../../runtime/include/tangent/machine.h", import.meta.url), "utf8");

function defined(name: string): number {
  const match = new RegExp(`#define ${name} (0x[0-9a-f]+|[0-9]+)u?\\b`, "i").exec(HEADER);
  assert.ok(match, `${name} is not defined in machine.h`);
  return Number(match[1]);
}

describe("runtime/include/tangent/machine.h", () => {
  it("has the numbers of memory-layout.ts", () => {
    assert.equal(defined("TANGENT_GUEST_BASE"), layout.GUEST_BASE);
    assert.equal(defined("TANGENT_STATE_SHIFT"), layout.STATE_SHIFT);
    assert.equal(defined("TANGENT_GRANULE"), layout.GRANULE);
    assert.equal(defined("TANGENT_STATE_NONE"), layout.STATE_NONE);
    assert.equal(defined("TANGENT_STATE_FULL"), layout.STATE_FULL);
    assert.equal(defined("TANGENT_STATE_READABLE"), layout.STATE_READABLE);
    assert.equal(defined("TANGENT_STATE_READ_ONLY"), layout.STATE_READ_ONLY);
    assert.equal(defined("TANGENT_STATE_SYMBOLIC"), layout.STATE_SYMBOLIC);
    assert.equal(defined("TANGENT_STATE_SYMBOLIC_COUNT_SHIFT"), layout.STATE_SYMBOLIC_COUNT_SHIFT);
    assert.equal(defined("TANGENT_STATE_UNSET"), layout.STATE_UNSET);
    assert.equal(defined("TANGENT_STATE_UNSET_MASK"), layout.STATE_UNSET_MASK);
    assert.equal(defined("TANGENT_PROCESS_ID"), layout.PROCESS_ID);
    assert.equal(defined("TANGENT_CONTROL_SYSCALL"), layout.CONTROL.syscall);
    assert.equal(defined("TANGENT_CONTROL_WATCH_ALLOCATION"), layout.CONTROL.watchAllocation);
    assert.equal(defined("TANGENT_CONTROL_WATCH_FREE"), layout.CONTROL.watchFree);
    assert.equal(defined("TANGENT_CONTROL_HEAP_FILL"), layout.CONTROL.heapFill);
    assert.equal(defined("TANGENT_CONTROL_DETECTORS"), layout.CONTROL.detectors);
    assert.equal(defined("TANGENT_STACK_LIMIT"), layout.STACK_LIMIT);
    assert.equal(defined("TANGENT_STACK_TOP"), layout.STACK_TOP);
  });

  it("has every fault with its code", () => {
    for (const [name, code] of Object.entries(FAULTS)) {
      assert.equal(defined(`TANGENT_FAULT_${name.toUpperCase().replaceAll("-", "_")}`), code);
    }
  });

  it("declares every function that the host or the translation provides", () => {
    const symbols = Object.values(HOST_FUNCTIONS).flatMap(({ symbol }) => (symbol === null ? [] : [symbol]));
    for (const symbol of [...symbols, ...JIT_FUNCTIONS]) assert.match(HEADER, new RegExp(`\\b${symbol}\\(`));
  });
});
