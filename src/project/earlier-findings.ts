// Findings are written down one by one, as they are found and before their test is marked as done: a campaign that is
// killed and goes on must not lose what it will not look for again. A finding stands as long as its seed is among those
// looked at; a seed names its program by content, so what a new build has fixed is gone by itself.

import { existsSync, rmSync } from "node:fs";
import { appendToFile } from "../support/append-whole.js";
import { readRegularFile } from "../support/regular-file.js";
import type { ProjectFolder } from "./project-folder.js";
import type { Seed } from "./seed.js";

interface Kept {
  readonly id: string;
  readonly seedId: string;
  /** If its input was made of a recorded test: which. */
  readonly moved?: { readonly from: string };
}

/** Each technique's own: what one begins anew, another may go on with. */
export type FindingsJournal = "findings.journal" | "compose-findings.journal";

/** False if the disk refused it. */
export function keepFinding(folder: ProjectFolder, journal: FindingsJournal, finding: Kept): boolean {
  try {
    appendToFile(folder.file(journal), `${JSON.stringify(finding)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** A campaign that begins anew finds again what there is to find; what another version found may not be that. */
export function forgetFindings(folder: ProjectFolder, journal: FindingsJournal): void {
  rmSync(folder.file(journal), { force: true });
}

/** Those of these seeds that are not among the ones known, each once. What is no finding by `isFinding` is passed over. */
export function earlierFindings<F extends Kept>(
  folder: ProjectFolder,
  journal: FindingsJournal,
  seeds: readonly Seed[],
  known: readonly Kept[],
  isFinding: (value: unknown) => value is F,
): F[] {
  const path = folder.known(journal);
  if (!existsSync(path)) return [];
  const standing = new Set(seeds.map(({ id }) => id));
  const met = new Set(known.map(({ id }) => id));
  const found: F[] = [];
  for (const line of readRegularFile(path).toString().split("\n")) {
    let finding: unknown;
    try {
      finding = JSON.parse(line);
    } catch {
      // The last line of a campaign that was killed.
      continue;
    }
    if (!isFinding(finding)) continue;
    if (!standing.has(finding.moved?.from ?? finding.seedId) || met.has(finding.id)) continue;
    met.add(finding.id);
    found.push(finding);
  }
  return found;
}

/** Of each program the seeds of the build that was recorded last; `seeds` in the order of recording. */
export function latestSeeds(seeds: readonly Seed[]): Seed[] {
  const last = new Map(seeds.map(({ program, programContent }) => [program, programContent]));
  return seeds.filter(({ program, programContent }) => last.get(program) === programContent);
}
