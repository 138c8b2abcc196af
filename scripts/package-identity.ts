// `npm pack` runs this after the build: writes the hash of all code that goes into the package, which names it in cache
// keys (src/program/identity.ts). Only what decides an image is hashed: our compiled code and the C of the runtime.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_IDENTITY } from "../src/program/identity.js";
import { scriptWords } from "./usage.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

scriptWords(import.meta.url);
const hash = createHash("sha256");
for (const folder of ["dist/src", "runtime"]) {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(map|d\.ts)$|\.test\.js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths) {
    const content = readFileSync(path);
    hash.update(`${relative(ROOT, path)}:${content.length}:`).update(content);
  }
}
writeFileSync(join(ROOT, PACKAGE_IDENTITY), `${hash.digest("hex").slice(0, 40)}\n`);
