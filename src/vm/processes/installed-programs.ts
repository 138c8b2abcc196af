// The programs that a process can become: those that were built with `tangent cc`, by the paths of their files. Which they
// are is a matter of the machine that a thread stands for, like its disk, and not of a run; so whoever owns the thread says it.

import type { ProgramImage } from "../../jit/image.js";

export interface InstalledProgram {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
}

/** Null: no such program, or it was not built with `tangent cc`. */
export type FindInstalled = (path: string) => InstalledProgram | null;

let findInstalled: FindInstalled = () => null;

export function installPrograms(find: FindInstalled): void {
  findInstalled = find;
}

export function installedProgram(path: string): InstalledProgram | null {
  return findInstalled(path);
}
