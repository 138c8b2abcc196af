// What kind of project a directory is, and how such a project is built and tested. Only names and texts are looked at, no file is
// run: whoever types `tangent init` reads what was found and corrects the two commands where the guess is wrong.
// Of several build systems the one is taken whose tools are there; of those one that has tests; of those the one that takes the fewest steps.

import { type BuildSystem, type Candidate, candidateOf, candidatesIn, type Surroundings } from "./build-systems.js";
import { isHostMode } from "./compilers.js";
import { findTool } from "./find-tool.js";

export type Detected = Pick<Candidate, "what" | "build" | "test" | "notes">;

export interface Detection {
  /** All that were seen, the one to take first. */
  readonly seen: readonly Candidate[];
  readonly taken: Candidate | null;
  /** Why not another one; "" if there was no choice. */
  readonly why: string;
}

export function detectProject(root: string, env: NodeJS.ProcessEnv = process.env): Detected | null {
  return detectBuildSystems(root, surroundingsOf(env)).taken;
}

export function detectBuildSystems(root: string, surroundings: Surroundings): Detection {
  const seen = candidatesIn(root, surroundings);
  const [taken = null] = seen;
  return { seen, taken, why: taken === null ? "" : whyTaken(taken, seen.slice(1)) };
}

/** `null`: it is not there. */
export function detectNamed(name: BuildSystem, root: string, surroundings: Surroundings): Candidate | null {
  return candidateOf(name, root, surroundings);
}

/**
 * Build systems beside the one that a command is of, for whoever sees it fail. Only for a command that was seen here: what somebody wrote
 * himself is not second-guessed.
 */
export function otherBuildSystems(root: string, script: string, surroundings: Surroundings): readonly BuildSystem[] {
  const seen = candidatesIn(root, surroundings);
  if (!seen.some(({ build }) => build === script)) return [];
  return seen.filter(({ build, missing }) => build !== script && missing.length === 0).map(({ system }) => system);
}

function whyTaken(taken: Candidate, others: readonly Candidate[]): string {
  const reasons = others.map(({ what, missing, test }) => {
    if (missing.length > 0) return `${what} needs ${missing.join(" and ")}, not found on PATH`;
    if (test === null && taken.test !== null) return `${what} shows no tests`;
    return `${what} would do as well`;
  });
  return reasons.join("; ");
}

export function surroundingsOf(env: NodeJS.ProcessEnv): Surroundings {
  const known = new Map<string, boolean>();
  const hasTool = (name: string): boolean => {
    const found = known.get(name) ?? findTool(name, env) !== null;
    known.set(name, found);
    return found;
  };
  return { hasTool, isHost: isHostMode(env) };
}
