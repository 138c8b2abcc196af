import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { InputSpace } from "./input-space.js";
import { RunInputs } from "./run-inputs.js";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("input space", () => {
  it("the same name, occurrence and size are the same variables", () => {
    const space = new InputSpace();
    const a = space.declare("arg0", 0, 3);
    const b = space.declare("stdin", 0, 4);
    assert.equal(space.declare("arg0", 0, 3), a);
    assert.deepEqual([a.first, b.first, space.size], [0, 3, 7]);
    assert.notEqual(space.declare("arg0", 0, 5), a);
    assert.notEqual(space.declare("arg0", 1, 3), a);
    assert.equal(space.size, 15);
  });

  it("gives the values of a run's objects, and an empty one is not the next", () => {
    const space = new InputSpace();
    const run = [
      { name: "empty", size: 0, firstVariable: space.declare("empty", 0, 0).first },
      { name: "stdin", size: 2, firstVariable: space.declare("stdin", 0, 2).first },
      { name: "x", size: 1, firstVariable: space.declare("x", 1, 1).first },
    ];
    assert.deepEqual(space.valuesOfRun(bytes(5, 6, 7), run), [
      { name: "empty", occurrence: 0, bytes: bytes() },
      { name: "stdin", occurrence: 0, bytes: bytes(5, 6) },
      { name: "x", occurrence: 1, bytes: bytes(7) },
    ]);
  });

  it("names bytes as reports show them", () => {
    const space = new InputSpace();
    space.declare("arg2", 0, 2);
    space.declare("empty", 0, 0);
    space.declare("stdin", 0, 18);
    space.declare("x", 1, 4);
    assert.equal(space.nameOf(0), "arg2[0]");
    assert.equal(space.nameOf(2), "stdin[0]");
    assert.equal(space.nameOf(19), "stdin[17]");
    assert.equal(space.nameOf(23), "x_1[3]");
    assert.equal(space.objectOf(24), null);
  });

  it("bytes that a model lacks are the defaults", () => {
    const space = new InputSpace();
    space.seed([{ name: "b", occurrence: 0, bytes: bytes(7, 8, 9) }]);
    const a = space.declare("a", 0, 2);
    const b = space.declare("b", 0, 4);
    assert.deepEqual(space.bytesOf(a, bytes()), bytes(0, 0));
    assert.deepEqual(space.bytesOf(b, bytes(1, 2, 3)), bytes(3, 8, 9, 0));
  });

  it("values and models are two forms of one input", () => {
    const space = new InputSpace();
    const values = [
      { name: "arg0", occurrence: 0, bytes: bytes(1, 2) },
      { name: "x", occurrence: 1, bytes: bytes(3) },
      { name: "arg0", occurrence: 0, bytes: bytes() },
    ];
    const model = space.modelOf(values);
    assert.deepEqual(space.valuesOf(model), values);
    const elsewhere = new InputSpace();
    elsewhere.declare("other", 0, 5);
    const there = elsewhere.modelOf(values);
    assert.notDeepEqual(there, model);
    assert.deepEqual(elsewhere.valuesOf(there, elsewhere.objects.slice(1)), values);
  });

  it("a seed is cut or filled up to the sizes that the program asks for", () => {
    const space = new InputSpace();
    const known = space.declare("stdin", 0, 2);
    const model = space.seed([
      { name: "stdin", occurrence: 0, bytes: bytes(1, 2, 3) },
      { name: "late", occurrence: 0, bytes: bytes(4) },
    ]);
    assert.deepEqual(space.bytesOf(known, model), bytes(1, 2));
    const late = space.declare("late", 0, 3);
    assert.deepEqual(space.bytesOf(late, model), bytes(4, 0, 0));
    const next = space.seed([{ name: "stdin", occurrence: 0, bytes: bytes(9) }]);
    assert.deepEqual(space.bytesOf(known, next), bytes(9, 0));
    assert.deepEqual(space.bytesOf(late, next), bytes(4, 0, 0), "defaults do not change");
  });
});

describe("the inputs of a run", () => {
  it("count the objects of a name from the start in each run", () => {
    const inputs = new RunInputs(new InputSpace());
    inputs.begin(bytes());
    const first = [inputs.next("x", 2), inputs.next("x", 2), inputs.next("y", 1)];
    inputs.begin(bytes());
    assert.deepEqual([inputs.next("y", 1), inputs.next("x", 2)], [first[2], first[0]]);
    assert.deepEqual(inputs.used(), [first[2], first[0]]);
    assert.equal(inputs.next("x", 2), first[1]);
  });

  it("complete the model as the run meets new objects", () => {
    const space = new InputSpace();
    const inputs = new RunInputs(space);
    space.seed([{ name: "late", occurrence: 0, bytes: bytes(5, 6) }]);
    space.declare("early", 0, 3);
    inputs.begin(bytes(1));
    assert.deepEqual(inputs.model(), bytes(1, 0, 0));
    const late = inputs.next("late", 300);
    assert.equal(inputs.model().length, 303);
    assert.deepEqual(inputs.bytesOf(late).slice(0, 3), bytes(5, 6, 0));
    assert.deepEqual(inputs.model().slice(0, 5), bytes(1, 0, 0, 5, 6));
  });
});
