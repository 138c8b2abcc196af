// From files on disk to a program ready to run. Every stage's result is cached by content, and the last one, the image, is
// also remembered by the inputs' names, sizes and times (warm.ts), so that a warm start translates nothing.

import { cacheKey } from "../frontend/cache.js";
import { loadInputs } from "../frontend/capture-text.js";
import { openLibc } from "../frontend/libc.js";
import { findToolchain } from "../frontend/toolchain.js";
import { IrError, type SharedLibrary } from "../ir/module.js";
import { compileProgram, TEMPLATES } from "../jit/compile.js";
import type { ProgramImage } from "../jit/image.js";
import { ShapeError } from "../jit/shape.js";
import { type AbsentCode, absenceWarnings } from "./absent-code.js";
import { encodeImage } from "./image-file.js";
import { linkModules } from "./link-modules.js";
import { oftenCalled } from "./often-called.js";
import { programSources } from "./source-functions.js";
import { findTestCode, testCodeOf } from "./test-code.js";
import { IMAGES, type ImageEntry, ImageNames, type LoadOptions } from "./warm.js";

export { TEMPLATES } from "../jit/compile.js";

export interface LoadedProgram {
  readonly kind: "loaded";
  readonly image: ProgramImage;
  /** Where the cache keeps the image, or null if it could not be stored. */
  readonly cacheEntry: ImageEntry | null;
  /** The image was found by its inputs' names and times; nothing was read or translated. */
  readonly warm: boolean;
  readonly warnings: readonly string[];
  readonly milliseconds: { readonly load: number; readonly link: number; readonly translate: number };
}
export type LoadResult = LoadedProgram | { readonly kind: "failed"; readonly message: string };

export async function loadProgram(inputs: readonly string[], options: LoadOptions): Promise<LoadResult> {
  const started = performance.now();
  const names = new ImageNames(inputs, options);
  const { cache, identity } = names;
  const warm = names.find();
  if (warm !== null) {
    const image = names.image(warm.key);
    const load = performance.now() - started;
    const warnings = names.warningsOf(warm.key);
    if (image !== null) return loaded(image, warm.key, true, warnings, { load, link: 0, translate: 0 });
  }
  const found = findToolchain({ env: options.env, clang: options.clang });
  if (found.kind === "missing") return { kind: "failed", message: found.message };
  const { toolchain } = found;
  const captured = await loadInputs(inputs, {
    toolchain,
    cache,
    env: options.env,
    flags: options.flags,
    onProgress: ({ done, total }) => options.onProgress?.({ stage: "compile", done, total }),
  });
  if (captured.kind === "failed") return captured;
  const { files, uncaptured, foreign } = captured;
  const key = cacheKey([
    identity,
    toolchain.identity,
    ...captured.modules.flatMap(({ name, text, library, wrapped = [] }) => [
      name,
      text,
      ...(library == null ? [] : namesOf(library)),
      ...(wrapped.length === 0 ? [] : [`wrapped ${wrapped.join(" ")}`]),
    ]),
    ...(uncaptured.length + foreign.length === 0 ? [] : [JSON.stringify({ uncaptured, foreign })]),
  ]);
  const known = names.image(key);
  if (known !== null) {
    names.remember(key, files);
    const load = performance.now() - started;
    return loaded(known, key, false, names.warningsOf(key), { load, link: 0, translate: 0 });
  }

  try {
    const libc = openLibc({ toolchain, cache, env: options.env });
    const linked = await linkModules(captured.modules, libc, options, captured);
    if (linked.kind === "failed") return linked;
    const { program, layout, loadedAt, numbers } = linked;
    // Units start elsewhere: a library will do.
    if (program.lookup("main") === null && !options.compile.hooks) {
      return {
        kind: "failed",
        message: `${inputs.join(", ")}: there is no function main to start at${whyNoMain(captured)}`,
      };
    }
    const linkedAt = performance.now();
    options.onProgress?.({ stage: "translate", done: 0, total: 1 });
    const tests = findTestCode(program);
    const translated = compileProgram(program, layout, options.compile, TEMPLATES, tests?.rooms);
    const image = {
      ...translated,
      tests: testCodeOf(program, translated.globals, numbers, tests),
      oftenCalled: oftenCalled(program, tests?.functions),
      sources: programSources(program, tests?.functions),
    };
    const translatedAt = performance.now();
    const warnings = [...program.warnings, ...absenceWarnings(captured)];
    const stored = names.rememberWarnings(key, warnings) && cache.put(IMAGES, key, encodeImage(image));
    if (stored) names.remember(key, files);
    const told = names.isDamaged ? [damaged(inputs), ...warnings] : warnings;
    return loaded(image, stored ? key : null, false, told, {
      load: loadedAt - started,
      link: linkedAt - loadedAt,
      translate: translatedAt - linkedAt,
    });
  } catch (error) {
    if (error instanceof ShapeError) return { kind: "failed", message: `${inputs.join(", ")}: ${error.message}` };
    if (error instanceof IrError) return { kind: "failed", message: `malformed IR: ${error.message}` };
    throw error;
  }
}

function damaged(inputs: readonly string[]): string {
  return `${inputs.join(", ")}: the translation in the cache is not as it was put there; it was not used, and made anew`;
}

/** A library's names decide what its modules' names stand for. */
function namesOf({ name, exports }: SharedLibrary): string[] {
  return [name, [...exports].join(" ")];
}

function whyNoMain({
  mainIsElsewhere,
  uncaptured,
  natives,
}: AbsentCode & { readonly mainIsElsewhere: string | null }): string {
  // What was compiled and linked in one step could not be told apart: it may have been any of them.
  const holder =
    uncaptured.find(({ symbols }) => symbols.includes("main")) ??
    uncaptured.find(({ symbols }) => symbols.length === 0);
  if (holder !== undefined) return `: ${holder.source} was not captured (${holder.reason})`;
  if (mainIsElsewhere !== null) return `: ${mainIsElsewhere}`;
  return natives.includes("main") ? ": what defines it was not compiled by `tangent cc`; is it C++?" : "";
}

function loaded(
  image: ProgramImage,
  key: string | null,
  warm: boolean,
  warnings: readonly string[],
  milliseconds: LoadedProgram["milliseconds"],
): LoadedProgram {
  const cacheEntry = key === null ? null : { kind: IMAGES, key };
  return { kind: "loaded", image, cacheEntry, warm, warnings, milliseconds };
}
