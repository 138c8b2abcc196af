// What an address was computed from: the root of its chain of getelementptrs, through phis and selects whose ways all come from
// one. C says that such an address stays in the root's object, so where the object's size is known, an access can be held to it.
//
// A pointer that is moved by the distance of two pointers (`p += moved - old`, after realloc) leaves its object on purpose. It is
// a root of its own, unless the distance is known to lie in one object.

import type { DataLayout } from "../data-layout.js";
import type { GlobalVariable } from "../module.js";
import { type Instruction, intValue, type Value } from "../values.js";

/** Chains are short; generated code must not cost more. */
const MOST_STEPS = 64;
/** How far back an index is looked at. */
const MOST_DEPTH = 8;

/** Which getelementptrs are roots, too: those that make the address of a part (fields.ts). */
type IsRoot = (address: Value) => boolean;
const NO_OTHER: IsRoot = () => false;

/** The one value that all of the address's ways come from; if there are several, where they last met. Null: too many steps. */
export function rootOf(pointer: Value, isRoot: IsRoot = NO_OTHER): Value | null {
  const start = stepsBack(pointer, true, isRoot);
  if (start === null || !isJoined(start)) return start;
  return onlyLeaf(start, true, isRoot) ?? commonRoot(start, new Set(), isRoot);
}

/** Through getelementptrs, up to what is none; with `stops`, also up to a pointer that was moved. */
function stepsBack(pointer: Value, stops: boolean, isRoot = NO_OTHER): Value | null {
  let at = pointer;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (isRoot(at)) return at;
    if (at.kind === "constexpr" && at.op === "getelementptr") at = at.operands[0];
    else if (at.kind === "instruction" && at.op === "getelementptr" && !(stops && isMoved(at))) at = at.operands[0];
    else return at;
  }
  return null;
}

function isJoined(value: Value): value is Instruction {
  return value.kind === "instruction" && (value.op === "phi" || value.op === "select");
}

function waysOf(joined: Instruction): readonly Value[] {
  return joined.op === "select" ? joined.operands.slice(1) : joined.operands;
}

/** The one value that is no join and that all ways through joins lead to; null if there is none. */
function onlyLeaf(start: Instruction, stops: boolean, isRoot = NO_OTHER): Value | null {
  const seen = new Set<Value>([start]);
  const left: Instruction[] = [start];
  let leaf: Value | null = null;
  for (let joined = left.pop(); joined !== undefined; joined = left.pop()) {
    for (const way of waysOf(joined)) {
      const from = stepsBack(way, stops, isRoot);
      if (from === null || seen.size > MOST_STEPS) return null;
      if (!isJoined(from)) {
        if (leaf !== null && !isSame(leaf, from)) return null;
        leaf = from;
      } else if (!seen.has(from)) {
        seen.add(from);
        left.push(from);
      }
    }
  }
  return leaf;
}

function commonRoot(joined: Instruction, seen: Set<Value>, isRoot: IsRoot): Value | null {
  if (seen.has(joined) || seen.size > MOST_STEPS) return joined;
  seen.add(joined);
  let root: Value | null = null;
  for (const way of waysOf(joined)) {
    const from = stepsBack(way, true, isRoot);
    const one = from !== null && isJoined(from) ? commonRoot(from, seen, isRoot) : from;
    // Round the loop: from itself.
    if (one === joined) continue;
    if (one === null || (root !== null && !isSame(one, root))) return joined;
    root = one;
  }
  return root ?? joined;
}

function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  return (
    a.kind === "global" && b.kind === "global" && (a.target.resolved ?? a.target) === (b.target.resolved ?? b.target)
  );
}

function isMoved(address: Instruction): boolean {
  return address.operands.slice(1).some((index) => intValue(index) === null && hasDistance(index, new Set(), 0));
}

/** Whether the number was computed from the distance of pointers that are not known to have one root. */
function hasDistance(index: Value, seen: Set<Value>, depth: number): boolean {
  if (index.kind !== "instruction" || depth > MOST_DEPTH || seen.has(index)) return false;
  seen.add(index);
  switch (index.op) {
    case "sub": {
      const [a, b] = index.operands.map(pointerIn);
      if (a === null || b === null) break;
      const [from, to] = [firstRoot(a), firstRoot(b)];
      return from === null || to === null || !isSame(from, to);
    }
    case "add":
    case "mul":
    case "shl":
    case "ashr":
    case "sdiv":
    case "udiv":
    case "and":
    case "sext":
    case "zext":
    case "trunc":
    case "freeze":
    case "select":
    case "phi":
      break;
    default:
      return false;
  }
  return index.operands.some((operand) => hasDistance(operand, seen, depth + 1));
}

/** Whether it was moved on the way is not asked: that would be asked of the distance again, round a loop. */
function firstRoot(pointer: Value): Value | null {
  const start = stepsBack(pointer, false);
  return start !== null && isJoined(start) ? onlyLeaf(start, false) : start;
}

/** The pointer whose number it is. */
function pointerIn(value: Value): Value | null {
  if (value.kind === "constexpr" && value.op === "ptrtoint") return value.operands[0];
  return value.kind === "instruction" && value.op === "ptrtoint" ? value.operands[0] : null;
}

/** The variable with static storage that a root is, if it is defined here and as long as its type says. */
export function staticVariable(root: Value): GlobalVariable | null {
  const definition = root.kind === "global" ? root.target.resolved : null;
  if (definition === null || definition.kind !== "variable" || definition.isDeclaration) return null;
  // A nameless string may be given as input, and be longer then (program/test-code.ts).
  const isNameless = definition.constant && definition.debugId < 0 && definition.valueType.kind === "array";
  return isNameless ? null : definition;
}

/** How many bytes a variable of the function has; null if that is not known before it runs. */
export function sizeOfAlloca(alloca: Instruction & { readonly op: "alloca" }, layout: DataLayout): number | null {
  const count = intValue(alloca.operands[0]);
  return count === null ? null : Number(count) * layout.sizeOf(alloca.extra.allocated);
}
