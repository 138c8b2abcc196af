// How work deep inside of a layer ends when the query's deadline is over: it throws this, and the layer that the query came in
// by answers "unknown". Whoever throws has nothing half done. Not an Error: nobody reads a stack.

export class OutOfTime {}

/** The answer in the place of what was thrown, if it was that. */
export function answerOutOfTime(thrown: unknown): { readonly kind: "unknown"; readonly reason: "time" } {
  if (!(thrown instanceof OutOfTime)) throw thrown;
  return { kind: "unknown", reason: "time" };
}
