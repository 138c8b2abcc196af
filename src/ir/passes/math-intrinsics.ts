// Which llvm.* intrinsics are calls of libm in disguise. The linker asks so that the functions are reachable, lowering
// asks to call them. What WebAssembly computes itself (sqrt, floor, fabs, ...) stays an intrinsic for float and double,
// but not for x86_fp80.

/** Intrinsics that are libm calls at every width. */
const ALWAYS: ReadonlySet<string> = new Set([
  "exp", "exp2", "exp10", "log", "log2", "log10", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
  "sinh", "cosh", "tanh", "fma", "ldexp", "round", "lround", "llround", "lrint", "llrint",
]); // biome-ignore format: a table

/** Intrinsics that only x86_fp80 needs a function for. */
const FLOAT80_ONLY: ReadonlyMap<string, string> = new Map([
  ["floor", "floor"],
  ["ceil", "ceil"],
  ["trunc", "trunc"],
  ["rint", "rint"],
  ["nearbyint", "nearbyint"],
  // No libm function rounds to even whatever the rounding mode; the mode is never changed here.
  ["roundeven", "rint"],
  ["minnum", "fmin"],
  ["maxnum", "fmax"],
]);

const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ["f32", "f"],
  ["f64", ""],
  ["f80", "l"],
]);

/** `llvm.pow.f80` -> `powl`; null if the intrinsic is none of libm's. */
export function libmFunction(intrinsic: string): string | null {
  const parts = intrinsic.split(".");
  if (parts[0] !== "llvm" || parts.length < 3) return null;
  const width = parts.find((part) => SUFFIXES.has(part));
  if (width === undefined) return null;
  const base = ALWAYS.has(parts[1]) ? parts[1] : width === "f80" ? FLOAT80_ONLY.get(parts[1]) : undefined;
  return base === undefined ? null : base + SUFFIXES.get(width);
}

/** What the linker must make reachable for an intrinsic. */
export function intrinsicNeeds(intrinsic: string): readonly string[] {
  if (intrinsic === "llvm.modf.f80") return ["truncl"];
  const libm = libmFunction(intrinsic);
  return libm === null ? [] : [libm];
}
