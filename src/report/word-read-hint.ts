// What to do about over-reads of whole words that repeat: most such code is deliberate, and the project itself switches it off where
// a sanitizer would see it. The user decides: nothing is hidden by itself.

import { WORD_READ } from "../findings/word-read.js";
import type { ReadSource } from "../project/sources.js";
import type { ResultFinding } from "./campaign-result.js";
import { groupsOf } from "./finding-groups.js";
import { counted, type ShownPath } from "./finding-view.js";
import { isCounted } from "./suppressed.js";

/** What a source says that has other code for sanitizers or valgrind. */
const SWITCH = /__SANITIZE_ADDRESS__|address_sanitizer|\bVALGRIND\b/;

/** One line for each group of them. `hasMacros`: they are on already. */
export function wordReadHints(
  findings: readonly ResultFinding[],
  hasMacros: boolean,
  readSource: ReadSource,
  shown: ShownPath,
): string[] {
  const groups = groupsOf(findings.filter((one) => isCounted(one) && one.cause.startsWith(WORD_READ)));
  return groups.flatMap(({ first: { location }, members }) => {
    if (location === null || location.file === null) return [];
    const isSwitched = SWITCH.test(readSource(location.file) ?? "");
    if (members.length < 2 && !isSwitched) return [];
    const file = shown(location.file);
    const what = `${counted(members.length, "finding")} of ${location.function} (${file}): whole words are read that begin inside of their object and end behind it, as deliberate word-at-a-time code does.`;
    const knows = isSwitched
      ? "This file has other code for sanitizers"
      : "If the project has other code for sanitizers";
    const macros = hasMacros ? "" : ` ${knows}: \`sanitizer-macros = true\` in tangent.toml looks at that instead.`;
    return [`${what}${macros} To live with it: [[suppress]] with function = "${location.function}" and a reason.`];
  });
}
