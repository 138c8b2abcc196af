// The libraries of the system at which tests ended, by how many: a run that calls a library without IR looks at nothing behind the call, so
// the user should know which library's sources would bring the most.

import { foreignLibraryIn } from "../program/absent-code.js";
import { libraryKey } from "../project/library-key.js";
import { FROM_APT, hasApt } from "../project/library-sources.js";
import type { AmplifyCampaignResult } from "./campaign-result.js";
import { counted } from "./finding-view.js";

const SHOWN_LIBRARIES = 4;

/** By the library's name, that of most tests first. */
export function foreignEnds({ seeds }: Pick<AmplifyCampaignResult, "seeds">): ReadonlyMap<string, number> {
  const tests = new Map<string, number>();
  for (const { why = [] } of seeds) {
    const libraries = new Set(why.map(foreignLibraryIn).filter((name) => name !== null));
    for (const name of libraries) tests.set(name, (tests.get(name) ?? 0) + 1);
  }
  return new Map([...tests].sort(([, a], [, b]) => b - a));
}

/** A sentence for people; null if no test ended so. */
export function foreignEndsInWords(result: Pick<AmplifyCampaignResult, "seeds">): string | null {
  const ends = [...foreignEnds(result)];
  if (ends.length === 0) return null;
  const shown = ends.slice(0, SHOWN_LIBRARIES).map(([name, tests]) => `${name} (${counted(tests, "test")})`);
  const more = ends.length > SHOWN_LIBRARIES ? ` and ${ends.length - SHOWN_LIBRARIES} more` : "";
  const setting = `[libraries] ${libraryKey(ends[0][0])} = "DIR"`;
  const otherwise = hasApt() ? ` (or "${FROM_APT}", which gets them)` : "";
  return `tests end where they call libraries of the system: ${shown.join(", ")}${more}; with a library's sources they go on: ${setting} in tangent.toml${otherwise}`;
}

/** How an account says it (techniques/amplify-account.ts). */
const MISSING = /^its run ended at what the machine does not have: (.*)$/s;
const SHOWN_MISSING = 3;

/** Tests of which nothing behind some place was looked at, because the machine lacks it; null if there is none but libraries. */
export function missingEndsInWords({ seeds }: Pick<AmplifyCampaignResult, "seeds">): string | null {
  const tests = new Map<string, number>();
  let ended = 0;
  for (const { why = [] } of seeds) {
    const missing = why.filter((one) => foreignLibraryIn(one) === null).map((one) => MISSING.exec(one)?.[1] ?? null);
    const names = new Set(missing.filter((one) => one !== null));
    if (names.size > 0) ended++;
    for (const name of names) tests.set(name, (tests.get(name) ?? 0) + 1);
  }
  if (ended === 0) return null;
  const sorted = [...tests].sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, SHOWN_MISSING).map(([name, count]) => `${name} (${counted(count, "test")})`);
  const more = sorted.length > SHOWN_MISSING ? `; and ${sorted.length - SHOWN_MISSING} more` : "";
  const them = `${ended} of ${counted(seeds.length, "test")} ${ended === 1 ? "ends" : "end"}`;
  return `${them} at what the machine does not have, and nothing behind it was looked at: ${shown.join("; ")}${more}`;
}

const SHOWN_OTHERWISE = 3;

/** Tests that end otherwise in the machine than natively, by name; null if there is none. All of them are in the results. */
export function otherEndsInWords({ seeds }: Pick<AmplifyCampaignResult, "seeds">): string | null {
  const otherwise = seeds.filter(({ machineEnd }) => machineEnd !== undefined);
  if (otherwise.length === 0) return null;
  const shown = otherwise
    .slice(0, SHOWN_OTHERWISE)
    .map(({ command, end, machineEnd }) => `\`${command.join(" ")}\` (${end}, in the VM ${machineEnd})`);
  const left = otherwise.length - shown.length;
  const more = left > 0 ? `; and ${left} more, in the report and results.json (machineEnd)` : "";
  const end = otherwise.length === 1 ? "test ends" : "tests end";
  return `${otherwise.length} ${end} otherwise in the VM than natively, and what is behind that was not looked at: ${shown.join("; ")}${more}`;
}
