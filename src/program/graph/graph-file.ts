// A program's graph as bytes, for the cache, and back. What is read is judged before it is believed: every number must name something
// that is there, so that no question can lead outside of an array.

import {
  either,
  listOf,
  matching,
  oneOf,
  optional,
  orNull,
  record,
  type Shape,
  text,
  truth,
  upTo,
} from "../../support/shape.js";
import { GRAPH_VERSION } from "./build-graph.js";
import { type ProgramGraph, READS_PER_BLOCK, type Term, WORD_KINDS } from "./program-graph.js";

const DEEPEST_TERM = 64;
const WIDEST = 1 << 23;

export function encodeGraph(graph: ProgramGraph): string {
  return JSON.stringify(graph);
}

/** Null if the bytes are no graph of this version for a program of so many blocks and functions. */
export function decodeGraph(bytes: Uint8Array, blocks: number, functions: number): ProgramGraph | null {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    return null;
  }
  const counted = record({ places: Array.isArray, blocks: Array.isArray, entries: Array.isArray });
  if (!counted(read)) return null;
  const { places, blocks: own, entries } = read as ProgramGraph;
  if (own.length !== blocks || entries.length !== functions) return null;
  return shapeOf(blocks, functions, places.length)(read) ? (read as ProgramGraph) : null;
}

function shapeOf(blocks: number, functions: number, places: number): Shape {
  const block = upTo(blocks - 1);
  const fn = upTo(functions - 1);
  const place = upTo(places - 1);
  const isNone: Shape = (value) => value === -1;
  const decimal = matching(/^-?[0-9]{1,40}$/);
  const width = upTo(WIDEST);
  const index = upTo(0xffff);
  const read = optional(upTo(blocks * READS_PER_BLOCK - 1));
  const term = (value: unknown, depth: number): boolean => {
    if (depth > DEEPEST_TERM) return false;
    const operands = listOf((operand) => term(operand, depth + 1));
    switch ((value as Term | null | undefined)?.kind) {
      case "number":
        return record({ value: decimal, width })(value);
      case "place":
        return record({ place, width, read })(value);
      case "parameter":
        return record({ functionNumber: fn, index })(value);
      case "result":
        return record({ function: text, functionNumber: either(fn, isNone), operands, read })(value);
      case "operation":
        return record({ operation: text, width, operands, read })(value) && operandCount(value as Term);
      case "text":
        return record({ bytes: text })(value);
      case "unknown":
        return true;
      default:
        return false;
    }
  };
  const tree: Shape = (value) => term(value, 0);
  const decision = either(
    record({ kind: oneOf("branch"), condition: tree }),
    record({ kind: oneOf("switch"), value: tree, cases: listOf(listOf(decimal)) }),
  );
  return record({
    version: oneOf(GRAPH_VERSION),
    precision: oneOf("points-to", "types"),
    blocks: listOf(
      record({
        functionNumber: fn,
        successors: listOf(block),
        callees: listOf(fn),
        stops: truth,
        decision: orNull(decision),
      }),
    ),
    entries: listOf(either(block, isNone)),
    places: listOf(
      record({
        name: text,
        kind: oneOf("global", "field", "local", "heap"),
        parts: listOf(place),
        parameter: optional(record({ functionNumber: fn, index })),
        resultOf: optional(fn),
        joinedAt: optional(block),
      }),
    ),
    definitions: listOf(record({ place, block: either(block, isNone), value: tree })),
    words: listOf(
      record({
        text,
        kind: oneOf(...WORD_KINDS),
        argument: oneOf("none", "required", "optional", "unknown"),
        leadsTo: listOf(block),
      }),
    ),
    untrusted: listOf(fn),
    roots: listOf(fn),
    addressTaken: listOf(fn),
  });
}

/** An operation has as many operands as its evaluation looks at. */
function operandCount(term: Term): boolean {
  if (term.kind !== "operation") return false;
  const { length } = term.operands;
  return term.operation === "select" ? length === 3 : length === 1 || length === 2;
}
