// Which of the calls of a function are worth being explored, where there is no time for all of them.

import type { RecordedContext } from "./record-contexts.js";

/** At most `count`; `sorted`: the best first. */
export function differentCalls<Call extends Pick<RecordedContext, "call" | "chain">>(
  sorted: readonly Call[],
  count: number,
): readonly Call[] {
  // From different callers first: a second call from the same place shows less that is new.
  const ways = new Set<number>();
  const first = sorted.filter(({ chain }) => {
    const caller = chain.at(-1) ?? -1;
    const isNew = !ways.has(caller);
    ways.add(caller);
    return isNew;
  });
  const others = sorted.filter((context) => !first.includes(context));
  // The last call of a run is where things end.
  const last = others.length === 0 ? [] : [others.reduce((a, b) => (b.call > a.call ? b : a))];
  return [...new Set([...first.slice(0, count - 1), ...last, ...first, ...others])].slice(0, count);
}
