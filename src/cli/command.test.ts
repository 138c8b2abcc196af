import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, defineCommand, parseArguments } from "./command.js";
import { details, overview } from "./describe.js";

const seen: unknown[] = [];
const sample: Command = defineCommand({
  name: "sample",
  summary: "Show how commands are declared",
  options: {
    fast: { kind: "flag", short: "f", help: "hurry" },
    timeLimit: { kind: "number", value: "SECONDS", help: "stop after that time", least: 1 },
    include: { kind: "list", short: "I", value: "DIR", help: "look there" },
    form: { kind: "choice", choices: ["text", "json"], help: "the form of the output" },
  },
  operands: {
    program: { kind: "one", value: "PROG", help: "what to run" },
    args: { kind: "rest", value: "ARG", help: "its arguments" },
  },
  run(options, operands) {
    // The types follow from the declaration.
    const limit: number | undefined = options.timeLimit;
    const form: "text" | "json" | undefined = options.form;
    const program: string = operands.program;
    seen.push({ fast: options.fast, limit, form, include: options.include, program, args: operands.args });
    return 7;
  },
});

async function startCommand(
  command: Command,
  args: readonly string[],
): Promise<{ status: number; out: string; error: string }> {
  let out = "";
  let error = "";
  const status = await command.start(args, {
    env: {},
    out: (text) => (out += text),
    error: (text) => (error += text),
  });
  return { status, out, error };
}

const start = (...args: string[]) => startCommand(sample, args);

test("command: options come before the program, and everything after it is the program's", async () => {
  assert.equal(
    (await start("-f", "--time-limit=3", "-I", "a", "-I", "b", "--form", "json", "prog", "-f", "--", "x")).status,
    7,
  );
  assert.deepEqual(seen.pop(), {
    fast: true,
    limit: 3,
    form: "json",
    include: ["a", "b"],
    program: "prog",
    args: ["-f", "--", "x"],
  });
});

test("command: -- ends the options", async () => {
  await start("--", "-prog", "-f");
  assert.deepEqual(seen.pop(), {
    fast: false,
    limit: undefined,
    form: undefined,
    include: [],
    program: "-prog",
    args: ["-f"],
  });
});

test("command: a mistake is named, with the command that explains", async () => {
  for (const [args, message] of [
    [["--slow", "prog"], /unknown option --slow\n/],
    [["-time-limit=3", "prog"], /unknown option -time-limit=3; is --time-limit meant\?\n/],
    [["--limit", "3", "prog"], /unknown option --limit; is --time-limit meant\?\n/],
    [["--inc", "a", "prog"], /unknown option --inc; is --include meant\?\n/],
    [["--fsat", "prog"], /unknown option --fsat; is --fast meant\?\n/],
    [["--tiem-limit", "3", "prog"], /unknown option --tiem-limit; is --time-limit meant\?\n/],
    [["--time-limit"], /--time-limit needs a value/],
    [["--time-limit", "--fast", "prog"], /--time-limit needs a value, and --fast is an option/],
    [["--time-limit", "soon", "prog"], /needs a number, not soon/],
    [["--time-limit", "0", "prog"], /at least 1/],
    [["--form", "xml", "prog"], /one of text, json, not xml/],
    [["--fast=1", "prog"], /--fast takes no value/],
    [["-f"], /PROG is missing/],
  ] as const) {
    const { status, error } = await start(...args);
    assert.equal(status, 2);
    assert.match(error, message);
    assert.match(error, /tangent help sample/);
  }
});

test("command: operands beyond those declared are questioned", () => {
  const result = parseArguments({}, { only: { kind: "optional", value: "X", help: "" } }, ["a", "b"]);
  assert.deepEqual(result, { kind: "wrong", problem: "what is b?" });
});

test("help: it shows every option and operand of the declaration", () => {
  const text = details(sample);
  assert.match(text, /^Usage: tangent sample \[OPTIONS\] PROG \[ARG\.\.\.\]\n/);
  assert.match(text, /-f, --fast +hurry\n/);
  assert.match(text, /--time-limit SECONDS +stop after that time\n/);
  assert.match(text, /--form text\|json +the form of the output\n/);
  assert.match(overview([sample]), /sample +Show how commands are declared\n/);
});

test("command: --help and -h explain it, whatever else is asked for before the program", async () => {
  for (const args of [["--help"], ["-h"], ["-f", "--include", "a", "--help"], ["-h", "prog"]]) {
    assert.deepEqual(await start(...args), { status: 0, out: details(sample), error: "" });
  }
  assert.match(details(sample), /-h, --help +show this\n/);
  assert.equal(seen.length, 0);
});

test("command: --help after the program is the program's, after an option its value, after -- an operand", async () => {
  for (const [args, expected] of [
    [["prog", "--help"], { program: "prog", args: ["--help"], include: [] }],
    [["-I", "-h", "prog", "-h"], { program: "prog", args: ["-h"], include: ["-h"] }],
    [["--", "--help"], { program: "--help", args: [], include: [] }],
  ] as const) {
    assert.equal((await start(...args)).status, 7);
    assert.deepEqual(seen.pop(), { fast: false, limit: undefined, form: undefined, ...expected });
  }
});

test("command: one that hands its words on explains itself only when asked for nothing else", async () => {
  const passed: (readonly string[])[] = [];
  const tool = defineCommand({
    name: "tool",
    summary: "Call another tool",
    options: {},
    operands: { args: { kind: "rest", value: "ARG", help: "its words" } },
    run(_, { args }) {
      passed.push(args);
      return 5;
    },
  });
  assert.deepEqual(await startCommand(tool, ["--help"]), { status: 0, out: details(tool), error: "" });
  assert.equal((await startCommand(tool, ["-c", "--help"])).status, 5);
  assert.equal((await startCommand(tool, ["--help", "-v"])).status, 5);
  assert.deepEqual(passed, [
    ["-c", "--help"],
    ["--help", "-v"],
  ]);
});

test("command: a flag may take several values, any number of times, and remembers the order among such flags", () => {
  const specs = {
    symArg: { kind: "tuple", values: ["N"], help: "" },
    symArgs: { kind: "tuple", values: ["MIN", "MAX", "LEN"], help: "" },
  } as const;
  const program = { program: { kind: "one", value: "P", help: "" } } as const;
  const result = parseArguments(specs, program, [
    "--sym-args",
    "0",
    "2",
    "3",
    "-sym-arg",
    "4",
    "--sym-args",
    "1",
    "1",
    "1",
    "p",
  ]);
  assert.ok(result.kind === "parsed");
  if (result.kind !== "parsed") return;
  assert.deepEqual(result.options, {
    symArgs: [
      { at: 0, values: ["0", "2", "3"] },
      { at: 6, values: ["1", "1", "1"] },
    ],
    symArg: [{ at: 4, values: ["4"] }],
  });
  const short = parseArguments(specs, program, ["--sym-args", "0", "2"]);
  assert.deepEqual(short, { kind: "wrong", problem: "--sym-args needs MIN MAX LEN" });
});

test("command: a time has a unit, and is seconds without one", () => {
  const specs = { maxTime: { kind: "duration", value: "TIME", help: "" } } as const;
  const time = (text: string): unknown => {
    const result = parseArguments(specs, {}, ["--max-time", text]);
    return result.kind === "parsed" ? result.options.maxTime : result;
  };
  assert.equal(time("30s"), 30_000);
  assert.equal(time("7m30s"), 450_000);
  assert.equal(time("2h"), 7_200_000);
  assert.equal(time("10"), 10_000);
  for (const bad of ["soon", "5 years", "-1s"]) {
    assert.deepEqual(time(bad), {
      kind: "wrong",
      problem: `--max-time needs a time such as 30s, 7m30s or 500ms, not ${bad}`,
    });
  }
});

test("command: options of ours among a program's arguments are refused or told, and never silently the program's", async () => {
  const started: unknown[] = [];
  const make = (ours: "refused" | "told"): Command =>
    defineCommand({
      name: "wrap",
      summary: "Start something",
      options: {
        time: { kind: "duration", value: "TIME", help: "" },
        export: { kind: "tuple", values: ["KIND", "DIR"], help: "" },
        quiet: { kind: "flag", short: "q", help: "" },
      },
      operands: {
        command: { kind: "optional", value: "CMD", help: "" },
        words: { kind: "rest", value: "ARG", help: "", ours },
      },
      run: (options, { command, words }) => {
        started.push([options.time, command, words]);
        return 0;
      },
    });
  const refused = await startCommand(make("refused"), ["-q", "make", "check", "--time", "5m", "--export", "a", "b"]);
  assert.equal(refused.status, 2);
  assert.equal(
    refused.error,
    "tangent wrap: --time is an option of tangent's, but stands among the arguments of make. Write\n" +
      "    tangent wrap -q --time 5m --export a b -- make check\n" +
      "or, if it is meant for make,\n" +
      "    tangent wrap -q -- make check --time 5m --export a b\n",
  );
  assert.equal((await startCommand(make("refused"), ["make", "--time=5m"])).status, 2);
  assert.deepEqual(started, []);
  for (const words of [
    ["--time", "1s", "make", "-q", "--timely"],
    ["--time", "1s", "--", "make", "--time", "5m"],
  ]) {
    const { status, error } = await startCommand(make("refused"), words);
    assert.deepEqual([status, error, started.pop()], [0, "", [1000, "make", words.slice(words.indexOf("make") + 1)]]);
  }
  const told = await startCommand(make("told"), ["prog", "--quiet"]);
  assert.deepEqual([told.status, started.pop()], [0, [undefined, "prog", ["--quiet"]]]);
  assert.match(told.error, /^tangent wrap: note: --quiet is given to prog; .*\n$/);
  assert.equal((await startCommand(make("told"), ["--", "prog", "--quiet"])).error, "");
});

test("command: a choice may have a meaning by itself", () => {
  const specs = { confirm: { kind: "choice", choices: ["native", "asan"], bare: "native", help: "" } } as const;
  const value = (...args: string[]): unknown => {
    const result = parseArguments(specs, { rest: { kind: "any", value: "X", help: "" } }, args);
    return result.kind === "parsed" ? [result.options.confirm, result.operands.rest] : result.kind;
  };
  assert.deepEqual(value(), [undefined, []]);
  assert.deepEqual(value("--confirm", "asan"), ["native", ["asan"]]);
  assert.deepEqual(value("--confirm=asan"), ["asan", []]);
  assert.equal(value("--confirm=msan"), "wrong");
});
