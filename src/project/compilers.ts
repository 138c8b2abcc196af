// What a build is told about the compiler. With the user's own compiler (host mode) the build is told as little as possible: CC, and a
// folder at the front of PATH where `cc`, `gcc` and `clang` are ours, so that builds that ignore CC are captured too; archiver and C++
// compiler stay as they are. With the embedded one, CC and the tools that go with it.

import { chmodSync, writeFileSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, openCache } from "../frontend/cache.js";
import { chooseCompiler } from "../frontend/host-compiler.js";
import { findToolchain } from "../frontend/toolchain.js";
import { version as ownVersion } from "../support/version.js";
import { findTool } from "./find-tool.js";
import type { ProjectState } from "./state-folder.js";

const TANGENT = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));

type Personality =
  | { readonly kind: "embedded" }
  /** `words`: the compiler's command, the first an absolute path. */
  | { readonly kind: "host"; readonly words: readonly string[]; readonly identity: string };

function personalityOf(env: NodeJS.ProcessEnv): Personality {
  const choice = chooseCompiler({ env, launcher: TANGENT, cache: openCache(cacheDirectory(env)) });
  // A compiler that was named and is not there: `tangent cc` says so when it is first called.
  if (choice.kind !== "host") return { kind: "embedded" };
  return { kind: "host", words: choice.compiler.words, identity: choice.compiler.stamp };
}

export function isHostMode(env: NodeJS.ProcessEnv): boolean {
  return personalityOf(env).kind === "host";
}

/** Whatever changes what is compiled. */
export function compilerIdentity(env: NodeJS.ProcessEnv): string {
  const found = findToolchain({ env });
  const personality = personalityOf(env);
  const host = personality.kind === "host" ? `${personality.words.join(" ")} ${personality.identity}` : "embedded";
  return `${ownVersion()} ${found.kind === "found" ? found.toolchain.identity : "none"} ${host}`;
}

/** What makefiles and configure scripts look at, and our own compiler. */
const BUILD_VARIABLES = [
  ...["CFLAGS", "CPPFLAGS", "LDFLAGS", "LIBS", "CXXFLAGS", "MAKEFLAGS", "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH"],
  ...["TANGENT_UBSAN", "TANGENT_CLANG", "TANGENT_SANITIZER_MACROS"],
];

/** Of the environment, what changes what a build makes. */
export function settingsIdentity(env: NodeJS.ProcessEnv): string {
  return JSON.stringify(BUILD_VARIABLES.map((name) => env[name] ?? null));
}

export interface BuildPlace {
  /** Where the command runs; programs are looked for below. */
  readonly directory: string;
  /** The top of the sources that are built, and what its files are called in reports: the user's own files. */
  readonly sources: string;
  readonly shownAs: string;
}

/** The environment of a build, or of tests that compile something themselves. */
export function compilerEnvironment(
  { sources, shownAs }: Pick<BuildPlace, "sources" | "shownAs">,
  env: NodeJS.ProcessEnv,
  state: ProjectState | null,
): NodeJS.ProcessEnv {
  // Lines in reports are to be those of the user's own files.
  const isPlain = !/[\s'"\\$=]/.test(sources + shownAs) && sources !== shownAs;
  const map = isPlain ? ` -ffile-prefix-map=${sources}=${shownAs}` : "";
  const CC = `${TANGENT} cc${map}`;
  const personality = personalityOf(env);
  if (personality.kind === "embedded") {
    return { ...env, CC, AR: `${TANGENT} ar`, RANLIB: `${TANGENT} ranlib`, NM: `${TANGENT} nm` };
  }
  // The names on PATH are ours now, so that the compiler behind them must be told by its place.
  const words = placed(personality.words, env);
  const host = { ...env, CC, TANGENT_CC: words.join(" ") };
  const folder = state === null ? null : shims(state, env, words, map);
  if (folder === null) return host;
  const name = words.length === 1 && SHIMMED.includes(basename(words[0])) ? basename(words[0]) : "cc";
  return { ...host, CC: join(folder, name), PATH: [folder, env.PATH ?? ""].join(delimiter) };
}

/** Words of a command such as `ccache gcc`, each that is a command as a path. */
function placed(words: readonly string[], env: NodeJS.ProcessEnv): string[] {
  return words.map((word) => {
    if (word.startsWith("-") || isAbsolute(word)) return word;
    return word.includes("/") ? resolve(word) : (findTool(word, env) ?? word);
  });
}

const SHIMMED: readonly string[] = ["cc", "gcc", "clang", "c99", "c89"];

/**
 * A folder of scripts under the names of compilers; each calls the one that its name means here, `cc` the one that was chosen. CC is one of
 * them: build systems take one word for a compiler more readily than two. Null if a name cannot be written into a script.
 */
function shims(state: ProjectState, env: NodeJS.ProcessEnv, chosen: readonly string[], map: string): string | null {
  const folder = state.directory("compilers");
  if (/[\s'"\\$:]/.test(folder + TANGENT + chosen.join(""))) return null;
  const outside = (env.PATH ?? "").split(delimiter).filter((one) => one !== folder);
  for (const name of SHIMMED) {
    const found = findTool(name, { PATH: outside.join(delimiter) });
    const real = name === "cc" ? chosen.join(" ") : found;
    if (real === null || /['\n]/.test(real)) continue;
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nTANGENT_CC='${real}' exec '${TANGENT}' cc${map} "$@"\n`);
    chmodSync(path, 0o755);
  }
  return folder;
}
