// A literal that edits at random have changed, brought back towards its source as far as the failure allows: what was put in goes, and bytes
// become again what they were, first many at once, then fewer. Each try is a run of the test, so there are few.

/** True if the test still fails in the same way with these bytes. */
export type StillFails = (bytes: Uint8Array) => boolean;

/** `own`: as in the source; a shorter text has zeros at its end. `tries`: runs at most. */
export function shrunkLiteral(own: Uint8Array, changed: Uint8Array, stillFails: StillFails, tries: number): Uint8Array {
  let left = tries;
  const isBetter = (bytes: Uint8Array): boolean => left-- > 0 && stillFails(bytes);
  return restored(own, shortened(own.length, changed, isBetter), isBetter);
}

/** Pieces of what is longer than the source go. */
function shortened(least: number, changed: Uint8Array, isBetter: StillFails): Uint8Array {
  let best = changed;
  for (let piece = (best.length - least) >> 1 || 1; piece >= 1 && best.length > least; piece >>= 1) {
    for (let at = 0; at < best.length && best.length > least; ) {
      const count = Math.min(piece, best.length - at, best.length - least);
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + count)]);
      if (isBetter(shorter)) best = shorter;
      else at += piece;
    }
  }
  return best;
}

/** Bytes are what they were at the same place. */
function restored(own: Uint8Array, changed: Uint8Array, isBetter: StillFails): Uint8Array {
  let best = changed;
  for (let piece = own.length; piece >= 1; piece >>= 1) {
    for (let at = 0; at < own.length; at += piece) {
      const back = Uint8Array.from(best);
      back.set(own.subarray(at, at + piece), at);
      if (Buffer.compare(back, best) !== 0 && isBetter(back)) best = back;
    }
  }
  return best;
}
