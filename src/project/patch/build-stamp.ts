// Whether a version's build can be skipped: the same sources, command, compiler and settings gave these programs, and they are still
// there. Kept in the state folder, because it decides that what lies in the tree is taken for the programs.

import { createHash } from "node:crypto";
import { PRIVATE_FILE } from "../../support/private-modes.js";
import { readRegularFile } from "../../support/regular-file.js";
import { listOf, record, text } from "../../support/shape.js";
import { compilerIdentity, settingsIdentity } from "../compilers.js";
import { programContent } from "../program-content.js";
import { writeSafely } from "../project-folder.js";
import type { ProjectState } from "../state-folder.js";
import type { Side } from "./versions.js";

export interface BuiltProgram {
  /** Absolute. */
  readonly path: string;
  /** What it is made of (program-content.ts). */
  readonly content: string;
}

/** What a build depends on beside the sources. */
export interface BuildSettings {
  /** Of the tree (versions.ts). */
  readonly sources: string;
  readonly directory: string;
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
}

export function buildIdentity({ sources, directory, script, env }: BuildSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([sources, directory, script, compilerIdentity(env), settingsIdentity(env)]))
    .digest("hex");
}

const STAMP = record({ identity: text, programs: listOf(record({ path: text, content: text })) });

/** The programs of that build; null if it has to be done. */
export function builtBefore(state: ProjectState, side: Side, identity: string): readonly BuiltProgram[] | null {
  let value: unknown;
  try {
    value = JSON.parse(readRegularFile(stampPath(state, side)).toString());
  } catch {
    return null;
  }
  if (!STAMP(value)) return null;
  const stamp = value as { readonly identity: string; readonly programs: readonly BuiltProgram[] };
  if (stamp.identity !== identity || stamp.programs.length === 0) return null;
  return stamp.programs.every(({ path, content }) => programContent(path)?.content === content) ? stamp.programs : null;
}

export function noteBuilt(
  state: ProjectState,
  side: Side,
  identity: string,
  programs: readonly string[],
): BuiltProgram[] {
  const built = programs.flatMap((path) => {
    const made = programContent(path);
    return made === null ? [] : [{ path, content: made.content }];
  });
  writeSafely(stampPath(state, side), JSON.stringify({ identity, programs: built }), PRIVATE_FILE);
  return built;
}

function stampPath(state: ProjectState, side: Side): string {
  return state.file(`patch-${side}.build`);
}
