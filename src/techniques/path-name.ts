// A name for a path: its decisions in their order, in 128 bits. Tests whose paths have one name are taken for the same and
// only one of them is looked at further, so two names must not meet by chance: with 32 bits, of 10,000 tests one was dropped in
// every hundredth campaign; with 128 none ever is. Keeping the decisions to compare them would cost what the path has.
// Invariant: the same decisions have the same name, in every thread and on every machine.

/** Odd, and unlike each other. */
const FACTORS = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f] as const;

export class PathName {
  private a = 1;
  private b = 2;
  private c = 3;
  private d = 4;
  private length = 0;

  /** A decision, as a number of 32 bits. Each word takes in the one beside it, so that they do not repeat each other. */
  add(decision: number): void {
    this.a = mixed(this.a ^ decision, FACTORS[0], 13);
    this.b = mixed(this.b + decision + this.a, FACTORS[1], 15);
    this.c = mixed(this.c ^ Math.imul(decision, FACTORS[3]) ^ this.b, FACTORS[2], 16);
    this.d = mixed(this.d + this.c + (decision ^ this.length), FACTORS[3], 17);
    this.length++;
  }

  get text(): string {
    const words = [this.a, this.b, this.c, this.d].map((word) => (word >>> 0).toString(16).padStart(8, "0"));
    return `${words.join("")}-${this.length}`;
  }
}

function mixed(word: number, factor: number, shift: number): number {
  const product = Math.imul(word, factor);
  return product ^ (product >>> shift);
}
