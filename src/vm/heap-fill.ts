// glibc's malloc fills new memory if the variable MALLOC_PERTURB_ says so, and so does ours: what a program reads and has never set is then
// neither zero nor what happened to be there. Test suites set it (coreutils'), and it shows errors natively as it does here.

/** Beside the byte, so that to fill with zeros is not to do nothing. */
const FILLS = 0x100;

/** For CONTROL.heapFill: 0 if memory is left as it is. Numbers are as C writes them; the byte is the complement of the lowest one. */
export function heapFillOf(environment: readonly (string | Uint8Array)[]): number {
  const text = variableOf(environment, "MALLOC_PERTURB_");
  if (text === null) return 0;
  const number = Number.parseInt(decimal(text.trim()), 10);
  return number > 0 ? FILLS | (~number & 0xff) : 0;
}

/** The first of a name, which is what getenv gives. */
export function variableOf(environment: readonly (string | Uint8Array)[], name: string): string | null {
  for (const variable of environment) {
    const text = typeof variable === "string" ? variable : Buffer.from(variable).toString("latin1");
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return null;
}

function decimal(number: string): string {
  const hexadecimal = /^0x([0-9a-f]+)/i.exec(number);
  if (hexadecimal !== null) return `${Number.parseInt(hexadecimal[1], 16)}`;
  const octal = /^0([0-7]+)/.exec(number);
  return octal === null ? number : `${Number.parseInt(octal[1], 8)}`;
}
