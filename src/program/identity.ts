// What names this build of Tangent in cache keys: an image made by another version must not be found again. A released
// package is named by its version; in a working tree every rebuild and every edit of the runtime counts.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../", import.meta.url);

const STAMPED = [
  "dist/.tsbuildinfo",
  ...["trusted", "libc", "symbolic", "arch", "include/klee", "include/tangent", "zig", "libc-index.json"].map(
    (name) => `runtime/${name}`,
  ),
];

export function engineIdentity(): string {
  const parts: string[] = [];
  const text = readFileSync(new URL("package.json", ROOT), "utf8");
  parts.push((JSON.parse(text) as { version: string }).version);
  for (const path of STAMPED) {
    parts.push(stamp(fileURLToPath(new URL(path, ROOT))));
  }
  return parts.join(" ");
}

function stamp(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return "-";
  if (!status.isDirectory()) return `${status.size}.${status.mtimeMs}`;
  return readdirSync(path)
    .map((name) => statSync(`${path}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(",");
}
