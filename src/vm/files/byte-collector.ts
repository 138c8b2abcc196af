// Bytes that come in pieces of any size and are wanted as one in the end. Small pieces are put together at once: a program
// that writes byte by byte would otherwise cost a hundred bytes of ours for each of its own.

const FIRST_CHUNK = 0x400;
const LARGEST_CHUNK = 0x1_0000;

export class ByteCollector {
  private readonly full: Uint8Array[] = [];
  private chunk = new Uint8Array(0);
  private used = 0;
  /** Of all that was added. */
  size = 0;

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (bytes.length > this.chunk.length - this.used) {
      if (this.used > 0) this.full.push(this.chunk.subarray(0, this.used));
      this.used = 0;
      const wanted = Math.min(LARGEST_CHUNK, Math.max(FIRST_CHUNK, 2 * this.chunk.length));
      if (bytes.length >= wanted) {
        this.chunk = new Uint8Array(0);
        this.full.push(bytes.slice());
        return;
      }
      this.chunk = new Uint8Array(wanted);
    }
    this.chunk.set(bytes, this.used);
    this.used += bytes.length;
  }

  get content(): Uint8Array {
    return Buffer.concat([...this.full, this.chunk.subarray(0, this.used)]);
  }
}
