// A growing array of bytes with the encodings WebAssembly uses. Function bodies are written straight into one of these,
// without an intermediate tree: the translator's speed is the time of a cold start.
// Invariant: bytes[0, length) are written; the buffer doubles, so that writing is amortised constant.

export class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  u8(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Unsigned LEB128 of a value below 2^32. */
  u32(value: number): void {
    this.reserve(5);
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** Signed LEB128 of a 32-bit value. */
  s32(value: number): void {
    this.reserve(5);
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
        this.bytes[this.length++] = low;
        return;
      }
      this.bytes[this.length++] = low | 0x80;
    }
  }

  /** Signed LEB128 of a 64-bit value given as a bigint (signed or unsigned reading). */
  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    if (rest >= -0x4000_0000n && rest < 0x4000_0000n) {
      this.s32(Number(rest));
      return;
    }
    this.reserve(10);
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) {
        this.bytes[this.length++] = low;
        return;
      }
      this.bytes[this.length++] = low | 0x80;
    }
  }

  /** Little-endian bytes of an unsigned bigint. */
  fixed(value: bigint, byteCount: number): void {
    this.reserve(byteCount);
    let rest = value;
    for (let i = 0; i < byteCount; i++) {
      this.bytes[this.length++] = Number(rest & 0xffn);
      rest >>= 8n;
    }
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** A name: its length and its UTF-8 bytes. */
  name(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.u32(bytes.length);
    this.append(bytes);
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}
