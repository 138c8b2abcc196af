// Which source files came with a compiler or a C library: inline functions of their headers have lines in every program, and nobody
// wants to see how well those are covered.

const TOOLCHAIN = [
  // The system's, and what compilers and libraries put beside it.
  /^\/usr\/(local\/)?(include|lib(32|64)?)\//,
  /^\/opt\/[^/]*(gcc|clang|llvm)[^/]*\//,
  // Clang's and gcc's own headers, wherever they are installed.
  /\/lib\/clang\/[^/]+\/include\//,
  /\/lib\/gcc\/[^/]+\/[^/]+\/include(-fixed)?\//,
  // Zig's library, which has the embedded C library's headers; and our own folder for the compiler.
  /\/@zigc\/[^/]+\//,
  /\/lib\/libc\/include\/(any|generic|x86)[^/]*\//,
  /\/cc-\d+\/[^/]+\/(resource|usr)\//,
];

export function isToolchainFile(path: string): boolean {
  return TOOLCHAIN.some((pattern) => pattern.test(path));
}
