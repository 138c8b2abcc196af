// Sources of the system's own libraries, from the system: `[libraries] z = "apt-get source"`. Debian and its relatives have the sources of all
// that they install, in the same version, so nobody has to look for them. The file libz.so.* tells the package, the package its sources;
// `apt-get source zlib` names those itself, where the file does not tell. They are unpacked once, below .tangent/library-sources;
// what their hash is stands in the state folder, because they are built: a folder that came with the repository is not taken.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runChild } from "../support/child-process.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { identityOfTree } from "./build-copy.js";
import { libraryKey } from "./library-key.js";
import { type ProjectFolder, writeSafely } from "./project-folder.js";
import type { ProjectState } from "./state-folder.js";

export const FROM_APT = "apt-get source";
const WORDS = /^apt-get source(?: ([a-z0-9][a-z0-9+.-]*))?$/;
const FOLDER = "library-sources";
/** Where ldconfig is, which is often not on a user's PATH. */
const SYSTEM_FOLDERS = "/usr/sbin:/sbin";

export function isFromApt(value: string): boolean {
  return WORDS.test(value);
}

/** Whether the advice is of use here. */
export function hasApt(): boolean {
  return existsSync("/usr/bin/apt-get");
}

export type LibrarySources =
  | { readonly kind: "there"; readonly directory: string }
  /** To be got by this command, run in `directory`; then see `unpackedSources`. */
  | { readonly kind: "fetch"; readonly directory: string; readonly script: string }
  | { readonly kind: "failed"; readonly problem: string };

/** `value`: what tangent.toml says of the library. */
export function findSources(
  name: string,
  value: string,
  folder: ProjectFolder,
  state: ProjectState,
  env: NodeJS.ProcessEnv,
): LibrarySources {
  if (!isFromApt(value)) return { kind: "there", directory: value };
  const known = onlyFolderIn(folder.known(FOLDER, name));
  if (known !== null && identityOfTree(known) === noted(state, name)) return { kind: "there", directory: known };
  if (answerOf("apt-get", ["--version"], env) === null) {
    return failed(name, "there is no apt-get here; name a folder with the library's sources instead");
  }
  const sources = WORDS.exec(value)?.[1] ?? sourcePackage(name, env);
  if (sources === null) {
    const advice = `say it: ${name} = "${FROM_APT} PACKAGE"`;
    return failed(name, `no installed package is known to have lib${name}.so; ${advice}`);
  }
  rmSync(folder.known(FOLDER, `${name}.new`), { recursive: true, force: true });
  const directory = folder.directory(FOLDER, `${name}.new`);
  return { kind: "fetch", directory, script: `${FROM_APT} --only-source ${sources}` };
}

/** After the command of `fetch` has ended well. */
export function unpackedSources(name: string, folder: ProjectFolder, state: ProjectState): LibrarySources {
  const place = folder.known(FOLDER, name);
  rmSync(place, { recursive: true, force: true });
  renameSync(folder.known(FOLDER, `${name}.new`), place);
  const directory = onlyFolderIn(place);
  if (directory !== null) {
    writeSafely(state.file(noteName(name)), identityOfTree(directory), PRIVATE_FILE);
    return { kind: "there", directory };
  }
  return failed(name, `${FROM_APT} has unpacked nothing; is dpkg-dev installed?`);
}

function noteName(name: string): string {
  return `library-sources-${name}.stamp`;
}

/** What was unpacked on this machine. */
function noted(state: ProjectState, name: string): string | null {
  try {
    const path = state.known(noteName(name));
    return path === null ? null : readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function failed(name: string, why: string): LibrarySources {
  return { kind: "failed", problem: `libraries: ${name}: ${why}` };
}

/** `zlib=1:1.2.13`: the sources of the package that the installed library is part of; null if that is not known. */
function sourcePackage(name: string, env: NodeJS.ProcessEnv): string | null {
  const file = (answerOf("ldconfig", ["-p"], env) ?? "")
    .split("\n")
    .map((line) => line.trim().split(" ")[0])
    .find((one) => libraryKey(one) === name);
  if (file === undefined) return null;
  const owner = /^([^:\s]+(?::\w+)?): /.exec(answerOf("dpkg", ["-S", `*/${file}`], env) ?? "")?.[1];
  if (owner === undefined) return null;
  const answer = answerOf("dpkg-query", ["-W", "-f", "$" + "{source:Package}=$" + "{source:Version}\n", owner], env);
  const [first = ""] = (answer ?? "").split("\n");
  return /^[a-z0-9][a-z0-9+.-]*=[\w.+:~-]+$/.test(first) ? first : null;
}

function answerOf(command: string, words: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const PATH = `${env.PATH ?? ""}:${SYSTEM_FOLDERS}`;
  const { status, stdout } = runChild(command, words, { env: { ...env, PATH, LC_ALL: "C" }, encoding: "utf8" });
  return status === 0 ? stdout : null;
}

function onlyFolderIn(directory: string): string | null {
  try {
    const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return folders.length === 1 ? join(directory, folders[0].name) : null;
  } catch {
    return null;
  }
}
