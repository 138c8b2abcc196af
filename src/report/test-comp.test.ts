import assert from "node:assert/strict";
import { test } from "node:test";
import { renderSuiteMetadata, renderTestCase } from "./test-comp.js";

const value = (name: string, bytes: Uint8Array | Buffer, occurrence = 0) => ({ name, occurrence, bytes });

test("test-comp: the metadata names program, producer and goal", () => {
  const text = renderSuiteMetadata({
    producer: "tangent 0.1.0",
    programFile: "a&b.c",
    programHash: "ab12",
    createdAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
  });
  assert.equal(
    text,
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE test-metadata PUBLIC "+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN" "https://sosy-lab.org/test-format/test-metadata-1.1.dtd">
<test-metadata>
  <sourcecodelang>C</sourcecodelang>
  <producer>tangent 0.1.0</producer>
  <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>
  <programfile>a&amp;b.c</programfile>
  <programhash>ab12</programhash>
  <entryfunction>main</entryfunction>
  <architecture>64bit</architecture>
  <creationtime>2026-01-02T03:04:05Z</creationtime>
</test-metadata>
`,
  );
});

test("test-comp: values are written in the order of the calls, each by its type", () => {
  const double = Buffer.alloc(8);
  double.writeDoubleLE(-1.5);
  const float = Buffer.alloc(4);
  float.writeFloatLE(Number.POSITIVE_INFINITY);
  const text = renderTestCase(
    [
      value("nondet_int", Uint8Array.of(0xff, 0xff, 0xff, 0xff)),
      value("nondet_int", Uint8Array.of(1, 1, 0, 0), 1),
      value("nondet_uint", Uint8Array.of(0xff, 0xff, 0xff, 0xff)),
      value("nondet_bool", Uint8Array.of(1)),
      value("nondet_char", Uint8Array.of(0x80)),
      value("nondet_S8", Uint8Array.of(0x80)),
      value("nondet_u8", Uint8Array.of(0x80)),
      value("nondet_ulonglong", new Uint8Array(8).fill(0xff)),
      value("nondet_double", double),
      value("nondet_float", float),
      value("buf", Uint8Array.of(0xde, 0xad)),
    ],
    true,
  );
  assert.match(text, /<testcase coversError="true">/);
  assert.deepEqual(
    Array.from(text.matchAll(/<input (.*?)<\/input>/g), (match) => match[1]),
    [
      'variable="nondet_int" type="int">-1',
      'variable="nondet_int_1" type="int">257',
      'variable="nondet_uint" type="unsigned int">4294967295',
      'variable="nondet_bool" type="bool">1',
      'variable="nondet_char" type="char">-128',
      'variable="nondet_S8" type="S8">-128',
      'variable="nondet_u8" type="u8">128',
      'variable="nondet_ulonglong" type="unsigned long long">18446744073709551615',
      'variable="nondet_double" type="double">-1.5',
      'variable="nondet_float" type="float">inf',
      'variable="buf" type="char[2]">0xdead',
    ],
  );
});

test("test-comp: a name with characters that XML cannot hold stays well-formed", () => {
  const text = renderTestCase([value('a<"\x01', Uint8Array.of(1))], false);
  assert.match(text, /variable="a&lt;&quot;\?"/);
  assert.match(text, /<testcase>/);
});
