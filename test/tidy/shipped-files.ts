// What the repository may hold. Tools leave files behind where they run (a generator of C programs once left its
// `platform.info` here), and whatever is committed once is shipped for ever. So every file has to be of a kind that belongs in its
// folder; a file of a new kind is added to this list by the one who needs it.

const BELONGS: readonly RegExp[] = [
  /^(LICENSE|README\.md|CHANGELOG\.md|CONTRIBUTING\.md|action\.yml|\.gitignore|\.npmrc)$/,
  /^(biome|package|package-lock|tsconfig)\.json$/,
  /^(\.ci\/run|bin\/(tangent(-cc|-c\+\+)?|start\.cjs))$/,
  /^\.github\/workflows\/[\w-]+\.yml$/,
  /^src\/.+\.ts$/,
  /^(bench|scripts)\/.+\.(ts|c)$/,
  /^bench\/simulation\/[\w-]+\.json$/,
  /^test\/.+\.(ts|c|h)$/,
  /^docs\/([\w/-]+\.md|plots\/[\w-]+\.svg|tangent\.schema\.json)$/,
  /^runtime\/(.+\.(c|h|zig)|libc-index\.json|glibc\/symbols\.txt)$/,
  /^examples\/[\w-]+\.c$/,
  /^demo\/(bugs\.json|average\.diff|larder\/(Makefile|tangent\.toml|[\w-]+\.[ch]|tests\/run\.sh))$/,
];

/** Files that belong nowhere. */
export function strayFiles(tracked: readonly string[]): string[] {
  return tracked.filter((name) => !BELONGS.some((pattern) => pattern.test(name)));
}
