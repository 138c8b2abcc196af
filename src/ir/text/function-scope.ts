// The names of a function while its body is read: values, blocks, and the places that mention a value before its
// definition. Such a place gets a stand-in, replaced when the body is complete; looking values up in a second pass
// would mean keeping every name until then.
// Invariant: after `finish` no stand-in is left in any instruction.

import { type Type, typeToString, VOID } from "../types.js";
import { Argument, Block, type Instruction, type Value } from "../values.js";
import { BANG, COMMA, LABEL, type Lexer, LOCAL, Unsupported, WORD } from "./lexer.js";
import type { ModuleScope } from "./module-scope.js";
import { parseConstant } from "./parse-constant.js";
import { parseValueType, sameTypeHere } from "./parse-type.js";

/** Reads an instruction whose opcode was just read. */
export type InstructionParser = (scope: FunctionScope, opcode: string) => Instruction;

/** Stands for a value that is defined further down. */
class ForwardReference extends Argument {
  definition: Value | null = null;
  constructor(
    type: Type,
    name: string,
    readonly offset: number,
  ) {
    super(type, -1, name);
  }
}

/** No function has more numbered values; more would only be a way to fill the memory. */
const MAX_NUMBER = 1 << 24;

export class FunctionScope {
  private readonly numbered: (Value | undefined)[] = [];
  private readonly named = new Map<string, Value>();
  private readonly numberedBlocks: (Block | undefined)[] = [];
  private readonly namedBlocks = new Map<string, Block>();
  private readonly mentionedAt = new Map<Block, number>();
  /** Instructions with operands to replace. */
  private readonly incomplete: Instruction[] = [];
  /** Stand-ins in the order of their first mention. */
  private readonly forward: ForwardReference[] = [];
  private sawForward = false;
  /** The number the next unnamed value or block gets. */
  private nextNumber = 0;
  readonly blocks: Block[] = [];

  constructor(
    readonly lexer: Lexer,
    readonly module: ModuleScope,
    readonly resultType: Type,
  ) {}

  // -------------------------------------------------------------- reading

  type(): Type {
    return parseValueType(this.lexer, this.module.types);
  }

  /** A value of the given type, at the current token. */
  value(type: Type): Value {
    const { lexer } = this;
    if (lexer.token !== LOCAL) return parseConstant(lexer, this.module, type);
    const { number } = lexer;
    let value = number >= 0 ? this.numbered[number] : this.named.get(lexer.decodedName());
    if (value === undefined) value = this.mention(type);
    else if (value instanceof ForwardReference) {
      this.sawForward = true;
      this.checkType(value, type);
    } else if (value.type !== type) this.checkType(value, type);
    lexer.next();
    return value;
  }

  /** A type and a value of it. */
  typedValue(): Value {
    return this.value(this.type());
  }

  private checkType(value: Value, type: Type): void {
    if (sameTypeHere(value.type, type)) return;
    const { lexer } = this;
    if (value.kind === "instruction" && value.op === "unsupported" && value.type === VOID) {
      // The first use tells what type the result of an instruction without meaning has.
      value.type = type;
      return;
    }
    lexer.fail(`${lexer.describe()} has type '${typeToString(value.type)}', not '${typeToString(type)}'`);
  }

  private mention(type: Type): ForwardReference {
    const { lexer } = this;
    const stand = new ForwardReference(type, lexer.raw(), lexer.start);
    if (lexer.number >= 0) this.numbered[this.checkedNumber(lexer.number)] = stand;
    else this.named.set(lexer.decodedName(), stand);
    this.forward.push(stand);
    this.sawForward = true;
    return stand;
  }

  private checkedNumber(number: number): number {
    return number < MAX_NUMBER ? number : this.lexer.fail(`a function has fewer than ${MAX_NUMBER} values`);
  }

  /** `label %x`. */
  labelOperand(): Block {
    this.lexer.expectWord("label");
    return this.block();
  }

  /** `%x` as a block, which may come later. */
  block(): Block {
    const { lexer } = this;
    if (lexer.token !== LOCAL) lexer.unexpected("a label");
    const { number } = lexer;
    const name = number >= 0 ? "" : lexer.decodedName();
    let block = number >= 0 ? this.numberedBlocks[number] : this.namedBlocks.get(name);
    if (block === undefined) {
      block = new Block(number >= 0 ? String(number) : name);
      if (number >= 0) this.numberedBlocks[this.checkedNumber(number)] = block;
      else this.namedBlocks.set(name, block);
      this.mentionedAt.set(block, lexer.start);
    }
    lexer.next();
    return block;
  }

  // -------------------------------------------------------------- defining

  /** A value named or numbered by the function's header; null: it takes the next number. */
  defineArgument(argument: Argument, name: string | number | null): void {
    if (typeof name !== "string") this.defineNumber(name ?? this.nextNumber, argument, this.lexer.start);
    else this.defineName(name, argument, this.lexer.start);
  }

  defineNumber(number: number, value: Value, offset: number): void {
    // Later versions of LLVM leave gaps; none goes back.
    if (number < this.nextNumber) this.lexer.failAt(offset, `number ${number} is already taken`);
    const before = this.numbered[this.checkedNumber(number)];
    this.numbered[number] = value;
    this.nextNumber = number + 1;
    if (before instanceof ForwardReference) this.complete(before, value, offset);
  }

  defineName(name: string, value: Value, offset: number): void {
    const before = this.named.get(name);
    if (before !== undefined && !(before instanceof ForwardReference)) {
      this.lexer.failAt(offset, `%${name} is defined twice`);
    }
    this.named.set(name, value);
    if (before !== undefined) this.complete(before, value, offset);
  }

  /** A result that was not given a name. */
  defineUnnamed(value: Value, offset: number): void {
    this.defineNumber(this.nextNumber, value, offset);
  }

  private complete(stand: ForwardReference, value: Value, offset: number): void {
    stand.definition = value;
    if (sameTypeHere(stand.type, value.type)) return;
    if (value.kind === "instruction" && value.op === "unsupported" && value.type === VOID) {
      value.type = stand.type;
      return;
    }
    const types = `'${typeToString(value.type)}', but is used as '${typeToString(stand.type)}'`;
    this.lexer.failAt(offset, `${stand.name} has type ${types}`);
  }

  /** Starts the block that the current LABEL names, or, at any other token, the next unnamed one. */
  startBlock(): Block {
    const { lexer } = this;
    const offset = lexer.start;
    let block: Block | undefined;
    if (lexer.token === LABEL && lexer.number < 0) {
      const name = lexer.decodedName();
      block = this.namedBlocks.get(name);
      if (block === undefined) {
        block = new Block(name);
        this.namedBlocks.set(name, block);
      }
    } else {
      const number = this.checkedNumber(lexer.token === LABEL ? lexer.number : this.nextNumber);
      if (number < this.nextNumber) lexer.fail(`number ${number} is already taken`);
      this.nextNumber = number + 1;
      block = this.numberedBlocks[number];
      if (block === undefined) this.numberedBlocks[number] = block = new Block(String(number));
    }
    if (block.index >= 0) lexer.failAt(offset, `label ${block.name} is defined twice`);
    block.index = this.blocks.length;
    this.blocks.push(block);
    if (lexer.token === LABEL) lexer.next();
    return block;
  }

  /** Called with each finished instruction: remembers those that mention a value defined later. */
  note(instruction: Instruction): void {
    if (!this.sawForward) return;
    this.sawForward = false;
    this.incomplete.push(instruction);
  }

  /** The value of a name as written, `%x` or `%7`, if it is known already. */
  lookup(written: string): Value | undefined {
    const name = written.slice(1);
    return /^[0-9]+$/.test(name) ? this.numbered[Number(name)] : this.named.get(name);
  }

  // -------------------------------------------------------------- the end

  finish(): void {
    for (const stand of this.forward) {
      if (stand.definition === null) this.lexer.failAt(stand.offset, `${stand.name} is never defined`);
    }
    for (const [block, offset] of this.mentionedAt) {
      if (block.index < 0) this.lexer.failAt(offset, `there is no block %${block.name}`);
    }
    for (const { operands } of this.incomplete) {
      for (let i = 0; i < operands.length; i++) {
        const operand = operands[i];
        if (operand instanceof ForwardReference) operands[i] = operand.definition ?? operand;
      }
    }
  }

  // -------------------------------------------------------------- small rules shared by the families of instructions

  unsupported(what: string): never {
    throw new Unsupported(what);
  }

  /** Words of a set, in any order; they are skipped. */
  skipWords(words: ReadonlySet<string>): void {
    const { lexer } = this;
    while (lexer.token === WORD && words.has(lexer.raw())) lexer.next();
  }

  /** Is there a `,` with something other than metadata after it? If so, goes to that. */
  acceptListComma(): boolean {
    const { lexer } = this;
    if (lexer.token !== COMMA || lexer.peek() === BANG) return false;
    lexer.next();
    return true;
  }
}
