// Environment variables that decide what is executed, or how a shell, a loader or tangent itself works: nothing that an input says may set
// them when something is started natively.

const POWERFUL =
  /^(PATH|IFS|ENV|BASH_.*|SHELLOPTS|BASHOPTS|PS4|CDPATH|LD_.*|GCONV_PATH|NLSPATH|LOCPATH|MALLOC_.*|GLIBC_.*|NODE_.*|TANGENT.*|XDG_.*)$/;

export function isPowerfulVariable(name: string): boolean {
  return POWERFUL.test(name) || !/^[A-Za-z_]\w*$/.test(name);
}
