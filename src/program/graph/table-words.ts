// Words in tables: arrays of texts, and of structures with a text and often a function that handles it, as `struct { const char
// *name; int (*parse)(...); }` is for the predicates of find or the commands of a shell.

import type { GlobalVariable, IrFunction } from "../../ir/module.js";
import type { Constant } from "../../ir/values.js";
import type { ConstantData } from "./constant-data.js";
import type { BlockNumber, ProgramWord } from "./program-graph.js";

export interface TableWords {
  /** Beside functions. */
  readonly handled: readonly ProgramWord[];
  readonly others: readonly ProgramWord[];
}

/** Elements of one table that are looked at. */
const MOST_ELEMENTS = 4096;
/** Structures in structures in arrays. */
const DEEPEST = 4;
/** A text with more blanks is written for people. */
const MOST_BLANKS = 1;

export function tableWords(
  variables: readonly GlobalVariable[],
  data: ConstantData,
  entryOf: (fn: IrFunction) => BlockNumber | null,
): TableWords {
  const handled: ProgramWord[] = [];
  const others: ProgramWord[] = [];
  for (const variable of variables) {
    const initial = variable.initializer();
    if (initial === null || initial.kind !== "aggregate") continue;
    for (const row of rowsOf(initial, false)) {
      const { texts, functions } = scalarsOf(row.constant, data);
      if (row.isAlone && functions.length === 0) continue;
      const leadsTo = [...new Set(functions.flatMap((fn) => entryOf(fn) ?? []))];
      for (const text of texts) {
        if (text.split(" ").length - 1 > MOST_BLANKS) continue;
        const to = leadsTo.length === 0 ? others : handled;
        to.push({ text, kind: "table", argument: "unknown", leadsTo });
      }
    }
  }
  return { handled, others };
}

interface Row {
  readonly constant: Constant;
  /** It is no element of an array. */
  readonly isAlone: boolean;
}

/** Elements of arrays, arrays in arrays element by element; a structure that holds an array of structures has that one's rows too. */
function* rowsOf(constant: Constant, isElement: boolean, depth = 0): Generator<Row> {
  if (depth > DEEPEST) return;
  if (constant.kind !== "aggregate") {
    if (isElement) yield { constant, isAlone: false };
    return;
  }
  if (constant.type.kind === "struct") {
    yield { constant, isAlone: !isElement };
    for (const element of constant.elements) {
      if (element.kind === "aggregate" && element.type.kind === "array") yield* rowsOf(element, false, depth + 1);
    }
    return;
  }
  for (const element of constant.elements.slice(0, MOST_ELEMENTS)) yield* rowsOf(element, true, depth + 1);
}

/** Texts and functions of a row itself and of the structures in it. */
function scalarsOf(row: Constant, data: ConstantData): { texts: readonly string[]; functions: readonly IrFunction[] } {
  const texts: string[] = [];
  const functions: IrFunction[] = [];
  const visit = (constant: Constant, depth: number): void => {
    if (constant.kind === "aggregate") {
      if (constant.type.kind !== "struct" || depth > DEEPEST) return;
      for (const element of constant.elements) visit(element, depth + 1);
      return;
    }
    const text = constant.kind === "bytes" ? textOfBytes(constant.bytes) : data.textOf(constant);
    if (text !== null) texts.push(text);
    const fn = data.functionOf(constant);
    if (fn !== null) functions.push(fn);
  };
  visit(row, 0);
  return { texts, functions };
}

function textOfBytes(bytes: Uint8Array): string | null {
  const end = bytes.indexOf(0);
  return end < 0 ? null : Buffer.from(bytes.subarray(0, end)).toString("latin1");
}
