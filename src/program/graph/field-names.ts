// What the source calls the bytes of a structure, from the debug information: LLVM's structures have no names for their fields. Nodes
// are looked for when a name is wanted; what is missing or odd gives a name with a number in it, never an error.

import type { DebugInfo } from "../../ir/debug-info.js";
import type { GlobalVariable, Module } from "../../ir/module.js";
import type { StructType } from "../../ir/types.js";
import type { FieldNames } from "./pointers.js";

/** Types nest; circular ones go through pointers, which are not followed. */
const MOST_STEPS = 32;
/** Nodes are numbered without large holes. */
const LARGEST_HOLE = 64;

export class DebugFieldNames implements FieldNames {
  private readonly unread: Module[];
  private readonly composites = new Map<string, { readonly debug: DebugInfo; readonly id: number }>();

  constructor(modules: readonly Module[]) {
    this.unread = modules.filter(({ origin }) => origin === "program");
  }

  inVariable(variable: GlobalVariable, offset: number): string {
    const { debug } = variable.module;
    const name = (variable.debugId >= 0 ? debug.variable(variable.debugId)?.functionName : "") || variable.name;
    const expression = variable.debugId >= 0 ? debug.node(variable.debugId) : null;
    const declared =
      expression?.kind === "DIGlobalVariable" ? expression : debug.node(reference(expression?.fields.get("var")));
    const type = reference(declared?.fields.get("type"));
    return name + (type < 0 ? plain(offset) : path(debug, type, offset));
  }

  inStruct(type: StructType, offset: number): string {
    const own = (type.name ?? "").replace(/^(struct|union)\./, "").replace(/\.\d+$/, "");
    const found = own === "" || own === "anon" ? null : this.composite(own);
    if (found === null) return `${own || "structure"}${plain(offset)}`;
    return `${own}${path(found.debug, found.id, offset)}`;
  }

  /** Reads one module after the other until one has the structure. */
  private composite(name: string): { readonly debug: DebugInfo; readonly id: number } | null {
    for (;;) {
      const known = this.composites.get(name);
      if (known !== undefined) return known;
      const module = this.unread.shift();
      if (module === undefined) return null;
      let missing = 0;
      for (let id = 0; missing < LARGEST_HOLE; id++) {
        const node = module.debug.node(id);
        missing = node === null ? missing + 1 : 0;
        if (node?.kind !== "DICompositeType" || !node.fields.has("elements")) continue;
        const called = text(node.fields.get("name"));
        if (called !== "" && !this.composites.has(called)) this.composites.set(called, { debug: module.debug, id });
      }
    }
  }
}

/** `.style`, `[].name`, or nothing for a scalar. */
function path(debug: DebugInfo, type: number, from: number): string {
  let result = "";
  let offset = from;
  let id = type;
  for (let step = 0; step < MOST_STEPS; step++) {
    const node = debug.node(id);
    const tag = node?.fields.get("tag") ?? "";
    if (node === null) return result + plain(offset);
    if (node.kind === "DIDerivedType" && !/pointer|member/.test(tag)) {
      id = reference(node.fields.get("baseType"));
      continue;
    }
    if (node.kind !== "DICompositeType") return result + (offset === 0 ? "" : plain(offset));
    if (tag === "DW_TAG_array_type") {
      const element = reference(node.fields.get("baseType"));
      const size = bytes(debug, element);
      result += "[]";
      if (size > 0) offset %= size;
      id = element;
      continue;
    }
    const member = memberAt(debug, node.fields.get("elements"), offset);
    if (member === null) return result + plain(offset);
    if (member.name !== "") result += `.${member.name}`;
    offset -= member.offset;
    id = member.type;
  }
  return result;
}

function memberAt(
  debug: DebugInfo,
  elements: string | undefined,
  offset: number,
): { readonly name: string; readonly offset: number; readonly type: number } | null {
  const list = debug.node(reference(elements))?.fields.get("elements") ?? "";
  let best: { name: string; offset: number; type: number } | null = null;
  for (const part of list.split(",")) {
    const node = debug.node(reference(part.trim()));
    if (node?.fields.get("tag") !== "DW_TAG_member") continue;
    const at = Math.floor(Number(node.fields.get("offset") ?? 0) / 8);
    // The first of a union's members, the last of a structure's that begins there or before.
    if (at <= offset && (best === null || at > best.offset)) {
      best = { name: text(node.fields.get("name")), offset: at, type: reference(node.fields.get("baseType")) };
    }
  }
  return best;
}

function bytes(debug: DebugInfo, type: number): number {
  let id = type;
  for (let step = 0; step < MOST_STEPS; step++) {
    const node = debug.node(id);
    const size = Number(node?.fields.get("size") ?? 0);
    if (node === null || size > 0) return size / 8;
    id = reference(node.fields.get("baseType"));
  }
  return 0;
}

function plain(offset: number): string {
  return offset === 0 ? "" : `+${offset}`;
}
function reference(value: string | undefined): number {
  return value !== undefined && /^![0-9]{1,9}$/.test(value) ? Number(value.slice(1)) : -1;
}
function text(value: string | undefined): string {
  return value?.startsWith('"') ? value.slice(1, -1) : "";
}
