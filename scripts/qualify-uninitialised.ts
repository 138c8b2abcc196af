// Uses of what was never set, against valgrind and MemorySanitizer: every program of test/programs/uninitialised with its error
// and without (-DFIXED), through Tangent, through valgrind's memcheck (gcc -O0), and through clang's -fsanitize=memory. An
// error counts as found if it is reported at one of the lines that the program marks, or (Tangent, valgrind) where libc hands
// the output or the status to the system. Anything said of a program without an error is a false alarm.
//
//   npm run qualify:uninitialised [-- NAME...]
//
// With DIR it is the recorded tests of a project that are run, as recorded, and what they use is listed, each place once:
//
//   npm run qualify:uninitialised -- --project DIR [--count N] [--program NAME] [--seconds N]
//
// Needs gcc, clang with its runtime, and valgrind; those that are missing are left out. Exits with 1 if Tangent misses an
// error or raises a false alarm.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import {
  FOLDER,
  markedLines,
  programNames,
  reportedLines,
  runUninitialised,
} from "../test/end-to-end/uninitialised-fixture.js";
import { runRecorded } from "./uninitialised/recorded-tests.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    project: { type: "string" },
    program: { type: "string" },
    count: { type: "string", default: "100000" },
    seconds: { type: "string", default: "20" },
  },
});

/** Lines of the program that a tool names; null: it is not here. 0: it says something without such a line. */
type Tool = (file: string, name: string, flags: readonly string[]) => Promise<number[] | null> | number[] | null;

const work = mkdtempSync(join(tmpdir(), "tangent-uninitialised-"));

function natively(compiler: readonly string[], runner: readonly string[]): Tool {
  return (file, name, flags) => {
    const executable = join(work, "program");
    const [command, ...rest] = compiler;
    const built = spawnSync(command, [...rest, "-w", "-g", ...flags, file, "-o", executable, "-lm"], {
      encoding: "utf8",
    });
    if (built.error !== undefined) return null;
    if (built.status !== 0) throw new Error(`${name}: ${built.stderr}`);
    const [first, ...more] = [...runner, executable];
    const ran = spawnSync(first, more, { input: "", encoding: "latin1", timeout: 60_000 });
    if (ran.error !== undefined && runner.length > 0) return null;
    const said = (ran.stderr ?? "").split("\n").filter((line) => /^==\d+==|^ +#\d/.test(line));
    const complains = said.some((line) => /ninitiali[sz]ed|use-of-uninitialized/.test(line));
    if (!complains) return [];
    const places = said.flatMap((line) => {
      const place = new RegExp(`${name}\\.c:(\\d+)`).exec(line);
      return place === null ? [] : [Number(place[1])];
    });
    return places.length === 0 ? [0] : places;
  };
}

const TOOLS: Readonly<Record<string, Tool>> = {
  tangent: async (file, _name, flags) => reportedLines(await runUninitialised(file, ["-g", ...flags])),
  valgrind: natively(["gcc", "-O0"], ["valgrind", "-q", "--track-origins=no"]),
  msan: natively(["clang", "-O0", "-fsanitize=memory", "-fno-omit-frame-pointer"], []),
};

async function compareTools(names: readonly string[]): Promise<boolean> {
  const counts = new Map(Object.keys(TOOLS).map((tool) => [tool, { found: 0, missed: 0, alarms: 0 }]));
  for (const name of names) {
    const file = join(FOLDER, `${name}.c`);
    const marked = markedLines(name);
    const words: string[] = [];
    for (const [tool, look] of Object.entries(TOOLS)) {
      const count = counts.get(tool);
      const lines = await look(file, name, []);
      const twin = await look(file, name, ["-DFIXED"]);
      if (lines === null || twin === null || count === undefined) {
        counts.delete(tool);
        continue;
      }
      const isFound = lines.some((line) => line === 0 || marked.includes(line));
      if (isFound) count.found++;
      else count.missed++;
      if (twin.length > 0) count.alarms++;
      words.push(`${tool} ${isFound ? "found" : "MISSED"}${twin.length > 0 ? ", FALSE ALARM" : ""}`);
    }
    console.log(`${name.padEnd(20)} ${words.join("   ")}`);
  }
  for (const [tool, { found, missed, alarms }] of counts) {
    console.log(`${tool}: ${found} found, ${missed} missed, ${alarms} false alarms`);
  }
  const ours = counts.get("tangent");
  return ours !== undefined && ours.missed === 0 && ours.alarms === 0;
}

try {
  if (values.project !== undefined) {
    const seconds = Number(values.seconds);
    await runRecorded(resolve(values.project), {
      program: values.program ?? null,
      count: Number(values.count),
      seconds,
    });
  } else {
    const known = programNames();
    const names = positionals.length === 0 ? known : positionals.map((name) => basename(name, ".c"));
    process.exitCode = (await compareTools(names)) ? 0 : 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
