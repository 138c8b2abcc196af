// A failure of a unit as a C file: a `main` that builds the arguments, byte by byte on the heap, and calls the function. It stands alone:
// a function that other files see is declared with types of the same size and class, a static one comes with its source, which is
// included. Names and paths come from the program's debug information: what is no plain name is not written into code.

import { pointerIn, type UnitField, type UnitName, type UnitPointer } from "../engine/unit-description.js";
import { userFrameOf } from "../findings/finding.js";
import { KINDS } from "../findings/kinds.js";
import { type CType, type CTypes, resolvedType, sizeOfType, type TypeRef, typeText } from "../ir/debug-types.js";
import { visible } from "../support/visible-text.js";
import type { UnitFailure } from "../techniques/unit/explore-unit.js";
import { littleEndian } from "../techniques/unit/scalar-words.js";
import type { DescribedUnit, UnitParameter } from "../techniques/unit/unit-inputs.js";
import { quoted } from "./shell-words.js";
import { preconditionText } from "./unit-text.js";

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What may stand in quotes after #include without meaning anything else. */
const PATH = /^[\w./+@%,=~ -]+$/;
const TYPE_NAME = /^(?:const |volatile )*(?:(?:struct|union|enum) )?[A-Za-z_][A-Za-z0-9_]*$/;
const BASE_NAME = /^(?:(?:unsigned|signed|char|short|int|long|float|double|_Bool|__int128)(?: |$))+$/;
const MOST_NESTING = 16;
/** Members of the structures that are passed by value; debug information may claim anything. */
const MOST_MEMBERS = 2000;
const BYTES_A_LINE = 16;

export function unitFileName(unit: DescribedUnit, n: number): string {
  return `unit-${unit.function.name.replace(/[^A-Za-z0-9_]/g, "_")}-${n + 1}.c`;
}

/** `built`: folders in the copy that the project was built in: where its headers and objects are. */
export function renderUnitC(
  unit: DescribedUnit,
  failure: UnitFailure,
  fileName: string,
  built: readonly string[] = [],
): string {
  return new CFile(unit, failure, fileName, built).render();
}

class CFile {
  private readonly types: CTypes;
  private readonly isIncluded: boolean;
  private readonly content = new Map<string, Uint8Array>();
  private readonly declarations: string[] = [];
  private readonly statements: string[] = [];
  private readonly objects = new Map<string, string>();
  /** By the name of a function of another file: what it is called here. */
  private readonly otherFunctions = new Map<string, string>();
  private readonly problems: string[] = [];
  private objectCount = 0;
  private structCount = 0;
  private members = 0;

  constructor(
    private readonly unit: DescribedUnit,
    private readonly failure: UnitFailure,
    private readonly fileName: string,
    private readonly built: readonly string[],
  ) {
    this.types = unit.types;
    const { globals, parameters } = unit.description;
    // What it points to may be static, and so may variables.
    const pointsToFunctions = JSON.stringify(parameters).includes('"kind":"function"');
    this.isIncluded = unit.isStatic || pointsToFunctions || !Array.isArray(globals) || globals.length > 0;
    for (const { name, occurrence, bytes } of failure.values) if (occurrence === 0) this.content.set(name, bytes);
  }

  render(): string {
    const { name } = this.unit.function;
    if (!IDENTIFIER.test(name)) this.problems.push("the function has no plain name");
    if (this.unit.description.parameters.length > 0 && this.unit.parameters.length === 0 && !this.unit.hiddenResult) {
      this.problems.push("its parameters are not passed as its type says");
    }
    this.globals();
    const given = this.unit.parameters.map((parameter, n) => this.argument(parameter, n));
    const prototype = this.isIncluded ? [] : [this.prototype(given.map(({ type }) => type))];
    const call = `  ${name}(${given.map(({ text }) => text).join(", ")});`;
    const lines = [
      ...this.comment(),
      ...this.problems.map((problem) => `#error "this failure cannot be written as C: ${problem}"`),
      ...this.source(),
      "#include <stdlib.h>",
      "#include <string.h>",
      "",
      ...this.declarations,
      ...prototype,
      "",
      "/* A copy on the heap, so that sanitizers see its ends. */",
      "static unsigned char *tangent_made(const unsigned char *bytes, unsigned long size) {",
      "  unsigned char *made = malloc(size);",
      "  if (made == 0) abort();",
      "  memcpy(made, bytes, size);",
      "  return made;",
      "}",
      "",
      "static void tangent_set(unsigned char *at, const void *pointer) { memcpy(at, &pointer, sizeof pointer); }",
      "",
      "int main(void) {",
      "  (void)tangent_made;",
      "  (void)tangent_set;",
      ...this.statements,
      call,
      "  return 0;",
      "}",
    ];
    return `${lines.join("\n")}\n`;
  }

  private comment(): string[] {
    const { finding, precondition, arguments: values } = this.failure;
    const frame = userFrameOf(finding);
    const where = frame === null ? "" : ` at ${frame.file ?? frame.functionName}:${frame.line}`;
    const stubs = this.unit.description.stubs.map(({ function: name }) => plainName(name));
    const text = [
      `${KINDS[finding.kind].title}: ${finding.message}${where}`,
      `arguments: ${values.map(({ words, value }) => `${words} = ${value}`).join(", ") || "none"}`,
      `needs: ${preconditionText(precondition, Number.POSITIVE_INFINITY)}`,
      "No caller has been shown to pass such arguments: this is a failure of the function, not yet of the program.",
      "",
      ...(this.isIncluded
        ? [
            `cc -g -fsanitize=address,undefined ${this.fileName} -o reproduce`,
            "with the -I and -D options of the source that is included below, and the objects of the other files that it needs;",
            "if one of them has main, it is compiled with -Dmain=program_main.",
          ]
        : [
            `cc -g -fsanitize=address,undefined ${this.fileName} OBJECTS -o reproduce`,
            "OBJECTS are those of the program, or its library; the one with its main is compiled with -Dmain=program_main.",
          ]),
      ...this.buildFolder(),
      ...(stubs.length === 0
        ? []
        : [
            `In the exploration these were replaced: ${stubs.join(", ")}. Give them results as above, or it may not fail.`,
          ]),
    ];
    return [
      "/*",
      ...text.map((line) => ` * ${visible(line).replaceAll("*/", "* /").replaceAll("/*", "/ *")}`.trimEnd()),
      " */",
    ];
  }

  /** What a build makes is not where the sources are. */
  private buildFolder(): string[] {
    const [folder] = this.built;
    if (folder === undefined) return [];
    const headers = `, headers that the build made too: ${this.built.map((one) => `-I${quoted(one)}`).join(" ")}`;
    return [`The project was built in ${folder}: its objects are there${this.isIncluded ? headers : ""}.`];
  }

  private source(): string[] {
    if (!this.isIncluded) return [];
    const { file } = this.unit;
    if (file === null || !PATH.test(file)) return ['#error "the path of the source is not known, or no plain one"'];
    return ["#define main program_main", `#include "${file}"`, "#undef main"];
  }

  // ---- arguments

  private argument({ name, type, first, count, copied }: UnitParameter, n: number): { text: string; type: string } {
    const value = this.unit.description.parameters[first];
    const own = resolvedType(this.types, type);
    const object = `param:${first}`;
    if (own.kind === "pointer") {
      return { text: `(void *)${this.pointer(object, pointerIn(value) ?? NULL, name)}`, type: "void *" };
    }
    if (own.kind !== "record" && count === 1) {
      const bytes = this.content.get(object) ?? new Uint8Array(sizeOfType(this.types, type));
      const base = this.base(own);
      const literal = literalOf(own, bytes);
      if (literal !== null) return { text: literal, type: base };
      const array = this.bytes(bytes);
      this.statements.push(`  ${base} value_${n};`, `  memset(&value_${n}, 0, sizeof value_${n});`);
      this.statements.push(`  memcpy(&value_${n}, ${array}, sizeof ${array}); /* ${commented(name)} */`);
      return { text: `value_${n}`, type: base };
    }
    const size = sizeOfType(this.types, type);
    if (size === 0) this.problems.push(`${plainWords(name)} has no size`);
    const built = copied
      ? this.pointer(object, value?.kind === "object" ? value : NULL, name)
      : this.inRegisters(first, count, size, name);
    const text = this.valueType(type);
    this.statements.push(`  ${text} value_${n};`, `  memcpy(&value_${n}, ${built}, sizeof value_${n});`);
    return { text: `value_${n}`, type: text };
  }

  private inRegisters(first: number, count: number, size: number, words: string): string {
    const bytes = new Uint8Array(Math.max(size, 8 * count));
    const pointers: { offset: number; text: string }[] = [];
    for (let k = 0; k < count; k++) {
      const value = this.unit.description.parameters[first + k];
      const own = this.content.get(`param:${first + k}`);
      if (value?.kind === "symbolic") bytes.set(own?.subarray(0, bytes.length - 8 * k) ?? [], 8 * k);
      const pointer = pointerIn(value);
      if (pointer !== null) {
        pointers.push({ offset: 8 * k, text: this.pointer(`param:${first + k}`, pointer, words) });
      }
    }
    const object = this.made(bytes, words);
    for (const { offset, text } of pointers) this.statements.push(`  tangent_set(${object} + ${offset}, ${text});`);
    return object;
  }

  /** The C expression of a pointer, whose objects are made by then. */
  private pointer(name: string, pointer: UnitPointer, words: string): string {
    switch (pointer.kind) {
      case "null":
        return "0";
      case "inside": {
        const base = this.objects.get(pointer.object);
        return base === undefined ? "0" : `(${base} + ${pointer.offset})`;
      }
      case "function":
        return this.functionPointer(pointer.function);
      case "object": {
        if (pointer.orNull === true && (this.content.get(`null:${name}`)?.[0] ?? 0) !== 0) return "0";
        const object = `*${name}`;
        const bytes = new Uint8Array(pointer.size);
        bytes.set((this.content.get(object) ?? Uint8Array.from(pointer.bytes ?? [])).subarray(0, pointer.size));
        const made = this.made(clear(bytes, pointer.fields ?? []), words);
        this.objects.set(object, made);
        for (const { offset, value } of pointer.fields ?? []) {
          if (value.kind === "initial" || value.kind === "bytes" || value.kind === "null") continue;
          const target = this.pointer(`(${object}+${offset})`, value, `${words} + ${offset}`);
          if (target !== "0") this.statements.push(`  tangent_set(${made} + ${offset}, ${target});`);
        }
        return made;
      }
    }
  }

  private functionPointer(wanted: UnitName): string {
    const name = plainName(wanted);
    if (!IDENTIFIER.test(name)) {
      this.problems.push("a function that it points to has no plain name");
      return "0";
    }
    const file = typeof wanted === "string" ? null : wanted.file;
    if (this.isIncluded && file !== null && file === this.unit.file) return `(void *)${name}`;
    if (file !== null && this.unit.hiddenFunctions?.some((one) => one.name === name && one.file === file) === true) {
      this.problems.push(`${name}, which a pointer leads to, is static in another file`);
    }
    return `(void *)${this.otherFunction(name)}`;
  }

  /** Under a name of its own: what is included may declare it already, with a type that is not known here. */
  private otherFunction(name: string): string {
    const known = this.otherFunctions.get(name);
    if (known !== undefined) return known;
    const own = `tangent_function_${this.otherFunctions.size}`;
    this.otherFunctions.set(name, own);
    this.declarations.push(`extern void ${own}(void) __asm__("${name}"); /* only its address is used */`);
    return own;
  }

  private made(bytes: Uint8Array, words: string): string {
    const n = this.objectCount++;
    const array = this.bytes(bytes);
    this.statements.push(
      `  unsigned char *object_${n} = tangent_made(${array}, sizeof ${array}); /* ${commented(words)} */`,
    );
    return `object_${n}`;
  }

  private arrayCount = 0;

  private bytes(bytes: Uint8Array): string {
    const name = `bytes_${this.arrayCount++}`;
    const rows: string[] = [];
    for (let at = 0; at < bytes.length; at += BYTES_A_LINE) {
      rows.push(`  ${Array.from(bytes.subarray(at, at + BYTES_A_LINE), (byte) => `${byte},`).join(" ")}`);
    }
    this.declarations.push(`static const unsigned char ${name}[] = {`, ...rows, "};");
    return name;
  }

  // ---- variables of the program

  private globals(): void {
    const { globals } = this.unit.description;
    if (!Array.isArray(globals)) return;
    for (const { variable, fields = [] } of globals as readonly {
      variable: UnitName;
      fields?: readonly UnitField[];
    }[]) {
      const name = plainName(variable);
      const bytes = this.content.get(`global:${name}`);
      if (bytes === undefined || !IDENTIFIER.test(name)) continue;
      const array = this.bytes(bytes);
      // Its pointers stay what they are.
      let from = 0;
      for (const offset of [...fields.map((field) => field.offset), bytes.length]) {
        if (offset > from) {
          const at = `(unsigned char *)&${name} + ${from}`;
          this.statements.push(`  memcpy(${at}, ${array} + ${from}, ${offset - from});`);
        }
        from = offset + 8;
      }
    }
  }

  // ---- types

  private prototype(parameters: readonly string[]): string {
    const { function: own } = this.unit;
    const result = resolvedType(this.types, own.result);
    // What is small enough for registers may be left there; what is larger goes where the caller says.
    const text =
      result.kind === "record" && sizeOfType(this.types, own.result) <= 16
        ? "void"
        : result.kind === "void"
          ? "void"
          : this.valueType(own.result);
    const list = [...parameters, ...(own.variadic && parameters.length > 0 ? ["..."] : [])];
    return `extern ${text} ${own.name}(${list.join(", ") || "void"});`;
  }

  private valueType(ref: TypeRef): string {
    const own = resolvedType(this.types, ref);
    if (own.kind !== "record") return this.base(own);
    if (this.isIncluded) {
      const text = typeText(this.types, ref);
      if (TYPE_NAME.test(text)) return text.replace(/\b(?:const|volatile) /g, "");
      this.problems.push("a structure that is passed by value has no name");
      return "int";
    }
    const name = `tangent_value_${this.structCount++}`;
    this.declarations.push(`struct ${name} ${this.body(own, 0)};`);
    return `struct ${name}`;
  }

  /** The members of a structure with types of the same size and class. */
  private body(type: Extract<CType, { kind: "record" }>, nesting: number): string {
    this.members += type.members.length;
    if (this.members > MOST_MEMBERS) {
      this.problems.push("a structure that is passed by value is too large");
      return "{ int m; }";
    }
    const members = type.members.map((member, n) => {
      const bits = member.bits === null ? "" : ` : ${member.bits.count}`;
      return `${this.member(member.type, `m${n}`, nesting + 1)}${bits};`;
    });
    return `{ ${members.join(" ")} }`;
  }

  private member(ref: TypeRef, name: string, nesting: number): string {
    const own = resolvedType(this.types, ref);
    if (own.kind === "array" && nesting < MOST_NESTING)
      return this.member(own.of, `${name}[${own.count}]`, nesting + 1);
    if (own.kind === "record" && nesting < MOST_NESTING) return `${own.tag} ${this.body(own, nesting + 1)} ${name}`;
    return `${this.base(own)} ${name}`;
  }

  private base(type: CType): string {
    switch (type.kind) {
      case "pointer":
        return "void *";
      case "bool":
        return "_Bool";
      case "enum":
        return type.bytes === 8 ? "long" : type.bytes === 4 ? "int" : type.bytes === 2 ? "short" : "char";
      case "integer":
      case "float":
        return BASE_NAME.test(type.name) ? type.name : type.bytes === 8 ? "long" : type.bytes === 4 ? "int" : "char";
      default:
        this.problems.push("a parameter has a type that is not known here");
        return "int";
    }
  }
}

const NULL: UnitPointer = { kind: "null" };

function plainName(name: UnitName): string {
  return typeof name === "string" ? name : name.name;
}

function plainWords(text: string): string {
  return text.replace(/[^\w .>[\]*+-]/g, "?");
}

function commented(text: string): string {
  return plainWords(text).replaceAll("*/", "* /");
}

/** Bytes that are no input are what the description says, pointers are set later. */
function clear(bytes: Uint8Array, fields: readonly UnitField[]): Uint8Array {
  for (const { offset, value } of fields) {
    if (value.kind === "bytes") bytes.set(value.bytes, offset);
    else bytes.fill(0, offset, offset + 8);
  }
  return bytes;
}

function literalOf(type: CType, bytes: Uint8Array): string | null {
  if (type.kind === "bool") return bytes.some((byte) => byte !== 0) ? "1" : "0";
  if ((type.kind !== "integer" && type.kind !== "enum") || bytes.length > 8) return null;
  const bits = 8 * bytes.length;
  const value = littleEndian(bytes);
  if (!type.signed) return bits === 64 ? `${value}ul` : `${value}u`;
  const signed = BigInt.asIntN(bits, value);
  // The smallest number is no literal of C.
  if (signed === -(1n << 63n)) return "(-9223372036854775807l - 1)";
  return bits === 64 ? `${signed}l` : signed === -(1n << 31n) ? "(-2147483647 - 1)" : `${signed}`;
}
