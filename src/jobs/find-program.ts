// A program's image, as every command that runs one asks for it: from the cache by its file's name and time, without loading the
// translator, or translated now.

import { cacheDirectory } from "../frontend/cache.js";
import type { ProgramImage } from "../jit/image.js";
import type { LoadedProgram } from "../program/load.js";
import { type ImageSource, loadImage, storedImageName } from "../program/stored-image.js";
import { ImageNames, type LoadOptions } from "../program/warm.js";

export interface FoundProgram {
  readonly kind: "found";
  readonly source: ImageSource;
  readonly warnings: readonly string[];
  readonly milliseconds: LoadedProgram["milliseconds"] | null;
  /** Read only when somebody asks: a warm start leaves it to the run's thread. */
  image(): ProgramImage;
}

/** The program's image: where the cache has it, or translated now. Several sources are one program. */
export async function findProgram(
  program: string | readonly string[],
  options: LoadOptions,
): Promise<FoundProgram | { readonly kind: "failed"; readonly message: string }> {
  const directory = cacheDirectory(options.env);
  const inputs = typeof program === "string" ? [program] : program;
  const names = new ImageNames(inputs, options);
  const warm = names.find();
  if (warm !== null) {
    const name = storedImageName({ directory, ...warm });
    const image = (): ProgramImage => loadImage(name);
    const warnings = names.warningsOf(warm.key);
    return { kind: "found", source: { kind: "stored", name }, warnings, milliseconds: null, image };
  }
  const { loadProgram } = await import("../program/load.js");
  const loaded = await loadProgram(inputs, options);
  if (loaded.kind === "failed") return loaded;
  const { cacheEntry, image, warnings, milliseconds } = loaded;
  const source: FoundProgram["source"] =
    cacheEntry === null
      ? { kind: "image", image: { ...image } }
      : { kind: "stored", name: storedImageName({ directory, ...cacheEntry }) };
  return { kind: "found", source, warnings, milliseconds, image: () => image };
}
