// How far a campaign came, in words that claim no more than was done: with too little time not even every test's own path has
// been checked, the paths of some tests can only be checked in part, and of some there is nothing to check.

import type { AmplifyCampaignResult, ResultSeed } from "./campaign-result.js";
import { counted } from "./finding-view.js";

type Done = Pick<AmplifyCampaignResult, "seeds">;

/** Tests whose own path has been looked at at least, and those that could have been. */
export function testsDone({ seeds }: Done): { readonly done: number; readonly usable: number } {
  return {
    done: seeds.filter(({ distance }) => distance >= 0).length,
    usable: seeds.filter(({ distance, skipped }) => distance >= 0 || skipped === null).length,
  };
}

/** "27 tests up to distance 2", "684 tests: 640 on their own paths, 44 up to distance 1", "134 of 307 tests, …". */
export function extent({ seeds }: Done): string {
  const { done, usable } = testsDone({ seeds });
  const tests = done === usable ? counted(done, "test") : `${done} of ${counted(usable, "test")}`;
  const distances = [...new Set(seeds.map(({ distance }) => distance))].filter((d) => d >= 0).sort((a, b) => a - b);
  if (distances.length <= 1) {
    const only = distances[0] ?? 0;
    if (done < usable || only === 0) return `${tests}, only on ${done === 1 ? "its own path" : "their own paths"}`;
    return `${tests} up to distance ${only}`;
  }
  const parts = distances.map((distance) => {
    const count = seeds.filter((seed) => seed.distance === distance).length;
    return distance === 0 ? `${count} on their own paths` : `${count} up to distance ${distance}`;
  });
  return `${tests}: ${parts.join(", ")}`;
}

/** "Confidence that a bug is not missed …. "; empty if all tests were looked at. */
export function sampledInWords({ sampled }: Pick<AmplifyCampaignResult, "sampled">): string {
  return sampled === undefined ? "" : `${sampled.confidence[0].toUpperCase()}${sampled.confidence.slice(1)}. `;
}

/** Why of some tests not everything was checked: what was said of each, the commonest first, with how many tests say so. */
function reasonsOf(seeds: readonly ResultSeed[]): readonly { readonly why: string; readonly tests: number }[] {
  const counts = new Map<string, number>();
  for (const seed of seeds) for (const why of whyOf(seed)) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, tests]) => ({ why, tests })).sort((a, b) => b.tests - a.tests);
}

function whyOf({ distance, skipped, why = [] }: ResultSeed): readonly string[] {
  if (skipped !== null) return [skipped];
  return distance < 0 ? ["it was not looked at before the end"] : why;
}

const SHOWN_REASONS = 3;

/** "12 tests: the program read nothing of standard input; 3 tests: …"; empty if nothing is said. */
function reasonsInWords(seeds: readonly ResultSeed[]): string {
  const reasons = reasonsOf(seeds);
  const shown = reasons.slice(0, SHOWN_REASONS).map(({ why, tests }) => `${counted(tests, "test")}: ${why}`);
  const more = reasons.length - shown.length;
  return [...shown, ...(more > 0 ? [`${counted(more, "more reason")}`] : [])].join("; ");
}

/**
 * Not one check was made and nothing was asked to find another path: why. Null if there was something, by this campaign or one
 * that it goes on with.
 */
export function whyNothingChecked({ seeds }: Done, queries: number): string | null {
  if (queries > 0 || seeds.some(({ checks }) => checks > 0)) return null;
  return reasonsInWords(seeds) || "no test was looked at";
}

/** The results say nothing about the programs, and why; null if they do. */
export function saysNothing(result: Pick<AmplifyCampaignResult, "nothingChecked" | "findings">): string | null {
  return result.findings.length > 0 ? null : (result.nothingChecked ?? null);
}

/** What was checked of the tests' own paths, in sentences, if nothing was found. */
export function checkedInWords(result: AmplifyCampaignResult): string {
  const { seeds } = result;
  const { done, usable } = testsDone(result);
  if (done === 0) return "No test was looked at, so this says nothing.";
  const of = (extent: ResultSeed["checked"]): readonly ResultSeed[] =>
    seeds.filter(({ checked, distance }) => distance >= 0 && checked === extent);
  const [all, part, none] = [of("all"), of("part"), of("none")];
  const sentences: string[] = [];
  if (all.length > 0) {
    sentences.push(
      `On the ${all.length === 1 ? "path of 1 test" : `paths of ${all.length} tests`} every dangerous operation that depends on the input was checked for all inputs that take the same path.`,
    );
  }
  if (part.length > 0) {
    sentences.push(`Of ${counted(part.length, "test")} only some were (${reasonsInWords(part)}).`);
  }
  if (none.length > 0) {
    sentences.push(`Of ${counted(none.length, "test")} nothing was checked (${reasonsInWords(none)}).`);
  }
  const untold = done - all.length - part.length - none.length;
  if (untold > 0) sentences.push(`${counted(untold, "test was", "tests were")} looked at by an earlier campaign.`);
  if (done < usable) {
    sentences.push(
      `${usable - done} of ${counted(usable, "test")} were not looked at before the end; more time (--time) does them.`,
    );
  }
  sentences.push(`${asWhole(extent(result))}. Nothing of that fails.`);
  return sentences.join(" ");
}

function asWhole(text: string): string {
  return `All in all: ${text}`;
}
