// `tangent findings`: all findings of the project, of whatever campaign, each with its state.

import { findProject } from "../project/project-folder.js";
import { byImportance, counted, whereOf } from "../report/finding-view.js";
import { KEPT_STATES, type KeptFinding, KeptFindings } from "../report/kept-findings.js";
import { namedBy } from "../report/named-findings.js";
import { withSuppressed } from "../report/suppressed.js";
import { visible } from "../support/visible-text.js";
import { defineCommand, USAGE_STATUS } from "./command.js";
import { findingSettings, shownPaths } from "./project-settings.js";

const STATES = [...KEPT_STATES.filter((state) => state !== "gone"), "suppressed", "gone"] as const;
type ShownState = (typeof STATES)[number];

export const command = defineCommand({
  name: "findings",
  summary: "List all findings of the project, of every campaign, with their states",
  description: `A finding is kept when it is found, until it is forgotten. It is
  new          if the last campaign was the first to find it,
  still there  if an earlier one found it, and nothing says that it is fixed,
  suppressed   if tangent.toml says so ([[suppress]]),
  gone         if its input no longer makes a later build of the program fail.
\`tangent show ID\` shows one in full.`,
  options: {
    json: { kind: "flag", help: "print them as JSON" },
    state: { kind: "choice", choices: ["new", "still-there", "suppressed", "gone"], help: "only those of this state" },
    forget: { kind: "list", value: "ID", help: "remove this finding; the beginning of its id will do" },
    forgetGone: { kind: "flag", help: "remove those that are gone" },
  },
  operands: {},
  run(options, _operands, context) {
    const folder = findProject(process.cwd());
    const kept = new KeptFindings(folder);
    for (const word of options.forget) {
      const matching = namedBy(
        kept.list().map(({ finding }) => finding),
        word,
      );
      if (matching.length !== 1) {
        const what = matching.length === 0 ? "no finding's id begins" : `${matching.length} findings' ids begin`;
        context.error(`tangent findings: --forget: ${what} with ${visible(word)}; see \`tangent findings\`\n`);
        return USAGE_STATUS;
      }
      kept.forget(matching[0].id);
    }
    if (options.forgetGone) {
      for (const { finding, state } of kept.list()) if (state === "gone") kept.forget(finding.id);
    }
    const { suppress } = findingSettings(folder);
    const paths = shownPaths(folder);
    const list = ordered(
      kept.list().map((entry) => {
        const [finding] = withSuppressed([entry.finding], suppress, paths);
        return { ...entry, finding, shown: stateOf({ ...entry, finding }) };
      }),
    ).filter(({ shown }) => options.state === undefined || shown.replace(" ", "-") === options.state);
    if (options.json) {
      const values = list.map(({ shown: state, finding, technique, firstSeen, lastSeen }) => {
        return { state, technique, firstSeen, lastSeen, ...finding };
      });
      context.out(`${JSON.stringify(values, null, 2)}\n`);
      return 0;
    }
    for (const { finding, shown } of list) {
      const why = finding.suppressed === undefined ? "" : ` (${finding.suppressed})`;
      const what = `${finding.title} at ${whereOf(finding, paths)}${why}`;
      context.out(`${visible(`${finding.id}  ${shown.padEnd(11)}  ${finding.severity.padEnd(8)}  ${what}`)}\n`);
    }
    const counts = STATES.flatMap((state) => {
      const count = list.filter(({ shown }) => shown === state).length;
      return count === 0 ? [] : [`${count} ${state}`];
    });
    context.error(
      `tangent: ${counted(list.length, "finding")}${counts.length === 0 ? "" : `: ${counts.join(", ")}`}\n`,
    );
    return 0;
  },
});

function stateOf({ state, finding }: KeptFinding): ShownState {
  return state !== "gone" && finding.suppressed !== undefined ? "suppressed" : state;
}

interface Listed extends KeptFinding {
  readonly shown: ShownState;
}

/** By state, the worst first in each. */
function ordered(list: readonly Listed[]): Listed[] {
  const places = new Map(byImportance(list.map(({ finding }) => finding)).map(({ id }, index) => [id, index]));
  const place = ({ finding }: Listed): number => places.get(finding.id) ?? 0;
  return [...list].sort((a, b) => STATES.indexOf(a.shown) - STATES.indexOf(b.shown) || place(a) - place(b));
}
