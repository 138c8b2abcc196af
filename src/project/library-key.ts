// How `[libraries]` of tangent.toml calls a library: z for libz.so.1.

export function libraryKey(name: string): string {
  return /^lib(.+?)(-[\d.]+)?\.so/.exec(name)?.[1] ?? name;
}
