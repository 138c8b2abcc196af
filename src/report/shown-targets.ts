// What findings say of the failing lines of units: a line at which a whole run fails is shown by that run, whichever technique found it and
// whatever it is called there (where an access lands depends on what lies behind the object). And the chain of callers is led up to
// `main` by the finding's stack, because the last step is most often taken by a run of the whole program.

import type { ComposeTarget } from "../techniques/compose/compose-outcome.js";
import type { ChainLink } from "../techniques/compose/compose-work.js";
import type { ResultFinding, ResultFrame } from "./campaign-result.js";

/** A link of which only the place is known. */
const NO_FUNCTION = -1;

/** Those that are shown first. */
export function shownTargets(
  targets: readonly ComposeTarget[],
  findings: readonly ResultFinding[],
): readonly ComposeTarget[] {
  const all = targets.map((target) => {
    const own = target.state.kind === "lifted" ? target.state.finding : null;
    const finding = findings.find((one) => (own === null ? isAt(one, target) : one.id === own));
    return finding === undefined ? target : shownBy(target, finding, own !== null);
  });
  const isLifted = ({ state }: ComposeTarget): boolean => state.kind === "lifted";
  return [...all.filter(isLifted), ...all.filter((target) => !isLifted(target))];
}

function isAt({ location, program }: ResultFinding, target: ComposeTarget): boolean {
  return (
    location !== null &&
    location.file !== null &&
    location.file === target.file &&
    location.line === target.line &&
    location.function === target.functionName &&
    program === target.program
  );
}

/** `isLed`: by its chain; otherwise nothing says that the chain's conditions hold in that run. */
function shownBy(target: ComposeTarget, finding: ResultFinding, isLed: boolean): ComposeTarget {
  return {
    ...target,
    message: finding.message,
    chain: fromMain(isLed ? target.chain : [], finding.stack),
    state: { kind: "lifted", finding: finding.id },
  };
}

/** `stack`: innermost first. */
function fromMain(chain: readonly ChainLink[], stack: readonly ResultFrame[]): readonly ChainLink[] {
  const [first] = chain;
  const at = first === undefined ? -1 : stack.findLastIndex((frame) => frame.function === first.name);
  if (first !== undefined && at < 0) return chain;
  const callers = stack.slice(at + 1).filter(({ origin }) => origin === "program");
  return [...callers.reverse().map(linkOf), ...chain];
}

function linkOf({ function: name, file, line }: ResultFrame): ChainLink {
  return { function: NO_FUNCTION, name, file, line: Math.max(0, line), condition: [], arguments: [] };
}
