// The nodes of an arena and the hash table that finds them: a node is four int32 side by side (one cache line holds
// four nodes), found by open addressing with linear probing.
//   word 0: operation | width << 8     words 1 to 3: operands and payload, by operation (see arena.ts)
// The hash only picks where to start looking; nodes are compared word by word, because two different expressions taken
// for one would let the solver prove a false thing.
// Invariant: node 0 is never used (0 means "no expression"), no two nodes are equal, operands precede their users.

const FIRST_CAPACITY = 1 << 12;

export class NodeTable {
  /** Four words a node. Replaced when it grows: do not keep it. */
  words = new Int32Array(FIRST_CAPACITY * 4);
  /** Number of nodes, the unused node 0 included. */
  count = 1;
  private slots = new Int32Array(FIRST_CAPACITY * 2);
  private slotMask = FIRST_CAPACITY * 2 - 1;
  /** Where the last failed `find` ended: the free slot for that node. */
  private freeSlot = 0;

  /** The node with these words, or 0. */
  find(head: number, a: number, b: number, c: number): number {
    const { words, slots, slotMask } = this;
    let slot = hashNode(head, a, b, c) & slotMask;
    for (;;) {
      const node = slots[slot];
      if (node === 0) break;
      const at = node << 2;
      if (words[at] === head && words[at + 1] === a && words[at + 2] === b && words[at + 3] === c) return node;
      slot = (slot + 1) & slotMask;
    }
    this.freeSlot = slot;
    return 0;
  }

  /** Adds a node that the directly preceding `find` did not find. */
  append(head: number, a: number, b: number, c: number): number {
    const node = this.count++;
    this.slots[this.freeSlot] = node;
    if (node << 2 === this.words.length) this.growWords();
    const at = node << 2;
    const words = this.words;
    words[at] = head;
    words[at + 1] = a;
    words[at + 2] = b;
    words[at + 3] = c;
    if (this.count * 2 > this.slots.length) this.growSlots(this.slots.length * 2);
    return node;
  }

  get capacity(): number {
    return this.words.length >> 2;
  }

  get memory(): number {
    return this.words.byteLength + this.slots.byteLength;
  }

  /** Keeps the first `count` nodes, whose words the caller has rewritten, and finds its places anew. */
  rebuild(count: number): void {
    this.count = count;
    let capacity = FIRST_CAPACITY;
    while (capacity < count * 2) capacity *= 2;
    if (capacity < this.capacity) this.words = this.words.slice(0, capacity * 4);
    this.growSlots(this.capacity * 2);
  }

  private growWords(): void {
    const grown = new Int32Array(this.words.length * 2);
    grown.set(this.words);
    this.words = grown;
  }

  private growSlots(length: number): void {
    const isSame = length === this.slots.length;
    const slots = isSame ? this.slots.fill(0) : new Int32Array(length);
    const mask = length - 1;
    const words = this.words;
    for (let node = 1; node < this.count; node++) {
      const at = node << 2;
      let slot = hashNode(words[at], words[at + 1], words[at + 2], words[at + 3]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = node;
    }
    this.slots = slots;
    this.slotMask = mask;
  }
}

function hashNode(head: number, a: number, b: number, c: number): number {
  let hash = Math.imul(head, 0x9e37_79b1) ^ Math.imul(a, 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d) ^ Math.imul(b, 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x297a_2d39) ^ Math.imul(c, 0x27d4_eb2f);
  return hash ^ (hash >>> 16);
}
