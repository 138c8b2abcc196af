// Messages on a stream of bytes: each with its length before it. Both sides of a confined process read them here.

const LENGTH_BYTES = 4;

export function frame(bytes: Uint8Array): Uint8Array {
  const whole = Buffer.alloc(LENGTH_BYTES + bytes.length);
  whole.writeUInt32LE(bytes.length);
  whole.set(bytes, LENGTH_BYTES);
  return whole;
}

export class FrameReader {
  private pieces: Uint8Array[] = [];
  private there = 0;
  private wanted = LENGTH_BYTES;

  constructor(private readonly mostBytes: number) {}

  /** The frames that are whole now. Throws if one is longer than any may be; nothing is to be read any more then. */
  push(data: Uint8Array): readonly Buffer[] {
    const frames: Buffer[] = [];
    this.pieces.push(data);
    this.there += data.length;
    // Pieces are joined when enough is there, not each time.
    while (this.there >= this.wanted) {
      const all = Buffer.concat(this.pieces);
      const length = all.readUInt32LE(0);
      if (length > this.mostBytes)
        throw new Error(`a message of ${length} bytes, and at most ${this.mostBytes} are read`);
      this.wanted = LENGTH_BYTES + length;
      this.pieces = [all];
      if (all.length < this.wanted) break;
      frames.push(all.subarray(LENGTH_BYTES, this.wanted));
      this.pieces = [all.subarray(this.wanted)];
      this.there = all.length - this.wanted;
      this.wanted = LENGTH_BYTES;
    }
    return frames;
  }
}
