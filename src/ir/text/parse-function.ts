// Bodies of functions: blocks, instructions one after the other, and what hangs on them (debug locations, names of
// variables). Each family of instructions has its own file; this one finds where an instruction begins, whose name its
// result has, and where to go on after one that has no meaning for us: at the next line that can begin an instruction.
// Invariant: every block of a returned body ends with its only terminator, and its phis come first.

import type { DebugLoc } from "../debug-info.js";
import { LocalVariable } from "../debug-info.js";
import { type FunctionType, PTR, VOID } from "../types.js";
import { Argument, type Block, type Body, type Instruction, instruction, isTerminator } from "../values.js";
import { FunctionScope, type InstructionParser } from "./function-scope.js";
import {
  BANG,
  CLOSE_BRACE,
  COMMA,
  END,
  EQUALS,
  HASH,
  LABEL,
  Lexer,
  LOCAL,
  METADATA_ID,
  OPEN_BRACE,
  OPEN_PAREN,
  STRING,
  Unsupported,
  WORD,
} from "./lexer.js";
import type { ModuleScope } from "./module-scope.js";
import { AGGREGATES } from "./parse-aggregate.js";
import { ARITHMETIC } from "./parse-arithmetic.js";
import { CALLS } from "./parse-call.js";
import { CONTROL } from "./parse-control.js";
import { checkJoins } from "./parse-joins.js";
import { MEMORY } from "./parse-memory.js";
import { OWN } from "./parse-own.js";

const PARSERS: ReadonlyMap<string, InstructionParser> = new Map([
  ...ARITHMETIC,
  ...MEMORY,
  ...AGGREGATES,
  ...CALLS,
  ...CONTROL,
  ...OWN,
]);
/** Opcodes without meaning here: whether they end a block. */
const FOREIGN: ReadonlyMap<string, boolean> = new Map([
  ["invoke", true],
  ["callbr", true],
  ["resume", true],
  ["catchswitch", true],
  ["catchret", true],
  ["cleanupret", true],
  ["landingpad", false],
  ["catchpad", false],
  ["cleanuppad", false],
]);
const TERMINATOR_WORDS: ReadonlySet<string> = new Set(["ret", "br", "switch", "indirectbr", "unreachable"]);

/** What the header of a definition says. */
export interface FunctionHeader {
  readonly type: FunctionType;
  /** Names or numbers; null for parameters that take the next number. */
  readonly paramNames: readonly (string | number | null)[];
}

/** Parses the text between a definition's braces. */
export function parseBody(scope: ModuleScope, header: FunctionHeader, start: number, end: number): Body {
  const lexer = new Lexer(scope.text, start, end, scope.module.name);
  const names = new FunctionScope(lexer, scope, header.type.result);
  const args = header.type.params.map((type, index) => {
    const name = header.paramNames[index];
    const argument = new Argument(type, index, String(name ?? index));
    names.defineArgument(argument, name);
    return argument;
  });
  lexer.next();
  new BodyParser(lexer, names, scope).run();
  names.finish();
  checkJoins(lexer, names.blocks, start);
  return { args, blocks: names.blocks };
}

class BodyParser {
  private block: Block | null = null;
  private lastLoc: DebugLoc | null = null;
  private lastLocId = -1;

  constructor(
    private readonly lexer: Lexer,
    private readonly names: FunctionScope,
    private readonly scope: ModuleScope,
  ) {}

  run(): void {
    const { lexer } = this;
    while (lexer.token !== END) {
      switch (lexer.token) {
        case LABEL:
          if (this.block !== null) lexer.fail(`block ${this.block.name} does not end with a terminator`);
          this.block = this.names.startBlock();
          break;
        case HASH:
          this.debugRecord();
          break;
        case LOCAL:
        case WORD:
          this.statement();
          break;
        default:
          lexer.unexpected("an instruction");
      }
    }
    if (this.block !== null) lexer.fail(`block ${this.block.name} does not end with a terminator`);
    if (this.names.blocks.length === 0) lexer.fail("the function has no blocks");
  }

  /** `[%name =] opcode ... [, !dbg !N]`. */
  private statement(): void {
    const { lexer, names } = this;
    const { start } = lexer;
    let number = -1;
    let name: string | null = null;
    if (lexer.token === LOCAL) {
      number = lexer.number;
      if (number < 0) name = lexer.decodedName();
      lexer.next();
      lexer.expect(EQUALS);
      if (lexer.token !== WORD) lexer.unexpected("an opcode");
    }
    const opcode = lexer.raw();
    if (name === null && number < 0) {
      if (opcode === "uselistorder") {
        lexer.skipLine();
        return;
      }
      if ((opcode === "call" || opcode === "tail") && this.oldDebugRecord()) return;
    }
    if (this.block === null) this.block = names.startBlock();
    const { block } = this;
    lexer.unsupported = null;
    const made = this.instruction(opcode, start, number >= 0 || name !== null);
    made.loc = this.attachments();
    names.note(made);
    if (name !== null || number >= 0) {
      if (made.type === VOID && made.op !== "unsupported") lexer.failAt(start, `'${opcode}' has no result to name`);
      if (name !== null) names.defineName(name, made, start);
      else names.defineNumber(number, made, start);
    } else if (made.type !== VOID) names.defineUnnamed(made, start);
    if (made.op === "phi" && block.instructions.length > 0 && block.terminator.op !== "phi") {
      lexer.failAt(start, "a 'phi' must come before the other instructions of its block");
    }
    block.instructions.push(made);
    if (isTerminator(made)) this.block = null;
  }

  private instruction(opcode: string, start: number, named: boolean): Instruction {
    const { lexer } = this;
    const parser = PARSERS.get(opcode);
    let what: string;
    if (parser === undefined) {
      if (!FOREIGN.has(opcode) && !named && !this.looksLikeInstruction()) lexer.unexpected("an instruction");
      what = opcode;
    } else {
      try {
        lexer.next();
        const made = parser(this.names, opcode);
        if (lexer.unsupported === null) return made;
        what = `${opcode} with ${lexer.unsupported}`;
      } catch (thrown) {
        if (!(thrown instanceof Unsupported)) throw thrown;
        what = thrown.what;
      }
    }
    return this.unsupported(opcode, what, start);
  }

  /** An unknown opcode is one only if something follows it on its line. */
  private looksLikeInstruction(): boolean {
    const c = this.lexer.peek();
    return c !== EQUALS && c !== 0;
  }

  /** Skips an instruction without meaning. Its labels become its successors, so that the graph of blocks stays whole. */
  private unsupported(opcode: string, what: string, start: number): Instruction {
    const { lexer, names } = this;
    const terminator = FOREIGN.get(opcode) ?? TERMINATOR_WORDS.has(opcode);
    const blocks: Block[] = [];
    lexer.seek(start);
    do {
      if (terminator && lexer.is("label") && lexer.peek() === 0x25) {
        lexer.next();
        blocks.push(names.block());
      } else lexer.next();
      // Debug locations are read as for any instruction.
      if (lexer.token === COMMA && lexer.peek() === BANG) break;
    } while (lexer.token !== END && !(lexer.firstOnLine && this.beginsStatement()));
    return instruction("unsupported", VOID, [], { what, terminator }, blocks);
  }

  /** Can the current token, the first of its line, begin an instruction? Continued lines begin otherwise. */
  private beginsStatement(): boolean {
    const { lexer } = this;
    switch (lexer.token) {
      case LABEL:
      case HASH:
      case CLOSE_BRACE:
        return true;
      case LOCAL:
        return lexer.peek() === EQUALS;
      case WORD: {
        const word = lexer.raw();
        return PARSERS.has(word) || FOREIGN.has(word) || word === "uselistorder";
      }
      default:
        return false;
    }
  }

  // -------------------------------------------------------------- metadata

  /** `, !kind !N` to the end of the line; only `!dbg` is of interest. */
  private attachments(): DebugLoc | null {
    const { lexer } = this;
    if (lexer.token !== COMMA) return null;
    const { text } = lexer;
    let id = -1;
    // LLVM writes the location first, and nothing after it matters.
    if (text.startsWith(" !dbg !", lexer.position)) {
      lexer.position += 7;
      id = this.digits();
      lexer.seek(lexer.endOfLine(lexer.position));
    }
    while (lexer.token === COMMA) {
      lexer.next();
      if (lexer.token !== METADATA_ID) lexer.unexpected("metadata");
      const isLocation = lexer.decodedName() === "dbg";
      lexer.next();
      if (isLocation && lexer.token === METADATA_ID) id = lexer.number;
      this.skipMetadata();
    }
    if (id < 0) return null;
    if (id === this.lastLocId && this.lastLoc !== null) return this.lastLoc;
    this.lastLocId = id;
    this.lastLoc = this.scope.debug.location(id);
    return this.lastLoc;
  }

  private digits(): number {
    const { lexer } = this;
    const { text } = lexer;
    let value = 0;
    let at = lexer.position;
    for (let c = text.charCodeAt(at); c >= 0x30 && c <= 0x39; c = text.charCodeAt(++at)) value = value * 10 + c - 0x30;
    const found = at > lexer.position && value < 2 ** 31;
    lexer.position = at;
    return found ? value : -1;
  }

  /** `!5`, `!{...}`, `!DIExpression(...)`, `!"text"`. */
  private skipMetadata(): void {
    const { lexer } = this;
    while (lexer.token === BANG) lexer.next();
    if (lexer.token === METADATA_ID) {
      lexer.next();
      if (lexer.token === OPEN_PAREN) lexer.skipBrackets();
    } else if (lexer.token === STRING) lexer.next();
    else if (lexer.token === OPEN_BRACE) lexer.skipBrackets();
    else lexer.unexpected("metadata");
  }

  /** `#dbg_declare(ptr %x, !20, ...)`: the name of a variable on the stack; other records are skipped. */
  private debugRecord(): void {
    const { lexer } = this;
    if (lexer.number < 0 && lexer.text.startsWith("#dbg_declare(", lexer.start)) {
      this.nameVariable(lexer.position + 1);
    }
    lexer.skipLine();
  }

  /** The same as calls of intrinsics, which LLVM wrote until version 18. True if the current token began one. */
  private oldDebugRecord(): boolean {
    const { lexer } = this;
    const { text } = lexer;
    let at = lexer.position + 1;
    if (lexer.is("tail")) {
      if (!text.startsWith("call ", at)) return false;
      at += 5;
    }
    if (!text.startsWith("void @llvm.dbg.", at)) return false;
    const declare = "void @llvm.dbg.declare(metadata ";
    if (text.startsWith(declare, at)) this.nameVariable(at + declare.length);
    lexer.skipLine();
    return true;
  }

  /** Looks for `ptr %x, !20` or `ptr %x, metadata !20` at an offset. Anything else names nothing. */
  private nameVariable(offset: number): void {
    const { lexer, names } = this;
    const pattern = /ptr (%[^\s,]+), (?:metadata )?!([0-9]{1,9}),/y;
    pattern.lastIndex = offset;
    const match = pattern.exec(lexer.text);
    if (match === null) return;
    const value = names.lookup(match[1]);
    if (value?.kind === "instruction" && value.op === "alloca" && value.type === PTR) {
      value.extra.variable ??= new LocalVariable(this.scope.debug, Number(match[2]));
    }
  }
}
