// Strings of wide characters among a program's constants. LLVM shows L"ab" and {97, 98, 0} alike: what clang calls .str is a string literal, of
// all else the debugging information says whether its elements are characters. Numbers in arrays are no text, and stay as they are.

import type { DebugInfo, LocalVariable } from "../ir/debug-info.js";
import type { GlobalVariable } from "../ir/module.js";
import type { WideForm } from "../support/literal-names.js";

export interface WideString {
  readonly form: WideForm;
  /** Without the zeros at its end. */
  readonly bytes: Uint8Array;
}

/** Names that clang gives to string literals. */
const STRING_LITERAL = /^\.str(\.\d+)?$/;
const CHARACTER = /^"(wchar_t|char16_t|char32_t)"$/;
/** What no character of L"…" is beyond. */
const LAST_CHARACTER = 0x10_ffff;
/** Typedefs and qualifiers in a row. */
const MOST_STEPS = 16;

/** Null if it is none. `local`: the variable that it is the beginning of, if it is one's. */
export function wideStringOf(variable: GlobalVariable, local: LocalVariable | null): WideString | null {
  const initial = variable.initializer();
  if (initial?.kind !== "aggregate" || initial.type.kind !== "array") return null;
  const { element } = initial.type;
  if (element.kind !== "int" || (element.bits !== 16 && element.bits !== 32)) return null;
  if (!isText(variable, local)) return null;
  const size = element.bits / 8;
  const bytes = Buffer.alloc(initial.elements.length * size);
  let end = 0;
  for (const [n, one] of initial.elements.entries()) {
    if (one.kind !== "int" || one.value > LAST_CHARACTER) return null;
    bytes.writeUIntLE(Number(one.value), n * size, size);
    if (one.value !== 0n) end = (n + 1) * size;
  }
  return end === 0 ? null : { form: size === 2 ? "w16" : "w32", bytes: Uint8Array.from(bytes.subarray(0, end)) };
}

function isText(variable: GlobalVariable, local: LocalVariable | null): boolean {
  if (STRING_LITERAL.test(variable.name)) return variable.linkage === "internal";
  const { debug } = variable.module;
  if (variable.debugId >= 0) {
    const expression = debug.node(variable.debugId);
    const declared =
      expression?.kind === "DIGlobalVariable" ? expression : debug.node(reference(expression?.fields.get("var")));
    return isArrayOfCharacters(debug, reference(declared?.fields.get("type")));
  }
  return local !== null && isArrayOfCharacters(local.debug, reference(local.debug.node(local.id)?.fields.get("type")));
}

function isArrayOfCharacters(debug: DebugInfo, type: number): boolean {
  let id = type;
  for (let step = 0; step < MOST_STEPS && id >= 0; step++) {
    const fields = debug.node(id)?.fields;
    if (CHARACTER.test(fields?.get("name") ?? "")) return true;
    id = reference(fields?.get("baseType"));
  }
  return false;
}

function reference(value: string | undefined): number {
  return value !== undefined && /^![0-9]{1,9}$/.test(value) ? Number(value.slice(1)) : -1;
}
