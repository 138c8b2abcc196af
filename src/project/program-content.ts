// What a program is made of: its own file, and the shared libraries whose IR belongs to it, those of the project and those that were built to
// stand for the system's (library-build.ts). All of it makes the program's name in seeds and journals: a bug that is mended in a
// library must make another program of the same executable.
// A program that is kept for later has its libraries in the same folder, each under the name by which it is needed.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { extractProgram } from "../frontend/capture.js";
import { contentHash } from "./content-hash.js";
import type { BlobName } from "./seed.js";

export interface OwnLibrary {
  /** By which it is needed: libjansson.so.4 */
  readonly name: string;
  readonly path: string;
}

export interface ProgramContent {
  readonly content: BlobName;
  readonly libraries: readonly OwnLibrary[];
}

/** Null if there is no such file. `folders`: where libraries are that stand for the system's, and those of the project. */
export function programContent(path: string, folders: readonly string[] = []): ProgramContent | null {
  const own = contentHash(path);
  if (own === null) return null;
  const libraries = librariesOf(path, folders);
  return { content: joined(own, libraries), libraries };
}

function librariesOf(path: string, folders: readonly string[]): OwnLibrary[] {
  const extracted = extractProgram(path, { LD_LIBRARY_PATH: "" });
  if (extracted.kind === "failed") return [];
  const libraries = extracted.libraries.map(({ name, path: place }) => ({ name, path: place }));
  if (folders.length === 0 || extracted.foreign.length === 0) return libraries;
  const again = extractProgram(path, { LD_LIBRARY_PATH: folders.join(":") });
  const isKnown = new Set(libraries.map(({ name }) => name));
  const standing = again.kind === "failed" ? [] : again.libraries.filter(({ name }) => !isKnown.has(name));
  return [...libraries, ...standing.map(({ name, path: place }) => ({ name, path: place }))];
}

/** Of a program in a folder that was made for it: the libraries are what else lies there. */
export function keptContent(path: string): BlobName | null {
  const own = contentHash(path);
  if (own === null) return null;
  const folder = dirname(path);
  const names = readdirSync(folder).filter(
    (name) => name !== basename(path) && /\.so(\.|$)/.test(name) && !name.endsWith(".part"),
  );
  return joined(
    own,
    names.map((name) => ({ name, path: join(folder, name) })),
  );
}

/** A program without such libraries is named by its own bytes. */
function joined(own: BlobName, libraries: readonly OwnLibrary[]): BlobName {
  if (libraries.length === 0) return own;
  const hash = createHash("sha256").update(own);
  for (const { name, path } of libraries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    hash.update(`\0${name}\0${contentHash(path) ?? ""}`);
  }
  return hash.digest("hex");
}
