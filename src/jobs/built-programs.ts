// The programs that a program under test may start: those that were built with `tangent cc`. They must be translated before
// a run begins, since a run cannot wait for it; then they are found in the cache by the names of their files.

import { resolve } from "node:path";
import type { StartableProgram } from "../campaign/work-messages.js";
import { cacheDirectory } from "../frontend/cache.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { loadImage, storedImageName } from "../program/stored-image.js";
import { ImageNames, type LoadOptions } from "../program/warm.js";
import { type InstalledProgram, installPrograms } from "../vm/processes/installed-programs.js";
import { findProgram } from "./find-program.js";

const MAKES_PROCESSES: ReadonlySet<string> = new Set(["fork", "vfork", "_Fork", "posix_spawn"]);

/** Programs that this thread runs may start these, and any other that has been translated with these options. */
export function useBuiltPrograms(startable: readonly StartableProgram[], options: LoadOptions): void {
  const known = new Map<string, InstalledProgram>();
  const places = new Map(startable.map(({ name, path }) => [name, path]));
  const directory = cacheDirectory(options.env);
  installPrograms((given) => {
    const path = resolve(given);
    const before = known.get(path);
    if (before !== undefined) return before;
    const stored = new ImageNames([places.get(path) ?? path], options).find();
    if (stored === null) return null;
    const image = loadImage(storedImageName({ directory, ...stored }));
    const program = { image, module: loadModule(image) };
    known.set(path, program);
    return program;
  });
}

export function makesProcesses(image: ProgramImage): boolean {
  return image.functions.some(({ name }) => MAKES_PROCESSES.has(name));
}

/** What cannot be translated is a program that we know nothing of, like any other. */
export async function translateAll(programs: readonly StartableProgram[], options: LoadOptions): Promise<void> {
  for (const { path } of programs) await findProgram(path, options);
}
