// An input object with its bytes: plain data that crosses threads and files, the same for every process. What an object is
// to the variables of an exploration is concolic/input-space.ts's business.

/** `name` as in symbolic-inputs.ts (arg2, stdin, file:data.bin), or the one given to klee_make_symbolic. */
export interface InputValue {
  readonly name: string;
  /** 0 for the first of that name in a run. */
  readonly occurrence: number;
  readonly bytes: Uint8Array;
}

export function objectName(object: { readonly name: string; readonly occurrence: number }): string {
  return object.occurrence === 0 ? object.name : `${object.name}_${object.occurrence}`;
}

/** Whether all of it is as the test itself has it. */
export function isUnchanged(values: readonly InputValue[], own: readonly InputValue[]): boolean {
  return values.every(({ name, occurrence, bytes }) => {
    const before = own.find((value) => value.name === name && value.occurrence === occurrence);
    return before !== undefined && Buffer.compare(before.bytes, bytes) === 0;
  });
}
