// Of what the build copy was made: compiler, build command and settings. What another compiler or another command has left there (a
// config.status, a CMakeCache.txt, objects) would be taken for up to date, so the copy is then made anew. The stamp is in the state
// folder, because it decides that a folder is removed.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { compilerIdentity, settingsIdentity } from "./compilers.js";
import { type ProjectFolder, writeSafely } from "./project-folder.js";
import type { ProjectState } from "./state-folder.js";

const STAMP = "build-copy.stamp";

interface Parts {
  readonly compiler: string;
  readonly command: string;
  readonly settings: string;
}

export interface CopyBuild {
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user wants it so, whatever it was built with. */
  readonly anew: boolean;
}

/** Removes the copy if it is not of this compiler, command and settings. Gives the reason; "" if nothing had to be removed. */
export function renewCopy(folder: ProjectFolder, state: ProjectState, { script, env, anew }: CopyBuild): string {
  const now: Parts = {
    compiler: hashOf(compilerIdentity(env)),
    command: hashOf(script),
    settings: hashOf(settingsIdentity(env)),
  };
  const directory = folder.directory("build");
  const before = readStamp(state);
  const known = before === null ? ["it is not known how it was built"] : differences(before, now);
  const changed = anew ? ["--anew"] : known;
  const isUsed = readdirSync(directory).length > 0;
  if (changed.length > 0 && isUsed) rmSync(directory, { recursive: true, force: true });
  if (changed.length > 0) writeSafely(state.file(STAMP), JSON.stringify(now), PRIVATE_FILE);
  return changed.length > 0 && isUsed ? changed.join(", ") : "";
}

function differences(before: Parts, now: Parts): string[] {
  return [
    ...(before.compiler === now.compiler ? [] : ["another compiler or another version of tangent"]),
    ...(before.command === now.command ? [] : ["another build command"]),
    ...(before.settings === now.settings ? [] : ["other settings of the environment (CFLAGS and the like)"]),
  ];
}

function readStamp(state: ProjectState): Parts | null {
  try {
    const path = state.known(STAMP);
    const value: unknown = path === null ? null : JSON.parse(readFileSync(path, "utf8"));
    const { compiler, command, settings } = (value ?? {}) as Partial<Parts>;
    return typeof compiler === "string" && typeof command === "string" && typeof settings === "string"
      ? { compiler, command, settings }
      : null;
  } catch {
    return null;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
