// The inputs that patch testing made, each in a file of its own below `.tangent/inputs`, so that `show` and `replay` know an id when another
// campaign has ended since. Their programs and files are kept as seeds (`.tangent/made`); here is what they were made for.

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import type { CampaignResult } from "./campaign-result.js";
import { targetsOfInput } from "./patch-input-text.js";
import type { PatchCampaignResult } from "./patch-result.js";
import { isKnownInput, type KnownInput } from "./patch-shape.js";

const FOLDER = "inputs";
/** The oldest are forgotten first. */
const MOST_KEPT = 2000;
/** Their files are inside; a link could lead anywhere. */
const KEPT_FILE = { noLink: true, mostBytes: 0x1000_0000 };

/** A disk that is full costs only that an id is not known after the next campaign. */
export function keepInputs(folder: ProjectFolder, result: PatchCampaignResult, most = MOST_KEPT): void {
  try {
    for (const input of result.inputs) {
      const known: KnownInput = { input, targets: targetsOfInput(result, input) };
      writeSafely(folder.file(FOLDER, `${input.id}.json`), `${JSON.stringify(known)}\n`, PRIVATE_FILE);
    }
    const paths = namesIn(folder).map((name) => folder.file(FOLDER, name));
    if (paths.length <= most) return;
    const ages = new Map(paths.map((path) => [path, statSync(path).mtimeMs]));
    paths.sort((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0));
    for (const path of paths.slice(0, paths.length - most)) rmSync(path, { force: true });
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
  }
}

/** Those that an id, or the beginning of one, names: of the last campaign, else of all that are kept. */
export function knownInputs(folder: ProjectFolder, result: CampaignResult | null, id: string): readonly KnownInput[] {
  const own = result?.technique === "patch" ? result.inputs.filter((input) => input.id.startsWith(id)) : [];
  if (own.length > 0 && result?.technique === "patch") {
    return own.map((input) => ({ input, targets: targetsOfInput(result, input) }));
  }
  return namesIn(folder).flatMap((name) => {
    if (!name.startsWith(id)) return [];
    const known = read(folder.known(FOLDER, name));
    return known !== null && `${known.input.id}.json` === name ? [known] : [];
  });
}

function namesIn(folder: ProjectFolder): string[] {
  const directory = folder.known(FOLDER);
  return existsSync(directory) ? readdirSync(directory).filter((name) => /^[0-9a-f]{3,64}\.json$/.test(name)) : [];
}

function read(path: string): KnownInput | null {
  try {
    const value: unknown = JSON.parse(readRegularFile(path, KEPT_FILE).toString());
    return isKnownInput(value) ? value : null;
  } catch {
    return null;
  }
}
