// Bytes made of pieces of others. Inputs may have a megabyte: they are copied piece by piece, never byte by byte.

export function joinedBytes(...pieces: readonly Uint8Array[]): Uint8Array {
  const made = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    made.set(piece, at);
    at += piece.length;
  }
  return made;
}
