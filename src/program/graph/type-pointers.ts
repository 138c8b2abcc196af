// Pointers by their types alone: an indirect call may enter every function of its signature whose address is taken; a field is told by
// its structure's name and its offset, a variable by its own name. It is always there, and takes no time; points-to sets say more.
//
// Elements of an array are one place. A field behind a pointer may also be that of any variable that contains such a structure.

import { calledFunction } from "../../ir/analysis/call-graph.js";
import { signedIndex } from "../../ir/analysis/gep.js";
import type { DataLayout } from "../../ir/data-layout.js";
import type { GlobalVariable, IrFunction } from "../../ir/module.js";
import type { StructType, Type } from "../../ir/types.js";
import type { Instruction, Value } from "../../ir/values.js";
import { signatureKey, signatureOf } from "../../jit/shape.js";
import type { Call, FieldNames, PlaceKey, Pointers } from "./pointers.js";

/** Variables that contain a structure; more say nothing. */
const MOST_INSTANCES = 24;
const MOST_STEPS = 32;
/** Choices between pointers that are followed. */
const MOST_CHOICES = 8;
const CASTS: ReadonlySet<string> = new Set(["ptrtoint", "inttoptr", "bitcast", "freeze"]);

/** What passes that make addresses steps of bytes leave beside them, if they do. */
interface Noted {
  /** Where one was expanded: how it was written, at the last step. */
  readonly written?: { readonly sourceType: Type; readonly operands: readonly Value[] } | "step";
  /** The types that a constant step was written in, outermost first. */
  readonly fields?: readonly { readonly type: Type; readonly offset: number }[];
}

interface Located {
  readonly base: Value;
  /** From the base, indices of arrays left out. */
  readonly offset: number;
  /** The innermost structure that was named on the way, and where in it. */
  readonly field: { readonly type: StructType; readonly offset: number } | null;
}

export class TypePointers implements Pointers {
  readonly precision = "types";
  readonly fromNumbers: ReadonlySet<IrFunction> = new Set();
  private readonly bySignature = new Map<string, IrFunction[]>();
  private readonly anonymous = new Map<StructType, number>();
  private readonly instances = new Map<string, { readonly variable: GlobalVariable; readonly offset: number }[]>();
  private readonly locals = new Map<Instruction, number>();

  constructor(
    addressTaken: Iterable<IrFunction>,
    variables: readonly GlobalVariable[],
    private readonly layout: DataLayout,
    private readonly names: FieldNames,
  ) {
    for (const fn of addressTaken) {
      const key = signatureKey(signatureOf(fn.type));
      const list = this.bySignature.get(key);
      if (list === undefined) this.bySignature.set(key, [fn]);
      else list.push(fn);
    }
    for (const variable of variables) {
      if (variable.module.origin === "program") this.noteStructs(variable, variable.valueType, 0, 0);
    }
  }

  private noteStructs(variable: GlobalVariable, type: Type, offset: number, depth: number): void {
    if (depth > MOST_STEPS) return;
    if (type.kind === "array") return this.noteStructs(variable, type.element, offset, depth + 1);
    if (type.kind !== "struct") return;
    const key = this.structKey(type);
    const list = this.instances.get(key) ?? [];
    this.instances.set(key, list);
    if (list.length <= MOST_INSTANCES) list.push({ variable, offset });
    const { offsets } = this.layout.structLayout(type);
    type.fields.forEach((field, n) => {
      this.noteStructs(variable, field, offset + offsets[n], depth + 1);
    });
  }

  calleesOf(call: Call): readonly IrFunction[] {
    const direct = calledFunction(call.operands[0]);
    if (direct !== null) return [direct];
    if (call.operands[0].kind === "asm") return [];
    const known = this.functionsIn(call.operands[0]);
    return known.length > 0 ? known : (this.bySignature.get(signatureKey(signatureOf(call.extra.fnType))) ?? []);
  }

  /** Only what stands there: a function, or a choice between some. */
  functionsIn(value: Value): readonly IrFunction[] {
    const found = new Set<IrFunction>();
    const work: Value[] = [value];
    for (let steps = 0; steps < MOST_CHOICES && work.length > 0; steps++) {
      const at = work.pop() as Value;
      if (at.kind === "global") {
        const target = at.target.resolved ?? at.target;
        if (target.kind === "function") found.add(target);
        else return [];
      } else if (at.kind === "zero" || at.kind === "int" || at.kind === "undef") continue;
      else if ((at.kind === "instruction" || at.kind === "constexpr") && CASTS.has(at.op)) work.push(at.operands[0]);
      else if (at.kind === "instruction" && at.op === "select") work.push(at.operands[1], at.operands[2]);
      else if (at.kind === "instruction" && at.op === "phi") work.push(...at.operands);
      else return [];
    }
    return work.length > 0 ? [] : [...found];
  }

  placesOf(pointer: Value, access: "load" | "store"): readonly PlaceKey[] {
    const { base, offset, field } = this.locate(pointer);
    if (base.kind === "global") {
      const target = base.target.resolved ?? base.target;
      return target.kind === "variable" ? [this.inVariable(target, offset)] : [];
    }
    if (base.kind === "instruction" && base.op === "alloca") return [this.inLocal(base, offset)];
    return field === null ? [] : this.inStruct(field.type, field.offset, access);
  }

  inVariable(variable: GlobalVariable, offset: number): PlaceKey {
    const at = leafOffset(this.layout, variable.valueType, offset);
    const scope = variable.linkage === "internal" ? `${variable.module.name}:` : "";
    return {
      key: `g:${scope}${variable.name}+${at}`,
      kind: "global",
      name: () => this.names.inVariable(variable, at),
      variable,
      offset: at,
    };
  }

  /** `alloca`: the instruction that makes the variable. */
  private inLocal(alloca: Extract<Instruction, { op: "alloca" }>, offset: number): PlaceKey {
    const at = leafOffset(this.layout, alloca.extra.allocated, offset);
    const number = this.locals.get(alloca) ?? this.locals.size;
    this.locals.set(alloca, number);
    const { variable } = alloca.extra;
    const name = (): string => `${variable?.name || "a local variable"}${at === 0 ? "" : `+${at}`}`;
    return { key: `l:${number}+${at}`, kind: "local", name };
  }

  /** The field itself; for a load also the variables that have it. */
  private inStruct(type: StructType, offset: number, access: "load" | "store"): readonly PlaceKey[] {
    const key = this.structKey(type);
    const at = leafOffset(this.layout, type, offset);
    const field: PlaceKey = { key: `f:${key}+${at}`, kind: "field", name: () => this.names.inStruct(type, at) };
    const instances = this.instances.get(key) ?? [];
    if (instances.length > MOST_INSTANCES && access === "load") return [field];
    return [field, ...instances.map(({ variable, offset: start }) => this.inVariable(variable, start + at))];
  }

  /** The field that an access names, whatever the pointer leads to; null if it names none. */
  fieldOf(pointer: Value): PlaceKey | null {
    const { field } = this.locate(pointer);
    return field === null ? null : this.inStruct(field.type, field.offset, "load")[0];
  }

  /** Modules number what they have in common: `struct.list.12` is `struct.list`. Nameless ones are told apart. */
  private structKey(type: StructType): string {
    if (type.name !== null && !/^(struct|union)\.anon/.test(type.name)) return type.name.replace(/\.\d+$/, "");
    const number = this.anonymous.get(type) ?? this.anonymous.size;
    this.anonymous.set(type, number);
    return `#${number}`;
  }

  private locate(pointer: Value): Located {
    let base = pointer;
    let offset = 0;
    let field: Located["field"] = null;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      let source: Type | null = null;
      let operands: readonly Value[] = [];
      if (base.kind === "instruction" && base.op === "getelementptr") {
        const { written, fields } = base.extra as Noted;
        if (field === null && fields !== undefined) field = innermostField(fields, offset);
        const isWritten = written !== undefined && written !== "step";
        source = isWritten ? written.sourceType : base.extra.sourceType;
        operands = isWritten ? written.operands : base.operands;
      } else if (base.kind === "constexpr" && base.op === "getelementptr") {
        source = base.sourceType;
        operands = base.operands;
      } else if (base.kind === "instruction" && (base.op === "freeze" || base.op === "bitcast")) {
        base = base.operands[0];
        continue;
      }
      if (source === null) break;
      const walked = this.walk(source, operands);
      if (walked === null) break;
      // A field found further out is the innermost; what was added behind it has been counted.
      if (field === null && walked.field !== null) {
        field = { type: walked.field.type, offset: walked.field.offset + offset };
      }
      offset += walked.offset;
      base = operands[0];
    }
    return { base, offset, field };
  }

  private walk(
    source: Type,
    operands: readonly Value[],
  ): { readonly offset: number; readonly field: Located["field"] } | null {
    let type = source;
    let offset = 0;
    let field: { type: StructType; offset: number } | null = null;
    for (let k = 1; k < operands.length; k++) {
      const index = signedIndex(operands[k]);
      if (k > 1 && type.kind === "struct") {
        if (index === null || index >= type.fields.length || index < 0) return null;
        const step = this.layout.structLayout(type).offsets[index];
        field = { type, offset: step };
        offset += step;
        type = type.fields[index];
        continue;
      }
      if (k > 1) {
        if (type.kind !== "array" && type.kind !== "vector") return null;
        type = type.element;
      }
      // A variable index: some element, and the first stands for all.
      if (index !== null) offset += index * this.layout.sizeOf(type);
    }
    return { offset, field };
  }
}

/** Steps inside of an array behind the last structure belong to the field that the array is. */
function innermostField(fields: NonNullable<Noted["fields"]>, behind: number): Located["field"] {
  let offset = behind;
  for (const { type, offset: step } of fields.toReversed()) {
    offset += step;
    if (type.kind === "struct") return { type, offset };
  }
  return null;
}

/** Where an offset leads in a type when every array on the way counts as its first element. */
function leafOffset(layout: DataLayout, outer: Type, outerOffset: number): number {
  const size = layout.sizeOf(outer);
  let type = outer;
  let rest = size > 0 ? ((outerOffset % size) + size) % size : outerOffset;
  let base = 0;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (type.kind === "array") {
      const stride = layout.sizeOf(type.element);
      if (stride === 0) return base;
      rest %= stride;
      type = type.element;
    } else if (type.kind === "struct" && type.fields.length > 0) {
      const { offsets } = layout.structLayout(type);
      let n = offsets.length - 1;
      while (n > 0 && offsets[n] > rest) n--;
      base += offsets[n];
      rest -= offsets[n];
      type = type.fields[n];
    } else return base + rest;
  }
  return base + rest;
}
