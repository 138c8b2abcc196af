// Random functions as IR text, as clang writes them without passes: every variable an alloca, structures with overlapping
// accesses and copies, conditions as truth values in bytes, loops that end. For comparing a program with itself after
// the passes.

/** A small generator of numbers, the same on every machine. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 12) % below;
  };
}

const BINARY = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"] as const;
const PREDICATES = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"] as const;
const WIDTHS = [8, 16, 32, 64] as const;

interface Variable {
  readonly name: string;
  readonly bits: number;
}

/** A module with @f(i32, i32) -> i32, which calls small functions @g0, @g1 ... */
export function randomModule(seed: number): string {
  const random = randomNumbers(seed);
  const helpers = random(3);
  let text = DECLARATIONS;
  for (let k = 0; k < helpers; k++) text += new Generator(random, k).function(`g${k}`, 2 + random(4));
  return text + new Generator(random, helpers).function("f", 8 + random(12));
}

const DECLARATIONS = `
%pair = type { i32, i32 }
%mixed = type { i64, i16, i8, i32 }
@shared = global [8 x i32] zeroinitializer
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @unknown()
define i32 @by_value(ptr byval(%mixed) align 8 %s, i32 %x) {
  %p = getelementptr %mixed, ptr %s, i32 0, i32 3
  %old = load i32, ptr %p
  store i32 %x, ptr %p
  %q = getelementptr %mixed, ptr %s, i32 0, i32 1
  %half = load i16, ptr %q
  %wide = sext i16 %half to i32
  %new = load i32, ptr %p
  %sum = add i32 %old, %wide
  %r = xor i32 %sum, %new
  ret i32 %r
}
define void @by_result(ptr sret(%pair) %out, i32 %x) {
  %c = icmp slt i32 %x, 9
  br i1 %c, label %less, label %done
less:
  store i32 %x, ptr %out
  br label %done
done:
  %p = getelementptr %pair, ptr %out, i32 0, i32 1
  store i32 7, ptr %p
  ret void
}
`;

class Generator {
  private text = "";
  private count = 0;
  private readonly variables: Variable[] = [];
  private readonly pairs: string[] = [];
  private readonly mixed: string[] = [];
  private pointer = "";

  constructor(
    readonly random: (below: number) => number,
    readonly helpers: number,
  ) {}

  function(name: string, statements: number): string {
    this.line(`define i32 @${name}(i32 %a, i32 %b) {`);
    this.line("entry:");
    for (let k = 0; k < 3 + this.random(3); k++) {
      const bits = WIDTHS[this.random(WIDTHS.length)];
      this.variables.push({ name: this.fresh(`alloca i${bits}`), bits });
    }
    for (let k = 0; k < 2; k++) this.pairs.push(this.fresh("alloca %pair"));
    for (let k = 0; k < 2; k++) this.mixed.push(this.fresh("alloca %mixed"));
    this.pointer = this.fresh("alloca ptr");
    this.line(`store ptr @shared, ptr ${this.pointer}`);
    for (const variable of this.variables) {
      const from = this.random(2) === 0 ? "%a" : "%b";
      this.line(`store i${variable.bits} ${this.resize(from, 32, variable.bits)}, ptr ${variable.name}`);
    }
    for (const pair of this.pairs) this.line(`call void @llvm.memset.p0.i64(ptr ${pair}, i8 0, i64 8, i1 false)`);
    for (const mixed of this.mixed)
      this.line(`call void @llvm.memset.p0.i64(ptr ${mixed}, i8 ${this.random(3)}, i64 16, i1 false)`);
    this.statements(statements, 2);
    let sum = "0";
    for (const variable of this.variables) {
      const value = this.resize(this.fresh(`load i${variable.bits}, ptr ${variable.name}`), variable.bits, 32);
      sum = this.fresh(`add i32 ${sum}, ${value}`);
    }
    for (const pair of this.pairs) {
      const value = this.resize(this.fresh(`load i64, ptr ${pair}`), 64, 32);
      sum = this.fresh(`xor i32 ${sum}, ${value}`);
    }
    this.line(`ret i32 ${sum}`);
    this.line("}");
    return this.text;
  }

  private line(line: string): void {
    this.text += `${line}\n`;
  }
  private fresh(instruction: string): string {
    const name = `%v${this.count++}`;
    this.line(`${name} = ${instruction}`);
    return name;
  }
  private resize(value: string, from: number, to: number): string {
    if (from === to) return value;
    if (from > to) return this.fresh(`trunc i${from} ${value} to i${to}`);
    return this.fresh(`${this.random(2) === 0 ? "zext" : "sext"} i${from} ${value} to i${to}`);
  }

  private expression(bits: number, depth: number): string {
    const choice = depth === 0 ? this.random(3) : this.random(7);
    if (choice === 0) return String(this.random(5) === 0 ? -1 : this.random(bits));
    if (choice <= 2) {
      const variable = this.variables[this.random(this.variables.length)];
      return this.resize(this.fresh(`load i${variable.bits}, ptr ${variable.name}`), variable.bits, bits);
    }
    if (choice === 3 && this.random(3) === 0) {
      return this.resize(this.fresh(`load i32, ptr ${this.opaque()}`), 32, bits);
    }
    if (choice === 3) {
      const [value, from] = this.field();
      return this.resize(value, from, bits);
    }
    if (choice === 4 && bits === 32 && this.random(2) === 0) {
      const mixed = this.mixed[this.random(2)];
      return this.fresh(`call i32 @by_value(ptr byval(%mixed) align 8 ${mixed}, i32 ${this.expression(32, 0)})`);
    }
    if (choice === 4) return this.fresh(`zext i1 ${this.condition(depth - 1)} to i${bits}`);
    if (choice === 5) {
      const condition = this.condition(depth - 1);
      const [a, b] = [this.expression(bits, depth - 1), this.expression(bits, depth - 1)];
      return this.fresh(`select i1 ${condition}, i${bits} ${a}, i${bits} ${b}`);
    }
    const op = BINARY[this.random(BINARY.length)];
    const a = this.expression(bits, depth - 1);
    let b = this.expression(bits, depth - 1);
    if (op === "shl" || op === "lshr" || op === "ashr") b = this.fresh(`and i${bits} ${b}, ${bits - 1}`);
    return this.fresh(`${op} i${bits} ${a}, ${b}`);
  }

  private condition(depth: number): string {
    const bits = WIDTHS[this.random(WIDTHS.length)];
    const a = this.expression(bits, Math.max(0, depth));
    const b = this.expression(bits, 0);
    const test = this.fresh(`icmp ${PREDICATES[this.random(PREDICATES.length)]} i${bits} ${a}, ${b}`);
    if (this.random(3) !== 0) return test;
    const wide = this.fresh(`zext i1 ${test} to i32`);
    return this.fresh(`icmp ${this.random(2) === 0 ? "ne" : "eq"} i32 ${wide}, 0`);
  }

  /** A pointer to an i32 that no pass can see through: loaded, or with an index that is not constant. */
  private opaque(): string {
    if (this.random(2) === 0) return this.fresh(`load ptr, ptr ${this.pointer}`);
    const index = this.fresh(`and i64 ${this.expression(64, 1)}, 7`);
    return this.fresh(`getelementptr [8 x i32], ptr @shared, i64 0, i64 ${index}`);
  }
  private aim(): void {
    const pair = this.fresh(`getelementptr inbounds %pair, ptr ${this.pairs[1]}, i32 0, i32 ${this.random(2)}`);
    const target = this.random(2) === 0 ? pair : this.opaque();
    this.line(`store ptr ${target}, ptr ${this.pointer}`);
  }

  /** A pointer into a structure and the width of the field there. Widths may lie across fields. */
  private place(): [string, number] {
    if (this.random(3) === 0) {
      const pair = this.pairs[this.random(2)];
      const field = this.random(3);
      return field === 2
        ? [pair, 64]
        : [this.fresh(`getelementptr inbounds %pair, ptr ${pair}, i32 0, i32 ${field}`), 32];
    }
    if (this.random(4) === 0)
      return [this.fresh(`getelementptr [8 x i32], ptr @shared, i64 0, i64 ${this.random(8)}`), 32];
    const mixed = this.mixed[this.random(2)];
    const field = this.random(4);
    return [this.fresh(`getelementptr inbounds %mixed, ptr ${mixed}, i32 0, i32 ${field}`), [64, 16, 8, 32][field]];
  }
  private field(): [string, number] {
    const [pointer, bits] = this.place();
    return [this.fresh(`load i${bits}, ptr ${pointer}`), bits];
  }

  private statements(count: number, depth: number): void {
    for (let k = 0; k < count; k++) this.statement(depth);
  }
  private statement(depth: number): void {
    switch (this.random(depth === 0 ? 5 : 8)) {
      case 0:
      case 1: {
        const variable = this.variables[this.random(this.variables.length)];
        this.line(`store i${variable.bits} ${this.expression(variable.bits, 3)}, ptr ${variable.name}`);
        return;
      }
      case 2: {
        if (this.random(6) === 0) return this.aim();
        if (this.random(6) === 0) return this.line("call void @unknown()");
        if (this.random(3) === 0) {
          const at = this.opaque();
          const old = this.fresh(`load i32, ptr ${at}`);
          this.line(`store i32 ${this.fresh(`add i32 ${old}, ${this.random(9)}`)}, ptr ${at}`);
          return;
        }
        const [pointer, bits] = this.place();
        this.line(`store i${bits} ${this.expression(bits, 2)}, ptr ${pointer}`);
        return;
      }
      case 3:
        return this.copy();
      case 4: {
        if (this.random(3) === 0) {
          const pair = this.pairs[this.random(2)];
          this.line(`call void @by_result(ptr sret(%pair) ${pair}, i32 ${this.expression(32, 1)})`);
          return;
        }
        if (this.helpers === 0) return;
        const args = `i32 ${this.expression(32, 1)}, i32 ${this.expression(32, 1)}`;
        const value = this.fresh(`call i32 @g${this.random(this.helpers)}(${args})`);
        const variable = this.variables[this.random(this.variables.length)];
        this.line(`store i${variable.bits} ${this.resize(value, 32, variable.bits)}, ptr ${variable.name}`);
        return;
      }
      case 5:
        return this.loop(depth);
      case 6:
        return this.switch(depth);
      default:
        return this.if(depth);
    }
  }

  private copy(): void {
    const [type, size, of] = this.random(2) === 0 ? ["%pair", 8, this.pairs] : ["%mixed", 16, this.mixed];
    const [to, from] = this.random(2) === 0 ? [of[0], of[1]] : [of[1], of[0]];
    if (this.random(3) === 0) this.line(`store ${type} ${this.fresh(`load ${type}, ptr ${from}`)}, ptr ${to}`);
    else {
      const source = this.random(5) === 0 ? "@shared" : from;
      this.line(`call void @llvm.memcpy.p0.p0.i64(ptr ${to}, ptr ${source}, i64 ${size}, i1 false)`);
    }
  }

  private if(depth: number): void {
    const id = this.count++;
    this.line(`br i1 %c${id}, label %then${id}, label %else${id}`.replace(`%c${id}`, this.condition(2)));
    this.line(`then${id}:`);
    this.statements(1 + this.random(3), depth - 1);
    this.line(`br label %end${id}`);
    this.line(`else${id}:`);
    this.statements(this.random(3), depth - 1);
    this.line(`br label %end${id}`);
    this.line(`end${id}:`);
  }
  private switch(depth: number): void {
    const id = this.count++;
    const value = this.expression(32, 1);
    this.line(
      `switch i32 ${value}, label %end${id} [ i32 0, label %zero${id} i32 1, label %one${id} i32 7, label %one${id} ]`,
    );
    this.line(`zero${id}:`);
    this.statements(1 + this.random(2), depth - 1);
    this.line(`br label %one${id}`);
    this.line(`one${id}:`);
    this.statements(1 + this.random(2), depth - 1);
    this.line(`br label %end${id}`);
    this.line(`end${id}:`);
  }
  /** A counter of its own, so that it ends. */
  private loop(depth: number): void {
    const id = this.count++;
    const scoped = this.random(2) === 0;
    const counter = `%n${id}`;
    // The alloca belongs into the entry block.
    this.text = this.text.replace(/entry:\n(?![\s\S]*entry:\n)/, `entry:\n${counter} = alloca i32\n`);
    if (scoped) this.line(`call void @llvm.lifetime.start.p0(i64 4, ptr ${counter})`);
    this.line(`store i32 0, ptr ${counter}`);
    this.line(`br label %head${id}`);
    this.line(`head${id}:`);
    const n = this.fresh(`load i32, ptr ${counter}`);
    this.line(`br i1 ${this.fresh(`icmp slt i32 ${n}, ${1 + this.random(4)}`)}, label %body${id}, label %done${id}`);
    this.line(`body${id}:`);
    this.statements(1 + this.random(3), depth - 1);
    const next = this.fresh(`add i32 ${this.fresh(`load i32, ptr ${counter}`)}, 1`);
    this.line(`store i32 ${next}, ptr ${counter}`);
    this.line(`br label %head${id}`);
    this.line(`done${id}:`);
    if (scoped) this.line(`call void @llvm.lifetime.end.p0(i64 4, ptr ${counter})`);
  }
}
