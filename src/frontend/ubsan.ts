// UBSan's checks, and the options by which clang compiles them into traps: there is no runtime to call, and a trap is what the VM
// reports. Both `tangent cc` and `tangent run` on a source get them from here.
// Invariant: every trap keeps a line of its own.

/** The checks that work on C without a runtime. */
const UNDEFINED = new Set(
  (
    "undefined alignment array-bounds bool bounds builtin enum float-cast-overflow float-divide-by-zero " +
    "implicit-conversion implicit-integer-truncation implicit-integer-sign-change " +
    "implicit-signed-integer-truncation implicit-unsigned-integer-truncation implicit-bitfield-conversion " +
    "integer integer-divide-by-zero local-bounds nonnull-attribute null nullability nullability-arg nullability-assign " +
    "nullability-return object-size pointer-overflow return returns-nonnull-attribute shift shift-base " +
    "shift-exponent signed-integer-overflow unreachable unsigned-integer-overflow unsigned-shift-base vla-bound"
  ).split(" "),
);

export function isUndefinedCheck(name: string): boolean {
  return UNDEFINED.has(name);
}

/**
 * The options for a comma-separated list of checks; none of the names is looked at. Clang's `function`, a part of `undefined`,
 * reads a signature that lies in front of a function's machine code; functions of the VM are no memory, so it could only
 * be wrong.
 */
export function trapFlags(list: string): string[] {
  // Without the merge option clang joins all traps of a function, and with them their lines.
  return [`-fsanitize=${list}`, "-fno-sanitize=function", `-fsanitize-trap=${list}`, `-fno-sanitize-merge=${list}`];
}

/** The options for what `--ubsan` says. */
export function ubsanFlags(wish: string | undefined): string[] {
  if (wish === undefined) return [];
  return trapFlags(wish === "all" ? "undefined" : wish);
}

/** The options for those checks of a comma-separated list that can trap; what is asked for beyond them is left out. */
export function trappingSanitizers(list: string): string[] {
  const checks = list.split(",").filter(isUndefinedCheck);
  return checks.length === 0 ? [] : trapFlags(checks.join(","));
}

/** The first clang whose traps can be kept apart; earlier ones refuse the option, and their reports name the last of the joined lines. */
const CLANG_WITH_SEPARATE_TRAPS = 20;

export function flagsKnownTo(clangMajor: number, flags: readonly string[]): readonly string[] {
  if (clangMajor >= CLANG_WITH_SEPARATE_TRAPS) return flags;
  return flags.filter((flag) => !flag.startsWith("-fno-sanitize-merge="));
}
