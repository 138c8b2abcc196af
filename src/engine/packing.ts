// Bytes for files: variable-length numbers, byte strings, a checksum. Reading checks every length, because a file may be cut
// or damaged anywhere; it throws DamagedFile, which the one who opened the file turns into a message.

export class DamagedFile extends Error {}

/** Not cryptographic: it tells a torn write from a whole one. */
export function checksum(bytes: Uint8Array): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x0100_0193);
  return hash >>> 0;
}

export class Packer {
  private buffer = new Uint8Array(1024);
  private length = 0;

  number(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.buffer[this.length++] = rest;
  }

  bytes(value: Uint8Array): void {
    this.number(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.length);
    this.length += value.length;
  }

  json(value: unknown): void {
    this.bytes(new TextEncoder().encode(JSON.stringify(value)));
  }

  finish(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private reserve(size: number): void {
    if (this.length + size <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + size));
    grown.set(this.buffer);
    this.buffer = grown;
  }
}

export class Unpacker {
  private at = 0;

  constructor(private readonly buffer: Uint8Array) {}

  number(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 49; scale *= 0x80) {
      if (this.at >= this.buffer.length) break;
      const byte = this.buffer[this.at++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new DamagedFile("a number is cut off or too long");
  }

  bytes(): Uint8Array {
    const size = this.number();
    if (size > this.buffer.length - this.at) throw new DamagedFile("a byte string is cut off");
    const value = this.buffer.slice(this.at, this.at + size);
    this.at += size;
    return value;
  }

  json(): unknown {
    try {
      return JSON.parse(new TextDecoder().decode(this.bytes()));
    } catch (error) {
      throw error instanceof SyntaxError ? new DamagedFile("a part that should be JSON is not") : error;
    }
  }
}
