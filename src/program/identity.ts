// What names this build of Tangent in cache keys: an image made by another build must not be found again. In a working
// tree every rebuild and every edit of the runtime counts, by name, size and time. An installed package has no such
// times (npm gives all files the same), and two packages may have one version; so a package brings the hash of its own
// code in a file, which `npm pack` has written (scripts/package-identity.ts).

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Only a working tree has it: the compiler's own notes, written whenever something was compiled. */
const BUILD_NOTES = "dist/.tsbuildinfo";
/** Only a package has it. */
export const PACKAGE_IDENTITY = "dist/package-identity";

const RUNTIME = [
  ...["trusted", "libc", "glibc", "symbolic", "arch", "include/klee", "include/tangent", "zig"],
  "libc-index.json",
];

let own: string | null = null;

/** Ours is looked at once: it takes hundreds of looks at files, and the code of a process does not change while it runs. */
export function engineIdentity(root: string = ROOT): string {
  if (root !== ROOT) return identityOf(root);
  own ??= identityOf(root);
  return own;
}

function identityOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
  const notes = stamp(join(root, BUILD_NOTES));
  const packed = notes === ABSENT ? contentOf(join(root, PACKAGE_IDENTITY)) : null;
  if (packed !== null) return `${version} ${packed}`;
  return [version, notes, ...RUNTIME.map((name) => stamp(join(root, "runtime", name)))].join(" ");
}

const ABSENT = "-";

function stamp(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return ABSENT;
  if (!status.isDirectory()) return `${status.size}.${status.mtimeMs}`;
  return readdirSync(path)
    .map((name) => `${name}=${stamp(join(path, name))}`)
    .join(",");
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
