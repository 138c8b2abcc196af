// Calls that inlining has removed, found again by the debug locations that their instructions keep: which constants went in, and
// which values came out. Short functions that compare texts (strcasecmp, a program's own streq) would otherwise be no comparisons.

import type { DebugInfo, DebugLoc } from "../../ir/debug-info.js";
import { type Instruction, isConstant, type Value } from "../../ir/values.js";
import type { CountedBody } from "../counted-bodies.js";

export interface InlinedCall {
  readonly name: string;
  /** Constants of pointer type that the copied instructions mention. */
  readonly constants: readonly Value[];
  /** Values that are used after the call. */
  readonly results: readonly Instruction[];
}

interface Group {
  readonly name: string;
  readonly members: Set<Instruction>;
}

/** Names functions by the locations inside of them; asking the metadata is slow, so each is asked once. */
export class InlinedCalls {
  private readonly names = new Map<DebugInfo, Map<number, string>>();
  private readonly numbers = new Map<DebugInfo, number>();

  /** `isWanted`: is a function of this name looked for? The outermost one counts. */
  in(at: CountedBody, isWanted: (name: string) => boolean): readonly InlinedCall[] {
    const groups = new Map<string, Group>();
    for (const block of at.body.blocks) {
      for (const i of block.instructions) {
        const found = i.loc === null ? null : this.outermost(i.loc, isWanted);
        if (found === null) continue;
        const key = this.key(found.call);
        const group = groups.get(key) ?? { name: found.name, members: new Set() };
        group.members.add(i);
        groups.set(key, group);
      }
    }
    if (groups.size === 0) return [];
    this.addJoins(at, groups);
    const results = resultsOf(at, groups);
    return [...groups.values()].map((group) => ({
      name: group.name,
      constants: [...group.members].flatMap(({ operands }) => operands.filter(isPointer)),
      results: results.get(group) ?? [],
    }));
  }

  /** The phi in which the copies of a function's returns meet stands where the call stood. */
  private addJoins(at: CountedBody, groups: ReadonlyMap<string, Group>): void {
    for (const block of at.body.blocks) {
      for (const i of block.instructions) {
        if (i.op !== "phi") break;
        if (i.loc !== null) groups.get(this.key(i.loc))?.members.add(i);
      }
    }
  }

  private outermost(
    loc: DebugLoc,
    isWanted: (name: string) => boolean,
  ): { readonly name: string; readonly call: DebugLoc } | null {
    let found: { readonly name: string; readonly call: DebugLoc } | null = null;
    for (let at = loc; at.inlinedAt !== null; at = at.inlinedAt) {
      const name = this.nameOf(at);
      if (isWanted(name)) found = { name, call: at.inlinedAt };
    }
    return found;
  }

  private nameOf({ debug, id }: DebugLoc): string {
    const known = this.names.get(debug) ?? new Map<number, string>();
    this.names.set(debug, known);
    const name = known.get(id) ?? debug.frame(id)?.functionName ?? "";
    known.set(id, name);
    return name;
  }

  private key(loc: DebugLoc): string {
    const parts: string[] = [];
    for (let at: DebugLoc | null = loc; at !== null; at = at.inlinedAt) {
      const number = this.numbers.get(at.debug) ?? this.numbers.size;
      this.numbers.set(at.debug, number);
      parts.push(`${number}:${at.id}`);
    }
    return parts.join(" ");
  }
}

function isPointer(value: Value): boolean {
  return isConstant(value) && value.type.kind === "ptr";
}

/** Members that others use. */
function resultsOf(at: CountedBody, groups: ReadonlyMap<string, Group>): ReadonlyMap<Group, readonly Instruction[]> {
  const groupOf = new Map<Instruction, Group>();
  for (const group of groups.values()) for (const member of group.members) groupOf.set(member, group);
  const results = new Map<Group, Set<Instruction>>();
  for (const block of at.body.blocks) {
    for (const i of block.instructions) {
      for (const operand of i.operands) {
        if (operand.kind !== "instruction") continue;
        const group = groupOf.get(operand);
        if (group === undefined || group.members.has(i)) continue;
        results.set(group, (results.get(group) ?? new Set()).add(operand));
      }
    }
  }
  return new Map([...results].map(([group, values]) => [group, [...values]]));
}
