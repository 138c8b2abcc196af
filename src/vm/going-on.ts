// Going on behind a read that is not allowed, as -fsanitize-recover does: a small over-read on a test's own path would
// otherwise hide everything that comes after it. It happens in the slow path that ends the run else, so ordinary accesses
// pay nothing. Only places that somebody has named are passed, or, while it learns, all; and only reads of memory that is
// really there. What is read is what lies there.
//
// A place is a stack (place-key.ts), and stacks are slow to make. The innermost frames as V8 writes them stand for it once
// it is known.
// Invariant: what is passed depends on the run alone, so a run with the same places does the same.

import type { ProgramImage } from "../jit/image.js";
import { ARGUMENTS_BASE, ARGUMENTS_LIMIT, GLOBALS_BASE, STACK_LIMIT, STACK_TOP } from "../jit/memory-layout.js";
import type { GuestMemory } from "./guest-memory.js";
import { placeKeyOf } from "./place-key.js";
import type { Fault } from "./run-end.js";
import { captureFrames, sourceFrames } from "./stack-trace.js";

/** A read that the run went on behind; the first at its place. */
export interface PassedRead {
  readonly place: string;
  readonly fault: Fault;
}

/** In the list of places: all of them. */
export const ANYWHERE: readonly string[] = ["*"];

/** Frames that tell one place from another, those of the host included. */
const QUICK_FRAMES = 12;
/** A run that comes by more often is not asked where: there it goes on without looking. */
const MOST_LOOKS = 20_000;
/** Longer reads are not small mistakes. */
const MOST_BYTES = 0x10_0000;

export class GoingOn {
  /** Places that are met for the first time are passed too, and kept. */
  learns = false;
  private readonly known: Set<string>;
  private readonly quick = new Map<string, boolean>();
  private readonly seen = new Map<string, PassedRead>();
  private looks = 0;

  constructor(
    private readonly image: ProgramImage,
    places: readonly string[],
  ) {
    this.known = new Set(places);
    this.learns = this.known.has(ANYWHERE[0]);
  }

  get places(): readonly string[] {
    return [...this.known];
  }

  /** What this run has passed, in order, each place once. */
  get passed(): readonly PassedRead[] {
    return this.seen.size === 0 ? NOTHING_PASSED : [...this.seen.values()];
  }

  /** Before each run. */
  begin(): void {
    this.looks = 0;
    if (this.seen.size > 0) this.seen.clear();
    if (this.quick.size > 0) this.quick.clear();
  }

  /** Whether the read is carried out. */
  passes(memory: GuestMemory, fault: Fault): boolean {
    if (!this.learns && this.known.size === 0) return false;
    if (!this.isThere(memory, fault)) return false;
    if (++this.looks > MOST_LOOKS) return this.seen.size > 0;
    const where = innermostFrames();
    const before = this.quick.get(where);
    if (before !== undefined) return before;
    const place = placeKeyOf(sourceFrames(this.image, captureFrames()));
    if (this.learns && place !== "") this.known.add(place);
    const passes = this.known.has(place);
    this.quick.set(where, passes);
    if (passes && !this.seen.has(place)) this.seen.set(place, { place, fault });
    return passes;
  }

  /** Memory that the program has, or the gaps between its objects: natively, too, something lies there. */
  private isThere({ heapStart, heapBytes }: GuestMemory, { address, size }: Fault): boolean {
    if (size > MOST_BYTES) return false;
    const isIn = (from: number, to: number): boolean => address >= from && address + size <= to;
    return (
      isIn(heapStart, heapStart + heapBytes) ||
      isIn(GLOBALS_BASE, this.image.globalsEnd) ||
      isIn(STACK_LIMIT, STACK_TOP) ||
      isIn(ARGUMENTS_BASE, ARGUMENTS_LIMIT)
    );
  }
}

const NOTHING_PASSED: readonly PassedRead[] = [];

function innermostFrames(): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = QUICK_FRAMES;
  const { stack } = new Error("where");
  Error.stackTraceLimit = before;
  return stack ?? "";
}
