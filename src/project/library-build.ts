// Libraries of the system that the programs need, built from sources that tangent.toml names ([libraries] z = "../zlib"): the library that is
// installed has no IR, so a run ends where it is called; one built with `tangent cc` stands for it in the machine. Natively nothing changes:
// programs are linked and run with the system's. Built once, in a copy below .tangent/libraries, and again when the tree, the compiler
// or the way it is built changes; what it was built from is noted in the state folder.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { copyTree, identityOfTree, sourcesBelow } from "./build-copy.js";
import { compilerIdentity } from "./compilers.js";
import { readConfig } from "./config.js";
import { detectBuildSystems, surroundingsOf } from "./detect.js";
import { type ProjectFolder, writeSafely } from "./project-folder.js";
import { foldersBelow } from "./stand-ins.js";
import type { ProjectState } from "./state-folder.js";

export type PreparedLibrary =
  /** Built before, of the same. */
  | { readonly kind: "ready"; readonly directory: string }
  /** To be built there, by the first of these commands that can. */
  | {
      readonly kind: "build";
      readonly directory: string;
      readonly scripts: readonly string[];
      readonly identity: string;
    }
  | { readonly kind: "failed"; readonly problem: string };

const FOLDER = "libraries";

/** What has to be done for one library. */
export function prepareLibrary(
  name: string,
  sources: string,
  folder: ProjectFolder,
  state: ProjectState,
  env: NodeJS.ProcessEnv,
): PreparedLibrary {
  if (!existsSync(sources)) return { kind: "failed", problem: `libraries: ${name}: ${sources} does not exist` };
  const scripts = scriptsFor(sources, env);
  if (scripts.length === 0) {
    const problem = `libraries: ${name}: nothing says how to build ${sources}; write a tangent.toml with \`build\` there`;
    return { kind: "failed", problem };
  }
  const identity = identityOfTree(sources, `${scripts.join("\0")}\0${compilerIdentity(env)}`);
  const directory = folder.directory(FOLDER, name);
  if (stampOf(state, name) === identity) return { kind: "ready", directory };
  return { kind: "build", directory, scripts, identity };
}

/** Its own tangent.toml says it; else whatever build systems it has. */
function scriptsFor(sources: string, env: NodeJS.ProcessEnv): string[] {
  const config = readConfig(sources);
  if (config.kind === "config" && config.config.build !== null) return [config.config.build];
  const { seen } = detectBuildSystems(sources, surroundingsOf(env));
  return seen.filter(({ missing }) => missing.length === 0).map(({ build }) => build);
}

/** Before each try: the sources, and nothing that was built. */
export function copyLibrary(name: string, sources: string, folder: ProjectFolder): void {
  rmSync(folder.directory(FOLDER, name), { recursive: true, force: true });
  copyTree({ from: sources, to: folder.directory(FOLDER, name) }, sourcesBelow(sources));
}

/** After it was built. */
export function noteLibrary(state: ProjectState, name: string, identity: string): void {
  writeSafely(state.file(stampName(name)), identity, PRIVATE_FILE);
}

/** Folders with shared libraries that stand for the system's, of libraries that this machine has built. */
export function libraryFolders(names: readonly string[], folder: ProjectFolder, state: ProjectState): string[] {
  const folders = new Set<string>();
  for (const name of names) {
    if (stampOf(state, name) === null) continue;
    for (const { path, entry } of foldersBelow(folder.known(FOLDER, name))) {
      if (new RegExp(`^lib${name.replace(/[.+]/g, "\\$&")}\\.so(\\.|$)`).test(entry.name))
        folders.add(join(path, ".."));
    }
  }
  return [...folders].sort();
}

function stampName(name: string): string {
  return `library-${name}.stamp`;
}

function stampOf(state: ProjectState, name: string): string | null {
  try {
    const path = state.known(stampName(name));
    return path === null ? null : readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
