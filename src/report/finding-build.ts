// The build that a finding belongs to: the content of its program, and the sources of its stack as they were compiled, kept by content in the
// project's store. So what is shown of it later is what it is about, whatever has been edited since, and that is said.
//
// Which content was compiled says the compiler (MD5 in the debugging information), or nobody: then it is what was there when the finding was made.
// Invariant: a source is kept only if reports may show it (project/sources.ts), and so many bytes of it at the most; of a larger one the lines
// around the stack's frames are kept, each in its place.

import { join } from "node:path";
import { BlobStore } from "../project/blob-store.js";
import { hashOf } from "../project/content-hash.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { NO_SOURCES, type ReadSource, sourcesBelow, sourcesOfVersion, tabWidthOf } from "../project/sources.js";
import type { ResultFinding, ResultFrame } from "./campaign-result.js";

const MOST_FILES = 16;
const MOST_BYTES = 0x8_0000;
const LINES_AROUND = 30;

/** Where the sources of a finding's program are, as far as they are what was compiled. */
function compiledSources({ build, program }: ResultFinding, folder: ProjectFolder): ReadSource {
  const compiled = new Map(build?.compiled.map(({ path, content }) => [path, content]));
  const read = sourcesBelow([folder.root], compiled);
  const copy = join(folder.path, "build");
  // The copy is what was built, whatever has been edited since.
  const inCopy = program.startsWith(`${copy}/`) ? sourcesOfVersion(copy, folder.root) : NO_SOURCES;
  return Object.assign((file: string) => (compiled.has(file) ? null : inCopy(file)) ?? read(file), {
    tabWidth: (file: string) => tabWidthOf(read, file),
  });
}

/** With the sources that were compiled; `version`: which version of the project it is, if that is not the files here. */
export function withSources(
  finding: ResultFinding,
  folder: ProjectFolder,
  readSource: ReadSource = compiledSources(finding, folder),
  version?: string,
): ResultFinding {
  const { build } = finding;
  if (build === undefined || build.sources.length > 0) return finding;
  const blobs = new BlobStore(folder);
  const sources = filesOf(finding).flatMap((file) => {
    const text = readSource(file);
    if (text === null) return [];
    const kept = text.length <= MOST_BYTES ? text : linesAround(text, file, framesOf(finding));
    return [{ file, content: hashOf(Buffer.from(text)), kept: blobs.put(Buffer.from(kept)) }];
  });
  return { ...finding, build: { ...build, sources, ...(version === undefined ? {} : { version }) } };
}

/** As they were compiled, as far as they were kept. */
export function sourcesOfBuild({ build }: ResultFinding, folder: ProjectFolder, otherwise: ReadSource): ReadSource {
  const blobs = new BlobStore(folder);
  const kept = new Map(build?.sources.map((source) => [source.file, source.kept]));
  const read = (file: string): string | null => {
    const name = kept.get(file);
    const bytes = name === undefined ? null : blobs.get(name);
    return bytes === null ? otherwise(file) : Buffer.from(bytes).toString();
  };
  return Object.assign(read, { tabWidth: (file: string) => tabWidthOf(otherwise, file) });
}

/** Files of the stack that are no longer what was compiled. */
function changedFiles({ build }: ResultFinding, today: ReadSource): readonly string[] {
  return (build?.sources ?? []).flatMap(({ file, content }) => {
    const text = today(file);
    return text !== null && hashOf(Buffer.from(text)) === content ? [] : [file];
  });
}

/** What is to be said of them; null if nothing. */
export function changedInWords(
  finding: ResultFinding,
  today: ReadSource,
  shown: (path: string) => string,
): string | null {
  const { build } = finding;
  const files = changedFiles(finding, today).map(shown);
  if (files.length === 0) return null;
  const version = build?.version;
  const others =
    version === undefined ? "changed since, and shown as it was built" : `of ${version}, not as it is here`;
  return `${files.join(", ")}: ${others}`;
}

function framesOf({ location, stack, object }: ResultFinding): readonly ResultFrame[] {
  const own = (frames: readonly ResultFrame[]): readonly ResultFrame[] =>
    frames.filter(({ origin }) => origin === "program");
  const first = location === null ? [] : [location];
  return [...first, ...own(stack), ...own(object?.allocation ?? []), ...own(object?.free ?? [])];
}

function filesOf(finding: ResultFinding): readonly string[] {
  const files = framesOf(finding).flatMap(({ file }) => (file === null ? [] : [file]));
  return [...new Set(files)].slice(0, MOST_FILES);
}

/** With empty lines in the place of all others. */
function linesAround(text: string, file: string, frames: readonly ResultFrame[]): string {
  const wanted = frames.filter((frame) => frame.file === file).map(({ line }) => line);
  return text
    .split("\n")
    .map((line, index) => (wanted.some((at) => Math.abs(index + 1 - at) <= LINES_AROUND) ? line : ""))
    .join("\n");
}
