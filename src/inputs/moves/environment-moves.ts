// Moves of the environment: variables that many programs ask for, set to usual and unusual values, or taken away.

import type { Invocation } from "../invocation.js";
import type { Draft } from "./move.js";
import type { MoveContext } from "./pool.js";
import { shown } from "./shown-text.js";

/** Values of variables that programs and libc look at. */
const USUAL: readonly (readonly [string, readonly string[]])[] = [
  ["POSIXLY_CORRECT", ["1"]],
  ["LC_ALL", ["C", "C.UTF-8", "en_US.UTF-8", "xx_YY"]],
  ["TZ", ["UTC0", "EST5EDT", "<+1234>-12:34", ":none"]],
  ["COLUMNS", ["1", "20", "0", "-1", "99999999999"]],
  ["TERM", ["dumb", "xterm-256color"]],
  ["HOME", ["/nonexistent"]],
  ["TMPDIR", ["/nonexistent"]],
  ["PATH", [""]],
  ["BLOCKSIZE", ["1"]],
];
const MOST_REMOVED = 24;

export function setVariable(from: Invocation, name: string, value: string): Draft {
  const others = from.environment.filter((variable) => !variable.startsWith(`${name}=`));
  return {
    kind: "environment",
    step: `${shown(`${name}=${value}`)} set in the environment`,
    make: () => ({ ...from, environment: [...others, `${name}=${value}`] }),
  };
}

function removeVariable(from: Invocation, name: string): Draft {
  return {
    kind: "environment",
    step: `${shown(name)} taken out of the environment`,
    make: () => ({
      ...from,
      environment: from.environment.filter((variable) => !variable.startsWith(`${name}=`)),
    }),
  };
}

export function* environmentMoves({ from, pool }: MoveContext): Generator<Draft> {
  for (const [name, values] of USUAL) yield setVariable(from, name, values[0]);
  const set = from.environment.map((variable) => variable.slice(0, variable.indexOf("=")));
  const wellKnown = new Set(USUAL.map(([name]) => name));
  const names = [...set.filter((name) => wellKnown.has(name)), ...set.filter((name) => !wellKnown.has(name))];
  for (const name of names.filter((known) => known !== "").slice(0, MOST_REMOVED)) yield removeVariable(from, name);
  for (const [name, values] of USUAL) for (const value of values.slice(1)) yield setVariable(from, name, value);
  for (const variable of pool.variables) {
    const at = variable.indexOf("=");
    if (at > 0) yield setVariable(from, variable.slice(0, at), variable.slice(at + 1));
  }
}
