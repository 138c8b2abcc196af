// The variables of a program that are input of units besides parameters, but for the pointers in them. They are the same for all of its
// functions, so they are found once.

import type { UnitGlobal, UnitName } from "../../engine/unit-description.js";
import { type CType, type DebugTypes, resolvedType, sizeOfType, type TypeRef } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { ProgramImage } from "../../jit/image.js";
import { typeOfGlobal } from "./type-of-global.js";

export interface TypedGlobal {
  readonly global: UnitGlobal;
  readonly words: string;
  readonly type: TypeRef;
}

export class UnitGlobals {
  private readonly known = new WeakMap<ProgramImage, Map<number, readonly TypedGlobal[]>>();

  constructor(
    private readonly program: LinkedProgram,
    private readonly debug: DebugTypes,
  ) {}

  /** Those of at most so many bytes. */
  upTo(image: ProgramImage, bytes: number): readonly TypedGlobal[] {
    const ofImage = this.known.get(image) ?? new Map<number, readonly TypedGlobal[]>();
    this.known.set(image, ofImage);
    const globals = ofImage.get(bytes) ?? this.find(image, bytes);
    ofImage.set(bytes, globals);
    return globals;
  }

  private find({ globals, programGlobals }: ProgramImage, bytes: number): readonly TypedGlobal[] {
    const own = programGlobals.map((n) => globals[n]);
    const times = new Map<string, number>();
    const placeOf = (name: string, file: string | null): string => `${name}\n${file ?? ""}`;
    for (const { name, file } of own) times.set(placeOf(name, file), (times.get(placeOf(name, file)) ?? 0) + 1);
    return own.flatMap(({ name, size, constant, file }) => {
      const isOne = times.get(placeOf(name, file)) === 1;
      if (constant || size < 1 || size > bytes || !isOne) return [];
      const { types } = this.debug;
      const type = typeOfGlobal(this.program, this.debug, name, file);
      if (type === null || sizeOfType(types, type) > size) return [];
      const fields = pointersIn(types, type, size).map((offset) => ({ offset, value: { kind: "initial" } as const }));
      const variable: UnitName = file === null ? name : { name, file };
      return [{ global: { variable, ...(fields.length === 0 ? {} : { fields }) }, words: name, type }];
    });
  }
}

const MOST_FIELDS = 512;
/** Debug information may claim anything of arrays in arrays. */
const MOST_STEPS = 100_000;

/** Offsets of the pointers in a value. */
function pointersIn(types: readonly CType[], ref: TypeRef, limit: number): number[] {
  const found: number[] = [];
  const work = [{ ref, offset: 0, nesting: 0 }];
  let steps = 0;
  for (let at = work.pop(); at !== undefined && found.length < MOST_FIELDS && steps++ < MOST_STEPS; at = work.pop()) {
    const type = resolvedType(types, at.ref);
    if (at.nesting > 32 || at.offset >= limit) continue;
    if (type.kind === "pointer") {
      if (at.offset + 8 <= limit) found.push(at.offset);
    } else if (type.kind === "record") {
      for (const member of type.members) {
        if (member.bits === null)
          work.push({ ref: member.type, offset: at.offset + member.offset, nesting: at.nesting + 1 });
      }
    } else if (type.kind === "array") {
      const size = sizeOfType(types, type.of);
      for (let n = 0; size > 0 && n < type.count && n * size < limit && work.length < MOST_STEPS; n++) {
        work.push({ ref: type.of, offset: at.offset + n * size, nesting: at.nesting + 1 });
      }
    }
  }
  return [...new Set(found)].sort((a, b) => a - b);
}
