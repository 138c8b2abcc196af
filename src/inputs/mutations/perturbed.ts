// The same input where malloc fills new memory (MALLOC_PERTURB_ of glibc's, vm/heap-fill.ts): a program that reads what it has never set
// finds zeros in fresh memory, natively as in our machine, and its error does not show. The byte is the one that AddressSanitizer takes.

import type { Invocation } from "../invocation.js";

const NAME = "MALLOC_PERTURB_";
const FILL = 0xbe;
const OURS = `${NAME}=${~FILL & 0xff}`;

/** Null if the input says itself what malloc does, or if literals of a test are all of it that varies. */
export function perturbed(from: Invocation): Invocation | null {
  if (from.literals !== undefined) return null;
  if (from.environment.some((variable) => variable.startsWith(`${NAME}=`))) return null;
  // Input like others that were varied: whoever runs it natively, or writes it down, sets it too.
  return { ...from, environment: [...from.environment, OURS], varied: [...(from.varied ?? []), NAME] };
}

/** As it was before; null if it was not filled by us. */
export function unperturbed(made: Invocation): Invocation | null {
  if (!made.environment.includes(OURS)) return null;
  const { varied = [], ...rest } = made;
  const others = varied.filter((name) => name !== NAME);
  const environment = made.environment.filter((variable) => variable !== OURS);
  return { ...rest, environment, ...(others.length === 0 ? {} : { varied: others }) };
}
