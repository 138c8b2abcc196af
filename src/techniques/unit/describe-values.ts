// From a type of C to what a unit is given of it: numbers are symbolic, a `char *` is a short text that ends with a zero, a pointer to
// numbers an array, a pointer to a structure an object whose own pointers are followed to some depth, null where nothing forbids it.
// What cannot be made (a FILE, a function that nobody knows) is null, and that is told.
//
// A unit has so many objects and no more. They are given out breadth first, and in turns: what is far from one parameter takes nothing from
// what is near to another, and a large array no more than its share. So `pointer` makes an object without the pointers in it, and
// `followAll` goes on from there.

import type { UnitField, UnitName, UnitObject, UnitPointer } from "../../engine/unit-description.js";
import { type CMember, type CType, resolvedType, sizeOfType, type TypeRef, typeText } from "../../ir/debug-types.js";
import { openEndOf, withElements } from "./open-ends.js";
import { postfixable, type UnitAssumption, type UnitFixed, type UnitInput } from "./unit-inputs.js";
import { lengthsIn } from "./unit-lengths.js";
import type { FieldUse } from "./used-fields.js";

export interface ValueOptions {
  /** Characters of a text, its end not counted; bytes of memory whose length is a number beside it. */
  readonly string: number;
  /** Elements of an array of numbers. */
  readonly elements: number;
  /** How many pointers are followed, one after the other, from a parameter's object on. */
  readonly depth: number;
  /** Parameters may be null too. */
  readonly null: boolean;
}

export const DEFAULT_VALUE_OPTIONS: ValueOptions = { string: 8, elements: 8, depth: 2, null: false };

/** Functions of the program that a pointer of this type may lead to; the first is taken. */
export type FunctionsOfType = (type: TypeRef) => FunctionChoice;

export interface FunctionChoice {
  readonly functions: readonly UnitName[];
  /** All of them may be called by the code behind the unit, as points-to sets say; or only their type is known to fit. */
  readonly isCalled: boolean;
  /** There are some, but the tests' own, which are not taken. */
  readonly isOnlyInTests?: boolean;
}

/** Elements of an array of structures, and pointers in an array of texts without the null at its end. */
const SEVERAL = 2;
const VOID_BYTES = 16;
/** All objects of one unit: each is allocated at the start of every run. */
const MOST_OBJECTS = 64;
const MOST_OBJECT_BYTES = 1 << 16;
/** Pointers inside of one object. */
const MOST_FIELDS = 256;
/** Types inside of types, without pointers. */
const MOST_NESTING = 32;
/** Parts of types that are looked at for one unit: debug information may claim anything of arrays in arrays. */
const MOST_PARTS = 100_000;

interface Pointing {
  /** The C expression of the pointer. */
  readonly words: string;
  /** As the engine names it: `param:0`, `(*param:0+8)`. */
  readonly name: string;
  /** The object it lies in, or empty; and where in it. */
  readonly owner: string;
  readonly offset: number;
  readonly level: number;
  readonly orNull: boolean;
  /** A number says how much it points to. */
  readonly hasLength: boolean;
}

interface WantedPointer {
  readonly field: { readonly offset: number; value: UnitPointer };
  readonly type: TypeRef;
  readonly place: Pointing;
}

/** An object whose pointers are found later. */
type MadeObject = Omit<UnitObject, "fields"> & { fields?: readonly UnitField[] };

export class ValueDescriber {
  readonly inputs: UnitInput[] = [];
  readonly assumptions: UnitAssumption[] = [];
  readonly fixed: UnitFixed[] = [];
  readonly notes = new Set<string>();
  private objects = 0;
  private parts = 0;
  private readonly unused = new Set<string>();
  /** Objects whose own pointers are not known yet. */
  private readonly waiting: (() => void)[] = [];
  /** Pointers that are not made yet, by the value they lie in. */
  private readonly wanted: WantedPointer[][] = [];

  constructor(
    private readonly types: CType[],
    private readonly options: ValueOptions,
    private readonly functionsOf: FunctionsOfType,
    private readonly isUsed: FieldUse,
  ) {}

  /** Pointers that were not followed because nothing uses them. */
  unusedNote(): readonly string[] {
    const { size } = this.unused;
    if (size === 0) return [];
    const [first] = this.unused;
    const what = size === 1 ? `${first} is NULL` : `${size} pointers (${first}, ...) are NULL`;
    return [`${what}: nothing that the function calls uses ${size === 1 ? "it" : "them"}`];
  }

  /** How many elements, or bytes, there are where a number says how many; null if that is not bounded. */
  longest(pointer: TypeRef): number | null {
    const type = resolvedType(this.types, pointer);
    if (type.kind !== "pointer") return null;
    const to = resolvedType(this.types, type.to);
    switch (to.kind) {
      case "void":
        return this.options.string;
      case "integer":
        return to.bytes === 1 ? this.options.string : this.options.elements;
      case "bool":
      case "float":
      case "enum":
        return this.options.elements;
      case "record":
      case "pointer":
        return SEVERAL;
      default:
        return null;
    }
  }

  /** Makes what lies behind the pointers that were made so far. */
  followAll(): void {
    while (this.waiting.length > 0 || this.wanted.length > 0) {
      for (const follow of this.waiting.splice(0)) follow();
      const lists = this.wanted.splice(0);
      const turns = Math.max(0, ...lists.map((list) => list.length));
      for (let turn = 0; turn < turns; turn++) {
        for (const list of lists) {
          if (turn >= list.length) continue;
          const { field, type, place } = list[turn];
          field.value = this.pointer(type, place);
        }
      }
    }
  }

  /** What a pointer of this type leads to; what lies behind it is made by `followAll`. */
  pointer(pointerType: TypeRef, place: Pointing): UnitPointer {
    const { types } = this;
    const type = this.withOpenEnd(resolvedType(types, pointerType), place);
    if (type.kind !== "pointer") return { kind: "null" };
    const to = resolvedType(types, type.to);
    const { words, owner, offset, level } = place;
    const none = (cause: UnitFixed["cause"], why: string): UnitPointer => {
      this.fixed.push({ owner, words, value: "NULL", cause, why, ...(cause === "limit" ? { offset } : {}) });
      return { kind: "null" };
    };
    if (to.kind === "function") return this.functionPointer(type.to, place);
    if (to.kind === "incomplete")
      return none("unknown", `${typeText(types, pointerType)} is not made: nothing says what is in it`);
    if (to.kind === "record" && to.name === "__va_list_tag") return none("unknown", "a va_list is not made");
    if (level > this.options.depth) return none("depth", `pointers are followed ${this.options.depth} deep (--depth)`);
    const count = this.countOf(to, place.hasLength);
    const size = (to.kind === "void" ? 1 : sizeOfType(types, type.to)) * count;
    if (size < 1 || size > MOST_OBJECT_BYTES) {
      return none(
        "unknown",
        `${typeText(types, pointerType)} is not made: ${size < 1 ? "it has no size" : `it is too large`}`,
      );
    }
    // A pointer that lies in no object is what the function is given: it is never left out.
    if (++this.objects > MOST_OBJECTS && owner !== "") {
      return none("limit", `a unit has at most ${MOST_OBJECTS} objects`);
    }
    const object = `*${place.name}`;
    if (place.orNull) {
      const isNull = {
        object: `null:${place.name}`,
        role: "null",
        words,
        type: pointerType,
        count: 1,
        from: 0,
      } as const;
      this.inputs.push(isNull);
    }
    const input = { object, role: "target", words, type: type.to, count, from: 0 } as const;
    this.inputs.push(input);
    const made: MadeObject = { kind: "object", size, ...(place.orNull ? { orNull: true } : {}) };
    this.waiting.push(() => {
      const fields = this.targetFields(to, type.to, count, object, words, level, place.hasLength);
      if (fields.length > 0) made.fields = fields;
    });
    return made;
  }

  /** The pointers in a value that lies in memory, null until `followAll`. `arrow`: `words` is a pointer to it. */
  fieldsOf(ref: TypeRef, object: string, words: string, arrow: boolean, level: number): UnitField[] {
    const fields: UnitField[] = [];
    this.wanted.push([]);
    this.walk(ref, 0, { object, words, arrow, level, fields, nesting: 0 });
    return fields;
  }

  /** To a structure with some elements in the array at its end, which a number in it may say the length of. */
  private withOpenEnd<T extends CType>(pointer: T, { words, name, level, hasLength }: Pointing): T {
    const { types } = this;
    const end = pointer.kind === "pointer" && !hasLength ? openEndOf(types, pointer.to) : null;
    if (pointer.kind !== "pointer" || end === null || level > this.options.depth) return pointer;
    const { array, element, length } = end;
    const to = resolvedType(types, element);
    const isText = to.kind === "integer" && to.character === "plain";
    const longest = Math.max(1, this.countOf(to, isText || length !== null || to.kind === "pointer"));
    types.push(...withElements(types, pointer.to, end, isText ? longest + 1 : longest));
    const object = `*${name}`;
    if (isText) {
      const offset = array.offset + longest;
      const zero = `${words}->${array.name}[${longest}] == 0`;
      this.assumptions.push({ object, offset, bytes: 1, signed: false, atMost: 0, words: zero });
    }
    const number = length === null ? null : resolvedType(types, length.type);
    if (length !== null && number?.kind === "integer") {
      const { bytes, signed } = number;
      const limit = { object, offset: length.offset, bytes, signed, atMost: longest };
      this.assumptions.push({ ...limit, words: `${words}->${length.name} <= ${longest}` });
    }
    return { ...pointer, to: types.length - 1 };
  }

  private countOf(to: CType, hasLength: boolean): number {
    const { string, elements } = this.options;
    switch (to.kind) {
      case "void":
        return hasLength ? string : VOID_BYTES;
      case "integer":
        if (to.bytes !== 1) return elements;
        return hasLength || to.character === "no" ? string : string + 1;
      case "bool":
      case "float":
      case "enum":
        return elements;
      case "pointer":
        return hasLength ? SEVERAL : this.isText(to.to) ? SEVERAL + 1 : 1;
      case "record":
        return hasLength ? SEVERAL : 1;
      case "array":
        return elements;
      default:
        return 1;
    }
  }

  private isText(ref: TypeRef): boolean {
    const type = resolvedType(this.types, ref);
    return type.kind === "integer" && type.character === "plain";
  }

  private targetFields(
    to: CType,
    ref: TypeRef,
    count: number,
    object: string,
    words: string,
    level: number,
    hasLength: boolean,
  ): UnitField[] {
    const { types } = this;
    if (to.kind === "integer" && to.bytes === 1 && to.character !== "no" && !hasLength) {
      return [{ offset: count - 1, value: { kind: "bytes", bytes: [0] } }];
    }
    const size = sizeOfType(types, ref);
    const fields: UnitField[] = [];
    this.wanted.push([]);
    const endsWithNull = to.kind === "pointer" && count > SEVERAL;
    for (let n = 0; n < count; n++) {
      if (endsWithNull && n === count - 1) {
        fields.push({ offset: n * size, value: { kind: "null" } });
        this.fixed.push({
          owner: object,
          words: `${postfixable(words)}[${n}]`,
          value: "NULL",
          cause: "end",
          why: "the end of the list",
        });
        continue;
      }
      const element = count === 1 ? (to.kind === "record" ? words : `*${words}`) : `${postfixable(words)}[${n}]`;
      const inner = { object, words: element, arrow: count === 1, level: level + 1, fields, nesting: 0 };
      this.walk(ref, n * size, inner);
    }
    return fields;
  }

  private walk(
    ref: TypeRef,
    offset: number,
    at: {
      readonly object: string;
      readonly words: string;
      readonly arrow: boolean;
      readonly level: number;
      readonly fields: UnitField[];
      readonly nesting: number;
      /** Nothing looks at it. */
      readonly isUnused?: boolean;
    },
  ): void {
    const { types } = this;
    const type = resolvedType(types, ref);
    const { object, words, fields } = at;
    if (++this.parts > MOST_PARTS || at.nesting > MOST_NESTING) return;
    if (fields.length >= MOST_FIELDS) {
      if (type.kind === "pointer")
        this.notes.add(`${object} has more pointers than are made: the rest are free numbers`);
      return;
    }
    switch (type.kind) {
      case "pointer": {
        if (at.isUnused === true) {
          this.unused.add(words);
          fields.push({ offset, value: { kind: "null" } });
          return;
        }
        const field: WantedPointer["field"] = { offset, value: { kind: "null" } };
        const name = `(${object}+${offset})`;
        const hasLength = this.lengthAt.has(`${object}+${offset}`);
        const place = { words, name, owner: object, offset, level: at.level, orNull: true, hasLength };
        fields.push(field);
        this.wanted.at(-1)?.push({ field, type: ref, place });
        return;
      }
      case "array": {
        const size = sizeOfType(types, type.of);
        const inner = resolvedType(types, type.of).kind;
        if (inner !== "pointer" && inner !== "record" && inner !== "array") return;
        for (let n = 0; n < type.count && fields.length < MOST_FIELDS && this.parts <= MOST_PARTS; n++) {
          const name = `${postfixable(words)}[${n}]`;
          this.walk(type.of, offset + n * size, { ...at, words: name, arrow: false, nesting: at.nesting + 1 });
        }
        return;
      }
      case "record":
        this.walkMembers(type, this.structureName(ref), offset, at);
        return;
      default:
    }
  }

  /** By object and offset: pointers with a number beside them that says how much there is. */
  private readonly lengthAt = new Set<string>();

  /** As LLVM names it: by its tag, or by the typedef of one without. Null if it has neither. */
  private structureName(ref: TypeRef): string | null {
    let alias = "";
    let at = ref;
    for (let step = 0; step < MOST_NESTING; step++) {
      const type = this.types[at];
      if (type?.kind === "record") return (type.name || alias) === "" ? null : `${type.tag}.${type.name || alias}`;
      if (type?.kind !== "alias" && type?.kind !== "qualified") return null;
      if (type.kind === "alias") alias = type.name;
      at = type.to;
    }
    return null;
  }

  private walkMembers(
    { members, tag }: Extract<CType, { kind: "record" }>,
    structure: string | null,
    offset: number,
    at: Parameters<ValueDescriber["walk"]>[2],
  ): void {
    const { types } = this;
    const { object, words, arrow } = at;
    const isPointer = (member: CMember): boolean => resolvedType(types, member.type).kind === "pointer";
    const nameOf = ({ name }: CMember): string =>
      name === "" ? words : `${postfixable(words)}${arrow ? "->" : "."}${name}`;
    if (tag === "union") {
      // One member at a time: the first, if it is a pointer; otherwise what pointers there are stay numbers.
      const [first] = members;
      if (first !== undefined && (isPointer(first) || resolvedType(types, first.type).kind === "record")) {
        this.walk(first.type, offset + first.offset, {
          ...at,
          words: nameOf(first),
          arrow: arrow && first.name === "",
          nesting: at.nesting + 1,
        });
      } else if (members.some(isPointer)) this.notes.add(`${words}: pointers in a union are free numbers`);
      return;
    }
    for (const [pointer, lengths] of lengthsIn(types, members, "members")) {
      const longest = this.longest(members[pointer].type);
      const isUnused = at.isUnused === true || (structure !== null && !this.isUsed(structure, members[pointer].offset));
      if (longest === null || isUnused) continue;
      this.lengthAt.add(`${object}+${offset + members[pointer].offset}`);
      for (const n of lengths) {
        const type = resolvedType(types, members[n].type);
        if (type.kind !== "integer" || members[n].bits !== null) continue;
        this.assumptions.push({
          object,
          offset: offset + members[n].offset,
          bytes: type.bytes,
          signed: type.signed,
          atMost: longest,
          words: `${nameOf(members[n])} <= ${longest}`,
        });
      }
    }
    for (const member of members) {
      if (member.bits !== null) continue;
      const isUnused = at.isUnused === true || (structure !== null && !this.isUsed(structure, member.offset));
      const inner = { words: nameOf(member), arrow: arrow && member.name === "", nesting: at.nesting + 1, isUnused };
      this.walk(member.type, offset + member.offset, { ...at, ...inner });
    }
  }

  private functionPointer(type: TypeRef, { words, owner }: Pointing): UnitPointer {
    const { functions: known, isCalled, isOnlyInTests } = this.functionsOf(type);
    if (known.length === 0) {
      const which = isOnlyInTests === true ? "only the tests' own functions" : "no function";
      const why = `${which} of this type ${isOnlyInTests === true ? "have their" : "has its"} address taken in the program`;
      this.fixed.push({ owner, words, value: "NULL", cause: "function", why });
      return { kind: "null" };
    }
    const [first] = known;
    const name = typeof first === "string" ? first : first.name;
    const which = isCalled ? "of its type that may be called there" : "of its type";
    const why = known.length === 1 ? `the only function ${which}` : `the first of ${known.length} functions ${which}`;
    this.fixed.push({ owner, words, value: name, cause: "function", why });
    return { kind: "function", function: first };
  }
}
