// Which number is the length of which memory: C passes them side by side and says nothing of it, so names and neighbours decide. A
// wrong guess costs little: a number is assumed to be small that need not be, and the user is told so.

import { type CTypes, resolvedType, type TypeRef } from "../../ir/debug-types.js";

interface Named {
  readonly name: string;
  readonly type: TypeRef;
}

const LENGTH_NAME =
  /^(?:n|l|len|length|size|sz|count|cnt|num|nmemb|cap|capacity|avail|bytes|nbytes)$|(?:_|^)(?:n|len|length|size|sz|count|cnt|num|cap|capacity)$|(?:len|length|size|count|Len|Length|Size|Count)$|^(?:n|num|len|size|nr)_|^n[a-z]+s$/;

/** In a structure, what several of something are called, and how many of them there are. */
const SEVERAL_NAME = /s$|^(?:data|list|array|table|vec|vector|elem|base|buf|buffer|heap|stack)$/;
const COUNT_NAME =
  /^(?:n|len|length|count|cnt|num|cap|capacity|used|alloc|allocated)$|_(?:count|len|num|cap)$|^n[a-z]+s$/;

export function isLengthName(name: string): boolean {
  return LENGTH_NAME.test(name);
}

/** By place of the pointer in the list: the places of the numbers that say how much it points to. */
export function lengthsIn(
  types: CTypes,
  list: readonly Named[],
  where: "parameters" | "members",
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const kinds = list.map(({ name, type }) => {
    const kind = memoryKind(types, type);
    return kind === "other" && where === "members" && SEVERAL_NAME.test(name) ? "several" : kind;
  });
  list.forEach(({ name, type }, at) => {
    const own = resolvedType(types, type);
    if (own.kind !== "integer" || own.bytes < 2 || !LENGTH_NAME.test(name)) return;
    const pointer = pointerOf(list, kinds, name, at);
    if (pointer >= 0) found.set(pointer, [...(found.get(pointer) ?? []), at]);
  });
  return found;
}

/** By its name; else the nearest before it; else the one right behind it. -1 if there is none. */
function pointerOf(list: readonly Named[], kinds: readonly MemoryKind[], length: string, at: number): number {
  const low = length.toLowerCase();
  const named = list.findIndex(({ name }, n) => {
    const stem = name.toLowerCase().replace(/s$/, "");
    return kinds[n] !== "none" && stem.length > 1 && low !== stem && low.includes(stem);
  });
  if (named >= 0) return named;
  for (let n = at - 1; n >= 0; n--) {
    if (kinds[n] === "plain" || (kinds[n] === "several" && COUNT_NAME.test(length))) return n;
  }
  return kinds[at + 1] === "plain" ? at + 1 : -1;
}

/** plain: numbers or bytes, which come in arrays; other: structures and pointers, which mostly come alone, unless they are called several. */
type MemoryKind = "plain" | "several" | "other" | "none";

function memoryKind(types: CTypes, ref: TypeRef): MemoryKind {
  const type = resolvedType(types, ref);
  if (type.kind !== "pointer") return "none";
  switch (resolvedType(types, type.to).kind) {
    case "void":
    case "integer":
    case "bool":
    case "float":
    case "enum":
      return "plain";
    case "function":
    case "incomplete":
      return "none";
    default:
      return "other";
  }
}
