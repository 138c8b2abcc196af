// What classification needs to know of the heap. An interface, so that tests can give it a heap of their own.

export interface HeapBlock {
  /** The program's own bytes: [start, start + size). */
  readonly start: number;
  readonly size: number;
  readonly live: boolean;
  readonly allocationSerial: number;
  readonly freeSerial: number;
}

export interface HeapReader {
  /** The block whose bytes or redzones hold the address, live or freed; null if no block is near. */
  findBlock(address: number): HeapBlock | null;
  liveBlocks(): readonly HeapBlock[];
  /** Memory handed out that is not the allocator's: mappings, which may hold pointers to blocks. */
  otherRanges(): readonly { readonly address: number; readonly size: number }[];
}
