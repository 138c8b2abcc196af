import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, defineCommand, parseArguments } from "./command.js";
import { details, overview } from "./help.js";

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

async function start(...args: string[]): Promise<{ status: number; error: string }> {
  let error = "";
  const status = await sample.start(args, { env: {}, out: () => {}, error: (text) => (error += text) });
  return { status, error };
}

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
    [["--slow", "prog"], /unknown option --slow/],
    [["--time-limit"], /--time-limit needs a value/],
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
