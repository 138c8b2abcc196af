// The top level of a module: one scan that reads the headers of global values and runs over everything else. Bodies are
// skipped by searching for the line that closes them, metadata line by line, initialisers bracket by bracket. Parsing
// the whole text at once was the alternative; a program links hundreds of functions it never calls.
// Invariant: malformed text makes an IrError and nothing else, and each step of the scan advances.

import { createHash } from "node:crypto";
import { functionAttributes, parseAttributeGroup } from "../analysis/function-attributes.js";
import { DataLayout } from "../data-layout.js";
import type { GlobalValue, Module, Origin, SharedLibrary } from "../module.js";
import { type FunctionType, I8 } from "../types.js";
import { type GlobalRef, globalRef, NO_ATTRIBUTES } from "../values.js";
import { EQUALS, GLOBAL, HASH, Lexer, LOCAL, OPEN_BRACE, STRING, WORD } from "./lexer.js";
import { Metadata } from "./metadata.js";
import type { ModuleScope } from "./module-scope.js";
import { parseFunctionHeader, parseGlobalHeader } from "./parse-header.js";
import { NamedTypes } from "./parse-type.js";
import { TextFunction, TextVariable } from "./text-globals.js";

export interface ModuleOptions {
  readonly name: string;
  readonly origin: Origin;
  readonly library?: SharedLibrary | null;
}

export function parseModule(text: string, { name, origin, library = null }: ModuleOptions): Module {
  const module = new TextModule(text, name, origin, library);
  new ModuleScanner(module).run();
  return module;
}

class TextModule implements Module, ModuleScope {
  readonly globals = new Map<string, GlobalValue>();
  readonly moduleAsm: string[] = [];
  readonly types = new NamedTypes();
  readonly trusted: boolean;
  readonly groups = new Map<number, number>();
  private statedLayout: DataLayout | null = null;
  debug: Metadata;
  private hash: string | null = null;
  private readonly references = new Map<string, GlobalRef>();

  constructor(
    readonly text: string,
    readonly name: string,
    readonly origin: Origin,
    readonly library: SharedLibrary | null,
  ) {
    this.trusted = origin === "trusted";
    this.debug = new Metadata(text, text.length);
  }

  get layout(): DataLayout {
    this.statedLayout ??= new DataLayout();
    return this.statedLayout;
  }
  set layout(layout: DataLayout) {
    this.statedLayout = layout;
  }

  get module(): Module {
    return this;
  }

  get content(): string {
    if (this.hash === null) {
      const { name, origin, library, text } = this;
      const about = JSON.stringify([name, origin, library === null ? null : [library.name, ...library.exports]]);
      this.hash = createHash("sha256").update(`${about}\n`).update(text, "latin1").digest("base64");
    }
    return this.hash;
  }

  globalRef(name: string): GlobalRef {
    return this.references.get(name) ?? this.refer(name, null);
  }

  calleeRef(name: string, type: FunctionType): GlobalRef {
    return this.references.get(name) ?? this.refer(name, type);
  }

  private refer(name: string, calledAs: FunctionType | null): GlobalRef {
    let target = this.globals.get(name);
    if (target === undefined) {
      target = this.undeclared(name, calledAs);
      this.globals.set(name, target);
    }
    const reference = globalRef(target);
    this.references.set(name, reference);
    return reference;
  }

  /** LLVM wants every name declared; text made otherwise (reduced, written by hand) gets what it lacks. */
  private undeclared(name: string, calledAs: FunctionType | null): GlobalValue {
    const header = { name, linkage: "external", hidden: false } as const;
    if (calledAs === null) return new TextVariable(this, header, I8, false, false, 0, null, -1, null);
    const params = calledAs.params.map(() => NO_ATTRIBUTES);
    return new TextFunction(this, header, calledAs, params, functionAttributes(0), -1, [], null);
  }

  attributeGroup(id: number): number {
    return this.groups.get(id) ?? 0;
  }
}

class ModuleScanner {
  private readonly lexer: Lexer;
  private readonly text: string;
  private metadataStart = -1;
  /** Functions whose attributes are complete only when all groups are known. */
  private readonly pending: {
    readonly made: TextFunction;
    readonly bits: number;
    readonly groups: readonly number[];
  }[] = [];

  constructor(private readonly module: TextModule) {
    this.text = module.text;
    this.lexer = new Lexer(this.text, 0, this.text.length, module.name);
  }

  run(): void {
    const { text, lexer, module } = this;
    let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    while (at < text.length) {
      switch (text.charCodeAt(at)) {
        case 0x20:
        case 0x09:
        case 0x0d:
        case 0x0a:
          at++;
          break;
        case 0x21: // !
          if (this.metadataStart < 0 && isDigit(text.charCodeAt(at + 1))) this.metadataStart = at;
          at = lexer.endOfLine(at);
          break;
        case 0x3b: // ;
        case 0x5e: // ^: summaries
        case 0x24: // $: comdats
          at = lexer.endOfLine(at);
          break;
        default:
          lexer.seek(at);
          at = this.item();
      }
    }
    if (this.metadataStart >= 0) module.debug = new Metadata(text, this.metadataStart);
    for (const { made, bits, groups } of this.pending) {
      let all = bits;
      for (const group of groups) all |= module.attributeGroup(group);
      made.attributes = functionAttributes(all);
    }
    module.types.checkNesting(lexer);
  }

  /** Anything else that stands on its own; returns where it ends. */
  private item(): number {
    const { lexer, module } = this;
    switch (lexer.token) {
      case LOCAL:
        module.types.parseDefinition(lexer);
        return lexer.token === 0 ? this.text.length : lexer.start;
      case GLOBAL: {
        const { value, end } = parseGlobalHeader(lexer, module);
        this.define(value);
        return end;
      }
      case WORD:
        return this.wordItem(lexer.raw());
      default:
        return lexer.unexpected("a definition");
    }
  }

  private wordItem(word: string): number {
    const { lexer, module } = this;
    switch (word) {
      case "define":
      case "declare": {
        const { made, bits, groups, end } = parseFunctionHeader(lexer, module, word === "define");
        if (bits !== 0 || groups.length > 0) this.pending.push({ made, bits, groups });
        this.define(made);
        return end;
      }
      case "attributes": {
        lexer.next();
        if (lexer.token !== HASH) lexer.unexpected("a number of a group");
        const id = lexer.number;
        lexer.next();
        lexer.expect(EQUALS);
        if (lexer.token !== OPEN_BRACE) lexer.unexpected("'{'");
        const end = endOfGroup(lexer);
        module.groups.set(id, parseAttributeGroup(this.text.slice(lexer.end, end)));
        return end + 1;
      }
      case "target":
        lexer.next();
        if (lexer.acceptWord("datalayout")) {
          lexer.expect(EQUALS);
          if (lexer.token !== STRING) lexer.unexpected("a layout");
          module.layout = new DataLayout(lexer.decodedString());
        }
        return lexer.endOfLine(lexer.start);
      case "module":
        lexer.next();
        lexer.expectWord("asm");
        if (lexer.token !== STRING) lexer.unexpected("assembly");
        module.moduleAsm.push(lexer.decodedString());
        return lexer.end;
      case "source_filename":
      case "uselistorder":
      case "uselistorder_bb":
        return lexer.endOfLine(lexer.start);
      default:
        return lexer.unexpected("a definition");
    }
  }

  private define(value: GlobalValue): void {
    const { globals } = this.module;
    if (globals.has(value.name)) this.lexer.fail(`@${value.name} is defined twice`);
    globals.set(value.name, value);
  }
}

/** The offset of the brace that closes an attribute group; strings may contain braces. */
function endOfGroup(lexer: Lexer): number {
  const { text } = lexer;
  let from = lexer.end;
  let close = from;
  for (;;) {
    // Searched for again only when passed, or else many strings before a far brace would take quadratic time.
    if (close <= from) close = text.indexOf("}", from);
    if (close === -1) lexer.fail("the group of attributes is never closed");
    const quote = text.indexOf('"', from);
    if (quote === -1 || quote > close) return close;
    const unquote = text.indexOf('"', quote + 1);
    if (unquote === -1) lexer.fail("a quotation mark is never closed");
    from = unquote + 1;
  }
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}
