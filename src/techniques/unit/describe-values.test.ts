// Types that no compiler makes: debug information comes from the program under test, and may claim anything.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CType } from "../../ir/debug-types.js";
import { DEFAULT_VALUE_OPTIONS, ValueDescriber } from "./describe-values.js";
import { leafAt } from "./unit-inputs.js";
import { valuesInWords } from "./value-words.js";

const member = (
  name: string,
  offset: number,
  type: number,
): { name: string; offset: number; type: number; bits: null } => ({
  name,
  offset,
  type,
  bits: null,
});

/** 1: a structure of 16 bytes that contains itself, and an array of a million millions of itself; 4: a pointer to it. */
const TYPES: CType[] = [
  { kind: "void" },
  {
    kind: "record",
    tag: "struct",
    name: "odd",
    bytes: 16,
    members: [member("a", 0, 1), member("b", 0, 2), member("c", 8, 3), member("d", 8, 1), member("e", 0, 5)],
  },
  { kind: "array", of: 1, count: 1e12 },
  { kind: "integer", name: "int", bytes: 4, signed: true, character: "no" },
  { kind: "pointer", to: 1 },
  { kind: "array", of: 3, count: 1e12 },
];

describe("types that no compiler makes", () => {
  const describer = new ValueDescriber(
    TYPES,
    DEFAULT_VALUE_OPTIONS,
    () => ({ functions: [], isCalled: false }),
    () => true,
  );
  const place = { words: "p", name: "param:0", owner: "", offset: 0, level: 0, orNull: false, hasLength: false };
  const pointer = describer.pointer(4, place);
  describer.followAll();

  it("are looked at within bounds", () => {
    assert.ok(pointer.kind === "object");
    assert.equal(pointer.size, 16);
    assert.equal(leafAt(TYPES, describer.inputs[0], 0, 32).words.length < 1000, true);
  });

  it("have words within bounds", () => {
    const unit = {
      function: { name: "f", result: 0, parameters: [], variadic: false },
      file: null,
      line: 0,
      isStatic: false,
      description: { function: "f", parameters: [pointer], globals: [], stubs: [] },
      types: TYPES,
      parameters: [],
      hiddenResult: false,
      inputs: describer.inputs,
      assumptions: [],
      fixed: [],
      notes: [],
    };
    const values = [{ name: "*param:0", occurrence: 0, bytes: new Uint8Array(16).fill(7) }];
    assert.ok(valuesInWords(unit, values).length < 100);
  });
});
