// Which globals a piece of IR mentions: what the linker follows from definition to definition. Constants nest (an
// initialiser's structure of arrays of addresses plus offsets), so they are walked with an explicit stack.

import type { GlobalValue, GlobalVariable, IrFunction } from "../module.js";
import { unescapeText } from "../text/lexer.js";
import type { Body, Constant, Value } from "../values.js";

/** Adds every global that `constant` mentions to `found`. */
export function collectConstant(constant: Constant, found: Set<GlobalValue>): void {
  const stack: Constant[] = [constant];
  while (stack.length > 0) {
    const at = stack.pop() as Constant;
    if (at.kind === "global" || at.kind === "blockaddress") found.add(at.target);
    else if (at.kind === "aggregate") for (const element of at.elements) stack.push(element);
    else if (at.kind === "constexpr") for (const operand of at.operands) stack.push(operand);
  }
}

function collectValue(value: Value, found: Set<GlobalValue>): void {
  switch (value.kind) {
    case "global":
      found.add(value.target);
      return;
    case "blockaddress":
    case "aggregate":
    case "constexpr":
      collectConstant(value, found);
      return;
    default:
      return;
  }
}

export function collectBody(body: Body, found: Set<GlobalValue>): void {
  for (const block of body.blocks) {
    for (const i of block.instructions) for (const operand of i.operands) collectValue(operand, found);
  }
}

export function referencesOfFunction(fn: IrFunction): readonly GlobalValue[] {
  if (fn.references !== undefined) return fn.references();
  const found = new Set<GlobalValue>();
  const body = fn.parseBody();
  if (body !== null) collectBody(body, found);
  return [...found];
}

export function referencesOfVariable(variable: GlobalVariable): readonly GlobalValue[] {
  const found = new Set<GlobalValue>();
  const initializer = variable.initializer();
  if (initializer !== null) collectConstant(initializer, found);
  return [...found];
}

const QUOTE = '"'.charCodeAt(0);

/** [-a-zA-Z$._0-9], what a name without quotes is made of. */
function isNameCharacter(c: number): boolean {
  if (c >= 97) return c <= 122;
  if (c >= 65) return c <= 90 || c === 95;
  return (c >= 48 && c <= 57) || c === 36 || c === 45 || c === 46;
}

/**
 * The globals whose names stand in text[start, end), ten times faster than parsing it. An `@` inside of a string may name
 * one too many, which costs nothing but a little reachability.
 */
export function scanReferences(
  text: string,
  start: number,
  end: number,
  globals: ReadonlyMap<string, GlobalValue>,
): readonly GlobalValue[] {
  return [...countReferences(text, start, end, globals).keys()];
}

/** The same, with how often each name stands there. */
export function countReferences(
  text: string,
  start: number,
  end: number,
  globals: ReadonlyMap<string, GlobalValue>,
): ReadonlyMap<GlobalValue, number> {
  const found = new Map<GlobalValue, number>();
  for (let at = text.indexOf("@", start); at >= 0 && at < end; at = text.indexOf("@", at + 1)) {
    let stop = at + 1;
    let name: string;
    if (text.charCodeAt(stop) === QUOTE) {
      stop = text.indexOf('"', stop + 1);
      if (stop < 0) break;
      name = unescapeText(text, at + 2, stop);
    } else {
      while (isNameCharacter(text.charCodeAt(stop))) stop++;
      name = text.slice(at + 1, stop);
    }
    const value = globals.get(name);
    if (value !== undefined) found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}
