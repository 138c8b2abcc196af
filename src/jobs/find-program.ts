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

/**
 * When so many programs in a row were in the cache, all that there are have been translated, as a rule. Then what was kept to translate
 * others faster is forgotten: most of what a thread holds, and V8 looks at all of it in every collection.
 */
const FOUND_IN_A_ROW = 8;
let foundInARow = 0;
/** Nothing is kept before something was translated. */
let forgetTemplates: (() => void) | null = null;

/** TANGENT_FIELDS is --fields for all commands, those too that run a program a second time. */
function withSettings(options: LoadOptions): LoadOptions {
  const isAsked = (options.env.TANGENT_FIELDS ?? "") !== "" && options.compile.checks;
  return isAsked ? { ...options, compile: { ...options.compile, fields: true } } : options;
}

/** The program's image where the cache has it; null if it has to be translated. */
export function warmProgram(inputs: readonly string[], options: LoadOptions): FoundProgram | null {
  const names = new ImageNames(inputs, withSettings(options));
  const warm = names.find();
  if (warm === null) return null;
  foundInARow++;
  if (foundInARow === FOUND_IN_A_ROW) forgetTemplates?.();
  const name = storedImageName({ directory: cacheDirectory(options.env), ...warm });
  const image = (): ProgramImage => loadImage(name);
  const warnings = names.warningsOf(warm.key);
  return { kind: "found", source: { kind: "stored", name }, warnings, milliseconds: null, image };
}

/** The program's image: where the cache has it, or translated now. Several sources are one program. */
export async function findProgram(
  program: string | readonly string[],
  options: LoadOptions,
): Promise<FoundProgram | { readonly kind: "failed"; readonly message: string }> {
  const inputs = typeof program === "string" ? [program] : program;
  const warm = warmProgram(inputs, options);
  if (warm !== null) return warm;
  const { loadProgram, TEMPLATES } = await import("../program/load.js");
  foundInARow = 0;
  forgetTemplates = () => TEMPLATES.clear();
  const loaded = await loadProgram(inputs, withSettings(options));
  if (loaded.kind === "failed") return loaded;
  const { cacheEntry, image, warnings, milliseconds } = loaded;
  const source: FoundProgram["source"] =
    cacheEntry === null
      ? { kind: "image", image: { ...image } }
      : { kind: "stored", name: storedImageName({ directory: cacheDirectory(options.env), ...cacheEntry }) };
  return { kind: "found", source, warnings, milliseconds, image: () => image };
}
