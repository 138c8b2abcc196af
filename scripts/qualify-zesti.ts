// The ZESTI paper's tables on our engine (npm run qualify:zesti -- [options] PROGRAM...): recorded tests, each by itself at each
// distance, with one or several sets of choices (scripts/zesti/cell.ts). What was measured is kept, so that it can be interrupted.
//
//   npm run qualify:zesti -- cjson giflib                 known bugs; their trees are those of qualify:known-bugs, recorded there
//   npm run qualify:zesti -- --suites bc sed              the packages' own suites, as qualify:suites recorded them
//
//   --choices ours,breadth  --distances 0,1,2,3  --seconds 5 (of processor time, a test at a distance)  --sample N (tests of each
//   executable)  --executable NAME...  --output FILE (cells, one a line)  --tables (only print what is there)

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { isAt, WORK as TREES } from "./known-bugs/hunt.js";
import { LIBRARIES } from "./known-bugs/libraries.js";
import { TOOLS } from "./known-bugs/tools.js";
import { WORK as SUITES } from "./suites/build.js";
import { scriptArguments } from "./usage.js";
import { type Cell, CHOICES, keyOf } from "./zesti/cell.js";
import { type Judge, type Measurement, measure } from "./zesti/measure.js";
import {
  checksByProgram,
  compareChoices,
  distanceAndDepth,
  distancesByTest,
  subSuites,
  timeByDistance,
} from "./zesti/tables.js";

const KNOWN = [...LIBRARIES, ...TOOLS];
/** Generated code needs a stack that only a worker can have. */
const STACK_MB = 512;
const SUB_SUITES = [1, 2, 3, 4, 6];

function judgeOf(name: string): Judge {
  const bugs = KNOWN.find((program) => program.name === name)?.bugs ?? [];
  return (kind, stack, seedCommand) => {
    const frames = stack.map(({ functionName, origin, file, line, column }) => {
      return { function: functionName, origin, file, line, column };
    });
    return bugs.filter((bug) => isAt({ kind, seedCommand: [...seedCommand], stack: frames }, bug)).map(nameOf);
  };
}

function nameOf({ reference }: { readonly reference: string }): string {
  return reference.replace(/ \(.*/, "").replace(/:.*/, "");
}

function readCells(file: string): Cell[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Cell);
}

function measured(task: Measurement, tell: (cell: Cell) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task, resourceLimits: { stackSizeMb: STACK_MB } });
  return new Promise((done, failed) => {
    worker.on("message", tell);
    worker.once("error", failed);
    worker.once("exit", () => done());
  });
}

async function main(): Promise<void> {
  const { positionals, values } = scriptArguments(import.meta.url, {
    allowPositionals: true,
    options: {
      suites: { type: "boolean", default: false },
      choices: { type: "string", default: "ours" },
      distances: { type: "string", default: "0,1,2,3" },
      seconds: { type: "string", default: "5" },
      sample: { type: "string" },
      executable: { type: "string", multiple: true, default: [] },
      output: { type: "string", default: join(TREES, "zesti.jsonl") },
      tables: { type: "boolean", default: false },
    },
  });
  const cells = readCells(values.output);
  const choices = values.choices.split(",");
  const unknown = choices.find((choice) => !Object.hasOwn(CHOICES, choice));
  if (unknown !== undefined) {
    console.error(`There is no ${unknown}; there are ${Object.keys(CHOICES).join(", ")}.`);
    process.exit(2);
  }
  for (const program of values.tables ? [] : positionals) {
    const task: Measurement = {
      program,
      root: values.suites ? join(SUITES, `${program}-whole`, "source") : join(TREES, "trees", program),
      choices,
      distances: values.distances.split(",").map(Number),
      cellMs: 1000 * Number(values.seconds),
      sample: values.sample === undefined ? null : Number(values.sample),
      executables: values.executable,
      known: new Set(cells.map(keyOf)),
    };
    await measured(task, (cell) => {
      cells.push(cell);
      appendFileSync(values.output, `${JSON.stringify(cell)}\n`);
      const { choice, distance, command, milliseconds, paths, checks, hits } = cell;
      const found = hits.map(({ bug, depth }) => ` FOUND ${bug} at depth ${depth}`).join("");
      console.error(
        `${program} ${choice} d${distance} ${command}: ${paths} paths, ${checks} checks, ${milliseconds} ms${found}`,
      );
    });
  }
  const shown = positionals.length === 0 ? cells : cells.filter(({ program }) => positionals.includes(program));
  const parts = [
    ["Distance and depth", distanceAndDepth(shown, choices[0])],
    ["Distance from every test", distancesByTest(shown, choices[0])],
    ["Sub-suites: drawn / estimated", subSuites(shown, choices[0], SUB_SUITES)],
    ["Checks on the tests' own paths", checksByProgram(shown)],
    ["Processor seconds of a test", timeByDistance(shown, choices[0])],
    ["Choices compared", compareChoices(shown)],
  ];
  for (const [title, text] of parts) console.log(`### ${title}\n${text}\n`);
}

if (isMainThread) await main();
else {
  const task = workerData as Measurement;
  await measure(task, judgeOf(task.program), (cell) => parentPort?.postMessage(cell));
}
