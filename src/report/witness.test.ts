import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import { ownObjects, surroundingsOf } from "../inputs/test-input.js";
import { renderWitness } from "./witness.js";

test("witness: arguments are a command to type, standard input and files are text", () => {
  const text = renderWitness({
    program: "./my prog",
    inputs: {
      words: [
        { kind: "fixed", bytes: Buffer.from("-v") },
        { kind: "symbolic", length: 3 },
      ],
      stdin: 4,
      files: [{ name: "A", size: 3 }],
      environment: [{ name: "TERM", length: 2 }],
    },
    values: [
      { name: "arg0", occurrence: 0, bytes: Uint8Array.of(0x61, 0x01, 0) },
      { name: "stdin", occurrence: 0, bytes: Buffer.from('a"\n\0') },
      { name: "file:A", occurrence: 0, bytes: Buffer.from("xyz") },
      { name: "env:TERM", occurrence: 0, bytes: Buffer.from("vt") },
    ],
  });
  assert.equal(
    text,
    [
      "input: TERM=vt './my prog' -v $'a\\x01' <stdin",
      '  stdin (4 bytes): "a\\"\\n\\0"',
      '  file A (3 bytes): "xyz"',
      "",
    ].join("\n"),
  );
});

test("witness: an object of a number's size is shown as bytes and as the number", () => {
  const objects = [{ name: "x", occurrence: 0, bytes: Uint8Array.of(0xfe, 0xff, 0xff, 0xff) }];
  assert.match(
    renderWitness({ program: "p", inputs: NO_INPUTS, values: objects }),
    / {2}x \(4 bytes\): fe ff ff ff {2}= -2\n/,
  );
  const letters = [{ name: "c", occurrence: 0, bytes: Buffer.from("ok") }];
  assert.match(renderWitness({ program: "p", inputs: NO_INPUTS, values: letters }), /: 6f 6b {2}= 27503 {2}"ok"\n/);
});

test("witness: long binary bytes are a dump, cut where it gets long", () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => 0x80 + (index & 0x7f));
  const text = renderWitness({ program: "p", inputs: NO_INPUTS, values: [{ name: "data", occurrence: 0, bytes }] });
  assert.match(text, / {4}0010 {2}90 91 .* 9f {2}\.{16}\n/);
  assert.match(text, / \.\.\. 44 more\n$/);
});

test("witness: an object shorter than described is filled with zeros, and the program's own are told apart", () => {
  const input = {
    program: "p",
    inputs: { ...NO_INPUTS, stdin: 4 },
    values: [
      { name: "stdin", occurrence: 0, bytes: Uint8Array.of(7) },
      { name: "mine", occurrence: 0, bytes: Uint8Array.of(1) },
    ],
  };
  assert.deepEqual(surroundingsOf(input).stdin, Uint8Array.of(7, 0, 0, 0));
  assert.deepEqual(
    ownObjects(input).map(({ name }) => name),
    ["mine"],
  );
});

test("witness: of very many objects those are shown that are not all zeros, and the others counted", () => {
  const values = Array.from({ length: 100_000 }, (_, occurrence) => ({
    ...{ name: "nondet_int", occurrence },
    bytes: Uint8Array.of(occurrence === 77_777 ? 5 : 0, 0, 0, 0),
  }));
  assert.equal(
    renderWitness({ program: "p", inputs: NO_INPUTS, values }),
    "input: p\n  nondet_int_77777 (4 bytes): 05 00 00 00  = 5\n  and 99999 objects of zeros\n",
  );
  for (const { bytes } of values) bytes[1] = 1;
  const lines = renderWitness({ program: "p", inputs: NO_INPUTS, values }).trimEnd().split("\n");
  assert.equal(lines.length, 102);
  assert.equal(lines.at(-1), "  ... 99900 more objects");
});
