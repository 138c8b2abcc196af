// Functions of libc are known to analyses and to people by their names. Those that programs made with glibc's headers get
// (runtime/glibc) carry a prefix, which must not stand in the way.

export const GLIBC_PREFIX = "glibc_";

/** The name that a program calls a function by. */
export function calledName(name: string): string {
  return name.startsWith(GLIBC_PREFIX) ? name.slice(GLIBC_PREFIX.length) : name;
}
