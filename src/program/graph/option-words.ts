// Options as a program tells them to getopt, getopt_long or argp: their names, whether they take an argument, and the case that
// handles each. Functions are known by name, gnulib's replacements (rpl_getopt_long) and what wrappers call included, because their
// arguments stand in the same places everywhere.

import type { GlobalVariable, IrFunction } from "../../ir/module.js";
import type { Type } from "../../ir/types.js";
import { calledName } from "../../support/library-names.js";
import type { CountedBody } from "../counted-bodies.js";
import type { ConstantAddress, ConstantData } from "./constant-data.js";
import type { BlockNumber, ProgramWord } from "./program-graph.js";
import { type CallSite, calleeOf, callsOf, type ValueFlow } from "./value-flow.js";

const GETOPT = /^_*(rpl_)?_*(posix_)?getopt(_|$)/;
const ARGP_PARSE = /^_*(rpl_)?_*argp_parse$/;

/** Offsets in `struct option` and its size, where pointers have 8 bytes. */
const OPTION = { name: 0, argument: 8, flag: 16, value: 24, size: 32 };
/** `struct argp_option`, `struct argp` and `struct argp_child`. */
const ARGP_OPTION = { name: 0, key: 8, argument: 16, flags: 24, doc: 32, group: 40, size: 48 };
const ARGP = { options: 0, parser: 8, children: 32 };
const ARGP_CHILD = { argp: 0, size: 32 };
const ARGUMENT_OPTIONAL = 1n;
const IS_ALIAS = 4n;
const IS_DOCUMENTATION = 8n;

/** Rows of one table. */
const MOST_ROWS = 2048;
/** -1 of an int, as its switch has it. */
const END_OF_OPTIONS = 0xffff_ffffn;

export class OptionWords {
  readonly words: ProgramWord[] = [];
  /** Variables that were understood as tables of options: their words are not looked for again. */
  readonly tables = new Set<GlobalVariable>();

  constructor(
    private readonly bodies: readonly CountedBody[],
    private readonly data: ConstantData,
    private readonly flow: ValueFlow,
  ) {}

  find(variables: readonly GlobalVariable[]): void {
    const getopts: CallSite[] = [];
    const unread: CallSite[] = [];
    for (const at of this.bodies) {
      for (const call of callsOf(at)) {
        const name = calledName(calleeOf(call)?.name ?? "");
        if (GETOPT.test(name) && call.operands.length > 3 && call.type.kind === "int") {
          getopts.push({ at, call });
          if (!this.getopt({ at, call })) unread.push({ at, call });
        } else if (ARGP_PARSE.test(name) && call.operands.length > 1) {
          for (const argp of this.data.addressesOf(call.operands[1])) this.argp(argp);
        }
      }
    }
    // Tables that reach the call by a way we do not follow: a copy on the stack, a variable.
    for (const variable of variables) {
      if (this.tables.has(variable)) continue;
      const whole = { variable, offset: 0 };
      if (isTableOf(variable.valueType, "option")) this.longOptions(whole, getopts);
      else if (getopts.length > 0 && this.looksLikeOptions(variable)) this.longOptions(whole, getopts);
      else if (isNamed(variable.valueType, "argp")) this.argp(whole);
      else if (isTableOf(variable.valueType, "argp_option")) this.argpOptions(whole, null);
    }
    for (const site of unread) this.shortFromCases(site);
  }

  private add(kind: ProgramWord["kind"], text: string, argument: ProgramWord["argument"], to: readonly number[]): void {
    this.words.push({ kind, text, argument, leadsTo: to });
  }

  private sides(sites: readonly CallSite[], value: bigint): BlockNumber[] {
    return sites.flatMap(({ at, call }) => this.flow.sidesWhere(at, call, value));
  }

  // ------------------------------------------------------------ getopt

  /** Was the text of short options there to be read? */
  private getopt(site: CallSite): boolean {
    const [, , , short, long] = site.call.operands;
    const texts = this.data.textsOf(short);
    for (const text of texts) this.shortOptions(text, site);
    if (long !== undefined) for (const table of this.data.addressesOf(long)) this.longOptions(table, [site]);
    return texts.length > 0;
  }

  private shortOptions(text: string, site: CallSite): void {
    for (const [, letter, colons] of text.replace(/^[-+:]*/, "").matchAll(/([^:;])(:{0,2});?/g)) {
      const argument = colons === "" ? "none" : colons === ":" ? "required" : "optional";
      this.add("short-option", letter, argument, this.sides([site], BigInt(letter.charCodeAt(0))));
    }
  }

  /** The text is made while the program runs: what its answers are compared with are options too. */
  private shortFromCases(site: CallSite): void {
    for (const value of this.flow.casesOf(site.at, site.call)) {
      if (value <= 0x20n || value >= 0x7fn || value === 0x3fn || value === END_OF_OPTIONS) continue;
      this.add("short-option", String.fromCharCode(Number(value)), "unknown", this.sides([site], value));
    }
  }

  private longOptions({ variable, offset }: ConstantAddress, sites: readonly CallSite[]): void {
    this.tables.add(variable);
    for (let row = 0; row < MOST_ROWS; row++) {
      const at = (field: number): ConstantAddress => ({ variable, offset: offset + row * OPTION.size + field });
      const name = this.textAt(at(OPTION.name));
      if (name === null) return;
      const has = this.data.numberAt(at(OPTION.argument));
      const argument = has === 0n ? "none" : has === 1n ? "required" : has === 2n ? "optional" : "unknown";
      const value = this.data.isZeroAt(at(OPTION.flag)) ? this.data.numberAt(at(OPTION.value)) : null;
      this.add("long-option", name, argument, value === null ? [] : this.sides(sites, value));
    }
  }

  /** What a local table is copied from has no name of a type: known by its form, and by the zeros at its end. */
  private looksLikeOptions(variable: GlobalVariable): boolean {
    const type = variable.valueType;
    if (type.kind !== "array" || type.element.kind !== "struct" || type.count < 2) return false;
    const { layout } = this.data;
    const { offsets } = layout.structLayout(type.element);
    const fields = type.element.fields.flatMap((field, n) =>
      field.kind === "array" ? [] : [[field.kind, offsets[n]]],
    );
    if (fields.join() !== "ptr,0,int,8,ptr,16,int,24" || layout.sizeOf(type.element) !== OPTION.size) return false;
    const cells = this.data.cellsOf(variable);
    const last = (type.count - 1) * OPTION.size;
    for (let at = 0; at < last; at += OPTION.size) {
      const has = this.data.numberAt({ variable, offset: at + OPTION.argument });
      if (this.textAt({ variable, offset: at }) === null || has === null || has > 2n) return false;
    }
    return [OPTION.name, OPTION.argument, OPTION.flag, OPTION.value].every((field) => !cells.has(last + field));
  }

  private textAt(address: ConstantAddress): string | null {
    const to = this.data.pointerAt(address);
    return to === null ? null : this.data.textAt(to);
  }

  // ------------------------------------------------------------ argp

  private argp({ variable, offset }: ConstantAddress): void {
    if (this.tables.has(variable)) return;
    this.tables.add(variable);
    const at = (field: number): ConstantAddress => ({ variable, offset: offset + field });
    const options = this.data.pointerAt(at(ARGP.options));
    if (options !== null) this.argpOptions(options, this.data.functionAt(at(ARGP.parser)));
    const children = this.data.pointerAt(at(ARGP.children));
    if (children === null) return;
    for (let row = 0; row < MOST_ROWS; row++) {
      const place = children.offset + row * ARGP_CHILD.size + ARGP_CHILD.argp;
      const child = this.data.pointerAt({ variable: children.variable, offset: place });
      if (child === null) return;
      this.argp(child);
    }
  }

  private argpOptions({ variable, offset }: ConstantAddress, parser: IrFunction | null): void {
    if (this.tables.has(variable)) return;
    this.tables.add(variable);
    let key = 0n;
    let argument: ProgramWord["argument"] = "none";
    for (let row = 0; row < MOST_ROWS; row++) {
      const at = (field: number): ConstantAddress => ({ variable, offset: offset + row * ARGP_OPTION.size + field });
      const name = this.textAt(at(ARGP_OPTION.name));
      const own = this.data.numberAt(at(ARGP_OPTION.key)) ?? 0n;
      const isEnd = [ARGP_OPTION.doc, ARGP_OPTION.group].every((field) => this.data.isZeroAt(at(field)));
      if (name === null && own === 0n && isEnd) return;
      const flags = this.data.numberAt(at(ARGP_OPTION.flags)) ?? 0n;
      if ((flags & IS_DOCUMENTATION) !== 0n) continue;
      if ((flags & IS_ALIAS) === 0n) {
        const takesNone = this.data.isZeroAt(at(ARGP_OPTION.argument));
        argument = takesNone ? "none" : (flags & ARGUMENT_OPTIONAL) !== 0n ? "optional" : "required";
        key = own;
      }
      const leadsTo = this.parserSides(parser, key);
      if (name !== null) this.add("long-option", name, argument, leadsTo);
      if (own > 0x20n && own < 0x7fn) {
        this.add("short-option", String.fromCharCode(Number(own)), argument, leadsTo);
      }
    }
  }

  /** argp calls the parser with the option's key as its first argument. */
  private parserSides(parser: IrFunction | null, key: bigint): readonly BlockNumber[] {
    const at = this.bodies.find(({ fn }) => fn === parser);
    const parameter = at?.body.args[0];
    return at === undefined || parameter === undefined ? [] : this.flow.sidesWhere(at, parameter, key);
  }
}

function isNamed(type: Type, name: string): boolean {
  return type.kind === "struct" && new RegExp(`^struct\\.${name}(\\.\\d+)?$`).test(type.name ?? "");
}

function isTableOf(type: Type, name: string): boolean {
  return type.kind === "array" && isNamed(type.element, name);
}
