// What is known of the truth of conditions on one input byte: for each of the byte's 256 values whether the truth is known,
// and what it is. Filled as values turn up, so that it costs nothing but the memory (72 bytes a condition); conditions get
// it when they are asked for the second time. Programs that read text ask little else.

import type { ExprArena } from "./arena.js";
import type { ExprRef } from "./ops.js";

/** Words a condition: the byte's index, eight words "known", eight words "true", and one to round up. */
const STRIDE = 18;
/** Words of all conditions together: beyond it they are forgotten. 16 MiB, some two hundred thousand conditions. */
const MAX_WORDS = 1 << 22;
/** In place of a place: asked for once. */
const ONCE = -1;
/** In place of a place: the condition depends on more than one byte. */
const NEVER = -2;

export class ByteTruths {
  words = new Int32Array(STRIDE * 64);
  private end = STRIDE;
  private places = new Int32Array(0);

  reset(): void {
    this.places.fill(0);
    this.end = STRIDE;
  }

  reserve(nodes: number): void {
    const places = new Int32Array(nodes);
    places.set(this.places);
    this.places = places;
  }

  /** Where in `words` the condition's knowledge starts; 0 if it has none. */
  place(e: ExprRef, arena: ExprArena): number {
    const place = this.places[e];
    if (place > 0) return place;
    return place === NEVER ? 0 : this.make(e, place, arena);
  }

  private make(e: ExprRef, place: number, arena: ExprArena): number {
    if (place !== ONCE) {
      this.places[e] = arena.supportSize(e) === 1 ? ONCE : NEVER;
      return 0;
    }
    if (this.end + STRIDE > MAX_WORDS) this.reset();
    if (this.end + STRIDE > this.words.length) {
      const words = new Int32Array(Math.min(this.words.length * 2, MAX_WORDS));
      words.set(this.words);
      this.words = words;
    }
    const start = this.end;
    this.end += STRIDE;
    this.words.fill(0, start, start + STRIDE);
    this.words[start] = arena.support(e)[0];
    this.places[e] = start;
    return start;
  }
}
