// A source's path as reports show it.

/** A source by the name it has in the project, also where the build could not be told to call it so. */
export function sourcePath(file: string, shown: (path: string) => string): string {
  const below = shown(file);
  return below.startsWith(BUILD_COPY) ? below.slice(BUILD_COPY.length) : below;
}
const BUILD_COPY = ".tangent/build/";
