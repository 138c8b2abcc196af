import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { assembleSolver } from "../solver/chain.js";
import { Random } from "../support/random.js";
import { GuidedExploration } from "./guided-exploration.js";
import { type HookedOptions, type HookedProgram, hookedTest } from "./hooked-program.js";
import { summaryOf } from "./unit-executor.js";
import { compileUnit, testWith } from "./unit-fixture.js";

const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int marks;
static int inner(int n) { return n > 1000 ? 1 : 2; }
static int scale(int n, const char *from) { marks += from[0]; return inner(n * 3); }
static int stepped(int n) { return n; }
int main(int argc, char **argv) {
  char line[8] = {0};
  FILE *file = fopen("data.txt", "r");
  if (file && fread(line, 1, 4, file) < 4) return 9;
  if (argc > 1 && argv[1][0] == 'a') return scale(line[0], argv[1]);
  if (argc > 1 && argv[1][0] == 'f') {
    int status = 0;
    if (stepped(1) != 1) puts("answered");
    pid_t child = fork();
    if (child < 0) return 50;
    if (child == 0) exit(stepped(7));
    wait(&status);
    return WEXITSTATUS(status) + 10;
  }
  int c = getchar();
  if (c != EOF) return scale(c - 'A', "s");
  return 0;
}
`;

const LIMITS = { instructions: 1e7, timeMs: 1e4 };
const EXECUTION = { heapBytes: 0x100_0000, seed: 1 };

describe("whole programs with hooks", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  const made = (test: TestInput, options: HookedOptions): HookedProgram => {
    const hooked = hookedTest(image, test, EXECUTION, options);
    if (hooked.kind === "failed") throw new Error(hooked.message);
    return hooked.executor;
  };
  /** Inputs that were found, by object. */
  const explored = (executor: HookedProgram): Record<string, string>[] => {
    const solver = assembleSolver(executor.arena, {});
    const exploration = new GuidedExploration(
      executor,
      { solver, random: new Random(3), seeds: [executor.firstInput], limits: { paths: 50 } },
      { keepsRuns: true },
    );
    const found: Record<string, string>[] = [];
    for (const event of exploration.explore()) {
      if (event.kind !== "finding-confirmed" || event.finding.kind !== "reported") continue;
      const values = executor.space.valuesOfRun(event.input, event.outcome.objects);
      found.push(Object.fromEntries(values.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("latin1")])));
    }
    return found;
  };
  const meets = (wanted: number, name: string | number): HookedOptions => ({
    hooks: [
      {
        function: name,
        hook: (call) => {
          const value = call.expressionOf(call.arguments[0][0]);
          call.check(call.arena.binary("eq", value, call.arena.constant(32, wanted, 0)), "met");
          return null;
        },
      },
    ],
  });

  it("a check at a call deep inside finds the input of the whole program: of standard input", () => {
    const [found, ...more] = explored(made(testWith({ stdin: "xyz" }), meets(33, "inner")));
    assert.equal(found.stdin[0], "L");
    assert.equal(more.length, 0);
  });

  it("of a file, and by the function's index", () => {
    const inner = image.functions.findIndex(({ name }) => name === "inner");
    const test = testWith({ words: ["a"], files: { "data.txt": "1234" } });
    const [found] = explored(made(test, meets(3 * 77, inner)));
    assert.equal(found["file:data.txt"][0], "M");
    assert.equal(found.arg0[0], "a");
  });

  it("of arguments, which the callee's caller reads", () => {
    const options: HookedOptions = {
      hooks: [
        {
          function: "scale",
          hook: (call) => {
            const at = call.load(call.arguments[1][0].low >>> 0, 2);
            if (at !== null)
              call.check(call.arena.binary("eq", at, call.arena.constant(16, 0x7161, 0)), "the second letter");
            return null;
          },
        },
      ],
    };
    const [found] = explored(made(testWith({ words: ["ab"], files: { "data.txt": "1234" } }), options));
    assert.equal(found.arg0, "aq");
  });

  it("what cannot be met is not found, and functions that are not there are told", () => {
    assert.deepEqual(explored(made(testWith({ stdin: "xyz" }), meets(34, "inner"))), []);
    const wrong = hookedTest(image, testWith({}), EXECUTION, { hooks: [{ function: "nobody", hook: () => null }] });
    assert.equal(wrong.kind, "failed");
    const outside = hookedTest(image, testWith({}), EXECUTION, { hooks: [{ function: 1e6, hook: () => null }] });
    assert.equal(outside.kind, "failed");
  });

  it("stubs answer, and paths are summarised", () => {
    const executor = made(testWith({ stdin: "xyz" }), { stubs: [{ function: "inner" }], summaries: true });
    const outcome = executor.run(executor.firstInput, QUIET, LIMITS);
    const summary = summaryOf(outcome);
    assert.equal(summary?.answered, 1);
    assert.equal(summary?.result, null);
    assert.ok((summary?.path.length ?? 0) > 0);
    assert.ok(outcome.objects.some(({ name }) => name === "stub:inner"));
  });

  it("with nothing symbolic hooks see the same calls at the same addresses", () => {
    const seen = (concrete: boolean): readonly number[] => {
      const values: number[] = [];
      const hook = {
        function: "scale",
        hook: (call: { arguments: readonly (readonly { low: number }[])[] }) => {
          values.push(...call.arguments.map(([part]) => part.low));
          return null;
        },
      };
      const executor = made(testWith({ words: ["ab"], files: { "data.txt": "1234" } }), { hooks: [hook], concrete });
      const { end, objects } = executor.run(executor.firstInput, QUIET, LIMITS);
      assert.deepEqual(end, { kind: "exit", code: 2 });
      assert.equal(objects.length === 0, concrete);
      return values;
    };
    assert.equal(seen(true).length, 2);
    assert.deepEqual(seen(true), seen(false));
  });

  it("children run without hooks, and none is made once a hook has answered", () => {
    let calls = 0;
    const test = testWith({ words: ["f"] });
    const looking = made(test, {
      hooks: [
        {
          function: "stepped",
          hook: () => {
            calls++;
            return null;
          },
        },
      ],
    });
    assert.deepEqual(looking.run(looking.firstInput, QUIET, LIMITS).end, { kind: "exit", code: 17 });
    assert.equal(calls, 1);
    const answering = made(test, {
      hooks: [{ function: "stepped", hook: ({ arena }) => [arena.constant(32, 1, 0)] }],
    });
    assert.deepEqual(answering.run(answering.firstInput, QUIET, LIMITS).end, { kind: "exit", code: 50 });
  });
});

const QUIET = { branch() {}, choose() {}, check() {}, pin() {}, assume() {} };
