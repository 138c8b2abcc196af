// Tasks in the style of SV-COMP's floating-point categories (scripts/float-tasks): rounding, NaN, conversions, Newton and Taylor
// iterations, filters. Each says in a comment whether an error can be reached. Each is explored for 20 seconds; an error
// counts as found only with an input that was run again. A task without an error must not be reported.
//
//   npm run qualify:float-tasks [-- [--seconds N] NAME...]
//
// Exits with 1 if a task without an error was reported, a prediction was wrong, or fewer errors were found than the bar says.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { explore, PLAIN_EXPLORATION } from "../test/end-to-end/explore-fixture.js";
import { scriptArguments } from "./usage.js";

/** Errors to be found of those that there are. */
const BAR = 45;
const FOLDER = join(resolve(import.meta.dirname, "../.."), "scripts/float-tasks");

const { values, positionals } = scriptArguments(import.meta.url, {
  options: { seconds: { type: "string", default: "20" } },
  allowPositionals: true,
});
const seconds = Number(values.seconds);
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".c"))
  .map((file) => file.slice(0, -2))
  .filter((name) => positionals.length === 0 || positionals.includes(name))
  .sort();

let found = 0;
let errors = 0;
let wrong = 0;
let proved = 0;
for (const name of names) {
  const program = join(FOLDER, `${name}.c`);
  const answer = /^\/\/ answer: (error|none)$/m.exec(readFileSync(program, "utf8"))?.[1];
  if (answer === undefined) throw new Error(`${name} does not say its answer`);
  const options = ["--stop-at-first", "--max-time", `${seconds}s`];
  const reply = await explore({ ...PLAIN_EXPLORATION, program, options, timeLimitMs: seconds * 1000 + 120_000 });
  if (answer === "error") errors++;
  if (reply.kind === "failed") {
    // Ended from outside because a step took too long: no answer, as when time is over. Anything else is trouble.
    const isLate = reply.message.includes("did not stop in time");
    if (!isLate) wrong++;
    console.log(isLate ? `${name.padEnd(28)}${answer.padEnd(7)}did not stop in time` : `${name}: ${reply.message}`);
    continue;
  }
  const { numbers } = reply;
  const isFound = reply.findings.some(({ confirmed }) => confirmed === true);
  const isProved = numbers.complete && numbers.unknown === 0 && !isFound;
  const isWrong = (answer === "error" ? isProved : isFound) || numbers.divergences > 0;
  if (answer === "error" && isFound) found++;
  if (answer === "none" && isProved) proved++;
  if (isWrong) wrong++;
  const verdict = isFound ? "found" : isProved ? "no error" : "not decided";
  const time = `${(numbers.timeMs / 1000).toFixed(1)} s`;
  const lost = Object.entries(numbers.losses).map(([reason, count]) => `${reason} ${count}`);
  const more = [`${numbers.paths} paths`, ...(numbers.unknown > 0 ? [`${numbers.unknown} unknown`] : []), ...lost];
  console.log(
    `${name.padEnd(28)}${answer.padEnd(7)}${verdict.padEnd(13)}${time.padStart(7)}  ${more.join(", ")}${isWrong ? "  WRONG" : ""}`,
  );
}
console.log(
  `${found} of ${errors} errors found in ${seconds} s each, ${proved} of ${names.length - errors} tasks without`,
);
console.log(`an error explored completely, ${wrong} wrong.`);
if (wrong > 0 || (positionals.length === 0 && found < BAR)) process.exitCode = 1;
