// What a function is, apart from its neighbours: a digest that stays the same when other functions of its file change,
// come or go. The IR's own text does not: metadata, string literals and unnamed structures are numbered through a whole
// module. So a body is printed anew, structures by what they are made of, constants by their content, variables by
// their names and what they begin with; and lines are counted from the function's own, unless they are of another file
// (a macro's).

import { cacheKey } from "../frontend/cache.js";
import { referencesOfVariable } from "../ir/analysis/references.js";
import type { DebugLoc } from "../ir/debug-info.js";
import { type CType, DebugTypes, type TypeRef } from "../ir/debug-types.js";
import type { LinkedProgram } from "../ir/link.js";
import { type GlobalValue, type GlobalVariable, IrError, type IrFunction } from "../ir/module.js";
import { printFunction } from "../ir/text/print.js";
import { ValuePrinter } from "../ir/text/print-value.js";
import type { Type } from "../ir/types.js";
import type { Body, Constant } from "../ir/values.js";

export class FunctionContents {
  private readonly digests = new Map<IrFunction, string | null>();
  private readonly values: ContentPrinter;
  private readonly types: DebugTypes;

  constructor(private readonly program: LinkedProgram) {
    this.values = new ContentPrinter();
    this.types = new DebugTypes(program.modules);
  }

  /** Of its body, its types, and the variables it mentions; null if it cannot be read. */
  digestOf(fn: IrFunction): string | null {
    const known = this.digests.get(fn);
    if (known !== undefined) return known;
    let digest: string | null;
    try {
      digest = this.digestOfBody(fn);
    } catch (error) {
      if (!(error instanceof IrError)) throw error;
      digest = null;
    }
    this.digests.set(fn, digest);
    return digest;
  }

  /** The program's own functions that a run of this one may come to, itself first; not beyond `without`, which are never run. */
  reachableFrom(fn: IrFunction, without: ReadonlySet<IrFunction> = new Set()): readonly IrFunction[] {
    const found = new Set<IrFunction>();
    const seen = new Set<GlobalValue>();
    const work: GlobalValue[] = [fn];
    for (let value = work.pop(); value !== undefined; value = work.pop()) {
      const definition = value.resolved ?? value;
      if (seen.has(definition)) continue;
      seen.add(definition);
      if (definition.kind === "function") {
        if (definition.module.origin !== "program" || definition.isDeclaration || without.has(definition)) continue;
        found.add(definition);
        work.push(...(this.program.references.get(definition) ?? []));
      } else if (definition.kind === "variable") work.push(...referencesOfVariable(definition));
    }
    return [...found];
  }

  private digestOfBody(fn: IrFunction): string | null {
    const body = fn.parseBody();
    if (body === null) return null;
    const printed = printFunction(fn, body, this.values);
    const variables = this.variablesFrom(fn).map((variable) => this.values.content(variable));
    return cacheKey([printed, linesOf(fn, body), this.typesOf(fn), ...new Set(variables.sort())]);
  }

  /** Those that it mentions, and that these begin with pointers to. */
  private variablesFrom(fn: IrFunction): readonly GlobalVariable[] {
    const found = new Set<GlobalVariable>();
    const work = [...(this.program.references.get(fn) ?? [])];
    for (let value = work.pop(); value !== undefined; value = work.pop()) {
      const definition = value.resolved ?? value;
      if (definition.kind !== "variable" || found.has(definition)) continue;
      found.add(definition);
      work.push(...referencesOfVariable(definition));
    }
    return [...found];
  }

  /** Of its parameters and of the variables that it mentions, with all that these are made of. */
  private typesOf(fn: IrFunction): string {
    const { types } = this.types;
    const places = new Map<TypeRef, number>();
    const order: TypeRef[] = [];
    const placed = (ref: TypeRef): number => {
      const known = places.get(ref);
      if (known !== undefined) return known;
      places.set(ref, order.length);
      return order.push(ref) - 1;
    };
    const own = this.types.functionOf(fn);
    const lines: string[] = [];
    if (own !== null) {
      const parameters = own.parameters.map(({ name, type }) => `${name}:${placed(type)}`);
      lines.push(`${own.name}(${parameters.join(",")})${placed(own.result)}${own.variadic}`);
    }
    const variables = (this.program.references.get(fn) ?? []).flatMap((value): [string, TypeRef][] => {
      const definition = value.resolved ?? value;
      const ref = definition.kind === "variable" && !isNameless(definition) ? this.types.variableOf(definition) : null;
      return ref === null ? [] : [[value.name, ref]];
    });
    for (const [name, ref] of variables.sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0))) {
      lines.push(`${name}:${placed(ref)}`);
    }
    for (let n = 0; n < order.length; n++) lines.push(JSON.stringify(typeWith(types[order[n]], placed)));
    return lines.join("\n");
  }
}

/** With the places of other types translated. */
function typeWith(type: CType, placed: (ref: TypeRef) => number): CType {
  switch (type.kind) {
    case "pointer":
    case "alias":
    case "qualified":
      return { ...type, to: placed(type.to) };
    case "array":
      return { ...type, of: placed(type.of) };
    case "function":
      return { ...type, result: placed(type.result), parameters: type.parameters.map(placed) };
    case "record":
      return { ...type, members: type.members.map((member) => ({ ...member, type: placed(member.type) })) };
    default:
      return type;
  }
}

/**
 * Literals and the like: their names are numbers that the compiler gave, and say nothing that their content does not.
 */
function isNameless(variable: GlobalVariable): boolean {
  const { linkage, constant, isDeclaration } = variable;
  return linkage === "internal" && constant && !isDeclaration && referencesOfVariable(variable).length === 0;
}

class ContentPrinter extends ValuePrinter {
  private readonly contents = new Map<GlobalVariable, string>();
  private readonly names = new Map<GlobalValue, string>();

  /** By what it is made of: pointers point to nothing in particular, so nothing is circular. */
  override type(type: Type): string {
    return type.kind === "struct" ? this.structBody(type) : super.type(type);
  }

  override constant(constant: Constant): string {
    if (constant.kind === "global") return this.name(constant.target.resolved ?? constant.target);
    if (constant.kind === "blockaddress") return `blockaddress(${constant.label})`;
    return super.constant(constant);
  }

  /** What a variable is and begins with; others that it points to are only named. */
  content(variable: GlobalVariable): string {
    const known = this.contents.get(variable);
    if (known !== undefined) return known;
    const { constant, threadLocal, align } = variable;
    const initializer = variable.initializer();
    const content = cacheKey([
      isNameless(variable) ? "" : this.name(variable),
      `${constant} ${threadLocal} ${align}`,
      this.type(variable.valueType),
      initializer === null ? "" : this.constant(initializer),
    ]);
    this.contents.set(variable, content);
    return content;
  }

  private name(definition: GlobalValue): string {
    const known = this.names.get(definition);
    if (known !== undefined) return known;
    // Statics of several files may have one name.
    const file = definition.linkage === "internal" ? definition.module.name : "";
    const isContent = definition.kind === "variable" && isNameless(definition);
    const parts = isContent ? [this.content(definition)] : [definition.kind, definition.name, file];
    const name = `@${JSON.stringify(parts)}`;
    this.names.set(definition, name);
    return name;
  }
}

/** Where its instructions come from, by line from the function's own. */
function linesOf(fn: IrFunction, body: Body): string {
  const own = fn.module.debug.subprogram(fn.debugId);
  const texts = new Map<DebugLoc, string>();
  const textOf = (loc: DebugLoc): string => {
    const known = texts.get(loc);
    if (known !== undefined) return known;
    const frame = loc.debug.frame(loc.id);
    const isOwn = own !== null && frame?.file === own.file && frame.directory === own.directory;
    let text = "";
    if (frame !== null && own !== null && isOwn) text = `${frame.line - own.line}:${frame.column}`;
    else if (frame !== null) text = `${frame.directory} ${frame.file} ${frame.line}:${frame.column}`;
    texts.set(loc, text);
    return text;
  };
  const lines: string[] = [own === null ? "" : `${own.directory} ${own.file}`];
  for (const { instructions } of body.blocks) {
    for (const { loc } of instructions) lines.push(loc === null ? "" : textOf(loc));
  }
  return lines.join("\n");
}
