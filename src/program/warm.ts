// The warm start: an image found by its inputs' names, sizes and times, without reading or translating anything. It is
// kept apart from load.ts because loading the translator's own code takes longer than the whole warm start.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Cache, cacheDirectory, cacheKey, openCache } from "../frontend/cache.js";
import type { ProgramImage } from "../jit/image.js";
import type { CompileOptions } from "../jit/options.js";
import { engineIdentity } from "./identity.js";
import { decodeImage } from "./image-file.js";

export interface LoadProgress {
  readonly stage: "compile" | "libc" | "translate";
  readonly done: number;
  readonly total: number;
}

export interface LoadOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly clang: string | null;
  /** Compiler flags for .c inputs. */
  readonly flags: readonly string[];
  readonly compile: CompileOptions;
  readonly onProgress?: (progress: LoadProgress) => void;
}

/** Where the cache keeps an image. */
export interface ImageEntry {
  readonly kind: string;
  readonly key: string;
}

export const IMAGES = "images";
const IMAGE_NAMES = "image-names";
/** What was to be said when the image was made, to be said again whenever it is used; there is none if there was nothing. */
const IMAGE_WARNINGS = "image-warnings";

export class ImageNames {
  readonly cache: Cache;
  /** Names this build and these options in keys. */
  readonly identity: string;
  /** What the cache had as the image is not what was put there. */
  isDamaged = false;
  private readonly nameKey: string | null;

  constructor(inputs: readonly string[], options: LoadOptions) {
    this.cache = openCache(cacheDirectory(options.env));
    this.identity = `${engineIdentity()} ${JSON.stringify(options.compile)}`;
    this.nameKey = inputsKey(inputs, this.identity, options);
  }

  /** The image these inputs had when they were last translated; null if they changed or never were. */
  find(): ImageEntry | null {
    const entry = this.nameKey === null ? null : (this.cache.get(IMAGE_NAMES, this.nameKey)?.toString() ?? null);
    if (entry === null) return null;
    const [key, ...stamps] = entry.split("\0");
    if (stamps.some((stamp) => stampOf(stamp.slice(0, stamp.lastIndexOf("\n"))) !== stamp)) return null;
    return this.image(key) === null ? null : { kind: IMAGES, key };
  }
  /** As it was put there. */
  image(key: string): ProgramImage | null {
    const bytes = this.cache.get(IMAGES, key);
    const image = bytes === null ? null : decodeImage(bytes);
    if (bytes !== null && image === null) this.isDamaged = true;
    return image;
  }
  /** What there is to say about an image. */
  warningsOf(key: string): readonly string[] {
    const text = this.cache.get(IMAGE_WARNINGS, key)?.toString();
    return text === undefined ? [] : text.split("\0");
  }
  /** Before the image itself is stored: it is never there without them. */
  rememberWarnings(key: string, warnings: readonly string[]): boolean {
    return warnings.length === 0 || this.cache.put(IMAGE_WARNINGS, key, warnings.join("\0"));
  }
  /** `files` are those that the image was made of beside its inputs: shared libraries. */
  remember(key: string, files: readonly string[]): void {
    if (this.nameKey !== null) this.cache.put(IMAGE_NAMES, this.nameKey, [key, ...files.map(stampOf)].join("\0"));
  }
}

/** The file's path, and behind a line's end what changes when it is written anew. */
function stampOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false, bigint: true });
  return `${path}\n${status === undefined ? "gone" : `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs}`}`;
}

/** Null for C sources: what they include is not known without compiling. */
function inputsKey(inputs: readonly string[], identity: string, options: LoadOptions): string | null {
  const { TANGENT_CLANG, TANGENT_LIBRARIES, LD_LIBRARY_PATH } = options.env;
  const parts = [identity, options.clang ?? TANGENT_CLANG ?? "", TANGENT_LIBRARIES ?? "", LD_LIBRARY_PATH ?? ""];
  for (const input of inputs) {
    const status = statSync(input, { throwIfNoEntry: false, bigint: true });
    if (/\.[ci]$/.test(input) || status === undefined) return null;
    parts.push(`${resolve(input)} ${status.dev} ${status.ino} ${status.size} ${status.mtimeNs}`);
  }
  return cacheKey(parts);
}
