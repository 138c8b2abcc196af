// The target of a module of bitcode. clang, printing a module, puts its own target in the place of the module's, and by the target a
// program made with glibc's headers is known; so it is read here, and clang is told. The record stands early in the module, in LLVM's
// plainest form; of all else only the lengths are read.
// Invariant: a module that is not understood has no known target; nothing throws, nothing is read beyond the end.

const MAGIC_BITS = 32;
const MODULE_BLOCK = 8;
const TRIPLE_RECORD = 2;
const END_BLOCK = 0;
const ENTER_SUBBLOCK = 1;
const DEFINE_ABBREVIATION = 2;
const UNABBREVIATED = 3;
/** Records before the one that is looked for are few. */
const MOST_STEPS = 100_000;

/** Null: it says none, or is not understood. */
export function targetOf(module: Buffer): string | null {
  const reader = new BitReader(module, MAGIC_BITS);
  for (let steps = 0; steps < MOST_STEPS && !reader.atEnd(); steps++) {
    if (reader.fixed(2) !== ENTER_SUBBLOCK) return null;
    const block = reader.block();
    if (block.id === MODULE_BLOCK) return tripleIn(reader, block.width);
    reader.at = block.end;
  }
  return null;
}

function tripleIn(reader: BitReader, width: number): string | null {
  for (let steps = 0; steps < MOST_STEPS && !reader.atEnd(); steps++) {
    const kind = reader.fixed(width);
    if (kind === ENTER_SUBBLOCK) reader.at = reader.block().end;
    else if (kind === DEFINE_ABBREVIATION) reader.skipAbbreviation();
    else if (kind === UNABBREVIATED) {
      const { code, operands } = reader.record();
      if (code === TRIPLE_RECORD) return String.fromCharCode(...operands);
    } else if (kind === END_BLOCK || kind > UNABBREVIATED) return null;
  }
  return null;
}

/** Of what a target may be called, and far from what a record may hold. */
const MOST_OPERANDS = 0x400;

class BitReader {
  constructor(
    private readonly bytes: Buffer,
    /** In bits. */
    public at: number,
  ) {}

  atEnd(): boolean {
    return this.at + 32 > this.bytes.length * 8;
  }

  fixed(width: number): number {
    let value = 0;
    for (let bit = 0; bit < width; bit++, this.at++) {
      // Beyond the end there are zeros.
      const byte = this.bytes[this.at >> 3] ?? 0;
      value += ((byte >> (this.at & 7)) & 1) * 2 ** bit;
    }
    return value;
  }

  /** A number in chunks; the highest bit of each says whether another follows. */
  variable(width: number): number {
    const top = 2 ** (width - 1);
    let value = 0;
    for (let scale = 1; !this.atEnd(); scale *= top) {
      const chunk = this.fixed(width);
      value += (chunk % top) * scale;
      if (chunk < top) break;
    }
    return value;
  }

  block(): { readonly id: number; readonly width: number; readonly end: number } {
    const id = this.variable(8);
    const width = this.variable(4);
    this.at = Math.ceil(this.at / 32) * 32;
    const words = this.fixed(32);
    return { id, width, end: this.at + words * 32 };
  }

  record(): { readonly code: number; readonly operands: readonly number[] } {
    const code = this.variable(6);
    const count = this.variable(6);
    const operands: number[] = [];
    for (let index = 0; index < count && !this.atEnd(); index++) {
      const operand = this.variable(6);
      if (index < MOST_OPERANDS) operands.push(operand);
    }
    return { code, operands };
  }

  skipAbbreviation(): void {
    const count = this.variable(5);
    for (let index = 0; index < count && !this.atEnd(); index++) {
      const isLiteral = this.fixed(1) === 1;
      if (isLiteral) this.variable(8);
      else if (this.fixed(3) <= 2) this.variable(5);
    }
  }
}
