// A small seeded generator (splitmix32-like mixing of a counter): repeatable runs need repeatable randomness, and
// Math.random cannot be seeded. Not for secrets.

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** The next 32 bits. */
  next(): number {
    this.state = (this.state + 0x9e37_79b9) >>> 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0_aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a_2d97);
    return (x ^ (x >>> 15)) >>> 0;
  }

  fill(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.next() >>> 24;
  }
}
