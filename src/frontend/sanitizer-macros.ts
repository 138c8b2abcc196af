// Code that reads whole words beyond the end of its data, deliberately, is usually switched off where a sanitizer would complain:
// `#ifdef __SANITIZE_ADDRESS__` or `#if __has_feature(address_sanitizer)`. With `sanitizer-macros = true` in tangent.toml, which sets
// TANGENT_SANITIZER_MACROS=1 for the build, the IR is compiled as if for such a build; the native code is not. Off by default,
// since that is code which nobody ships.

/** The environment of a build, as tangent.toml wants it. */
export function withSanitizerMacros(env: NodeJS.ProcessEnv, isWanted: boolean): NodeJS.ProcessEnv {
  return isWanted ? { ...env, TANGENT_SANITIZER_MACROS: "1" } : env;
}

/** Options for the compile that makes IR. It must run no pass: then the second option makes the macro and attributes, no checks. */
export function sanitizerMacros(env: NodeJS.ProcessEnv): readonly string[] {
  if (env.TANGENT_SANITIZER_MACROS !== "1") return [];
  return ["-D__SANITIZE_ADDRESS__=1", "-Xclang", "-fsanitize=address"];
}
