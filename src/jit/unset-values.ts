// Values that were never set, of variables that live in registers: a table of what they are the values of. Their shadows are
// the numbers of its entries, counted from 1, so generated code needs nothing but a constant.

import type { LocalVariable } from "../ir/debug-info.js";
import type { UnsetValue } from "./image.js";
import { pathOf } from "./line-table.js";

/** Blocks and inlined scopes between a variable and its function, at most. */
const MAX_SCOPES = 100;

export class UnsetTable {
  readonly entries: UnsetValue[] = [];
  private readonly numbers = new Map<string, number>();

  /** The shadow of `bits` bits of the variable; `functionName` says where, if its debug information does not. */
  shadowOf(variable: LocalVariable | null, bits: number, functionName: string): number {
    const entry = { bits, ...(variable === null ? NAMELESS : declared(variable)) };
    const named = entry.functionName === "" ? { ...entry, functionName } : entry;
    const key = JSON.stringify(named);
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.entries.push(named);
      this.numbers.set(key, number);
    }
    return number;
  }
}

const NAMELESS = { name: null, line: 0, file: null, functionName: "" } as const;

function declared(variable: LocalVariable): Omit<UnsetValue, "bits"> {
  const { name, line } = variable;
  const scope = scopeOf(variable);
  const known = { name: name === "" ? null : name, line };
  return scope === null ? { ...NAMELESS, ...known } : { ...known, ...scope };
}

/** The function that a variable is declared in. */
function scopeOf({ debug, id }: LocalVariable): { readonly functionName: string; readonly file: string | null } | null {
  let at = numberIn(debug.node(id)?.fields.get("scope"));
  for (let steps = 0; at !== null && steps < MAX_SCOPES; steps++) {
    const node = debug.node(at);
    if (node === null) return null;
    if (node.kind === "DISubprogram") {
      const frame = debug.subprogram(at);
      return frame === null
        ? null
        : { functionName: frame.functionName, file: frame.file === "" ? null : pathOf(frame) };
    }
    at = numberIn(node.fields.get("scope"));
  }
  return null;
}

function numberIn(text: string | undefined): number | null {
  const found = /^!(\d+)$/.exec(text ?? "");
  return found === null ? null : Number(found[1]);
}
