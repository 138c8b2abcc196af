// A path as reports show it.

/** A source by the name it has in the project, also where the build could not be told to call it so. */
export function sourcePath(file: string, shown: (path: string) => string): string {
  return ownPath(shown(file));
}

/** The same place in the project itself, of one in a copy of ours; from the project's directory, both. */
export function ownPath(below: string): string {
  return below.replace(COPIES, "");
}

/** What is built for recording, and the versions of a patch. */
const COPIES = /^\.tangent\/(?:build|patch\/(?:new|old))\//;
