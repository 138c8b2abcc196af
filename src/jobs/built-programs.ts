// The programs that a program under test may start: those that were built with `tangent cc`. They must be translated before
// a run begins, since a run cannot wait for it; then they are found in the cache by the names of their files. Most are never started,
// so none is translated before a run has wanted it: that run ends, and what it was made for is done again when the program is there.

import { resolve } from "node:path";
import type { StartableProgram } from "../campaign/work-messages.js";
import { cacheDirectory } from "../frontend/cache.js";
import type { ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { loadImage, storedImageName } from "../program/stored-image.js";
import { type ImageEntry, ImageNames, type LoadOptions } from "../program/warm.js";
import { Machine } from "../vm/machine.js";
import { type InstalledProgram, installPrograms } from "../vm/processes/installed-programs.js";
import { findProgram } from "./find-program.js";

const MAKES_PROCESSES: ReadonlySet<string> = new Set(["fork", "vfork", "_Fork", "posix_spawn"]);

/** Of programs that runs have started, the most recent ones, by their images' keys: a program is started in turns of several others. */
const started = new Map<string, InstalledProgram>();
/** Each takes about ten megabytes. */
const MOST_STARTED = 48;

/** What a run of this thread wanted since somebody asked last, as it is named in `startable`. */
let wanted: string | null = null;
/** Those that were tried: what is still not there cannot be translated. */
const tried = new Set<string>();

/**
 * Programs that this thread runs may start these, and any other that has been translated with these options. `awaits`: a run that starts one
 * that is not translated yet ends with an error, and `takeWanted` names it; otherwise that is a program of which we know nothing.
 */
export function useBuiltPrograms(startable: readonly StartableProgram[], options: LoadOptions, awaits = false): void {
  const known = new Map<string, ImageEntry>();
  const places = new Map(startable.map(({ name, path }) => [name, path]));
  const directory = cacheDirectory(options.env);
  installPrograms((given) => {
    const path = resolve(given);
    const stored = known.get(path) ?? new ImageNames([places.get(path) ?? path], options).find();
    if (stored === null) {
      if (!awaits || !places.has(path) || tried.has(path)) return null;
      wanted = path;
      throw new Error(`${path} is not translated yet`);
    }
    known.set(path, stored);
    return startedProgram(storedImageName({ directory, ...stored }));
  });
}

function startedProgram(name: string): InstalledProgram {
  const before = started.get(name);
  // Last in the map: used last.
  if (before !== undefined) started.delete(name);
  const program = before ?? readProgram(name);
  started.set(name, program);
  for (const [oldest, { image }] of started) {
    if (started.size <= MOST_STARTED) break;
    started.delete(oldest);
    Machine.scrapIdle(image);
  }
  return program;
}

function readProgram(name: string): InstalledProgram {
  const image = loadImage(name);
  return { image, module: loadModule(image) };
}

/** The program that the last run could not go on without. A run may have swallowed the error, but not this. */
export function takeWanted(): string | null {
  const path = wanted;
  wanted = null;
  return path;
}

/** These were tried: if they are not there they will not be, and are programs like any other of which we know nothing. */
export function doWithout(names: readonly string[]): void {
  for (const name of names) tried.add(name);
}

/** For another campaign, whose programs are others. */
export function forgetTried(): void {
  tried.clear();
}

export function makesProcesses(image: ProgramImage): boolean {
  return image.functions.some(({ name }) => MAKES_PROCESSES.has(name));
}

/** Before runs that nobody would do again. What cannot be translated is a program that we know nothing of, like any other. */
export async function translateAll(programs: readonly StartableProgram[], options: LoadOptions): Promise<void> {
  for (const { path } of programs) await findProgram(path, options);
}
