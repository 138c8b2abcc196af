import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import type { ProgramImage } from "../jit/image.js";
import { compileUnit, exploreUnit, numberIn, unit } from "./unit-fixture.js";

const SOURCE = `
#include <stdlib.h>
#include <string.h>
struct pair { long a, b; };
static int checksum(const unsigned char *p, int n) {
  unsigned h = 17;
  for (int k = 0; k < n; k++) h = h * 31 + p[k];
  return h ^ h >> 7;
}
static int read_header(int fd, int *length, unsigned char *flags) { *length = 4; *flags = 0; return fd; }
static struct pair both(void) { struct pair p = {1, 2}; return p; }
static char letter(void) { return 'a'; }
static _Bool ready(void) { return 0; }
static void note(int value) { (void)value; }
static void stop(void) { exit(3); }
static char *name_of(int n) { return n ? "some" : "none"; }
static double scale(double d) { return d * 2; }

int accept(const unsigned char *packet, int n) {
  if (checksum(packet, n) != 0x1234567) return 0;
  return packet[0] / (packet[1] - 'x');
}
int open_it(int fd) {
  int length = 0;
  unsigned char flags = 0, buffer[8];
  if (read_header(fd, &length, &flags) != 0) return 1;
  if (flags & 1) return 2;
  if (length < 0) return 3;
  return buffer[length] = 1;
}
int pairs(void) {
  struct pair p = both();
  if (p.a == 77) { if (p.b == -5) return 1; return 2; }
  return 3;
}
int small(void) {
  if (ready()) { if (letter() == 'z') return 1; return 2; }
  return 3;
}
int twice(void) {
  int n = 0;
  for (int k = 0; k < 2; k++) if (letter() == 'q') n++;
  return n;
}
int watched(int n) {
  for (int k = 0; k < n; k++) note(k * 2 + n);
  return n;
}
int ends(int n) { if (n == 4) stop(); return 1; }
int named(int n) { char *s = name_of(n); if (s[0] == 'x') return s[5]; return 0; }
int again(int n) { if (n > 10) return 7; if (n < 0) return again(n + 100) + 1; return 0; }
int scaled(void) { return scale(1.5) == 3.0; }
int text(const char *s) { if (strlen(s) == 1000000) return 1; return 0; }
void fill_rest(int *numbers) { numbers[1] = numbers[2] = 0; }
int filled(void) {
  int numbers[3] = { 7, 0, 0 };
  fill_rest(numbers);
  if (numbers[0] != 7) return 3;
  if (numbers[2] == 0x1234) return 1;
  return 2;
}
int main(void) { return accept((const unsigned char *)"", 0) + scaled(); }
`;

const SYMBOLIC = { kind: "symbolic" } as const;

describe("calls of a unit", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });

  const resultsOf = (explored: ReturnType<typeof exploreUnit>): (number | undefined)[] =>
    explored.summaries.map(({ summary }) => summary.result?.[0].low).sort((a = 0, b = 0) => a - b);

  it("a callee that no solver can invert is replaced by a symbolic stub, and what is behind it is found", () => {
    const parameters = [
      { kind: "object", size: 4 },
      { kind: "concrete", value: 4 },
    ] as const;
    const accept = unit("accept", { parameters, stubs: [{ function: "checksum" }] });
    const { findings, isComplete, statistics } = exploreUnit(image, accept);
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ["division-by-zero"],
    );
    assert.equal(numberIn(findings[0].input["stub:checksum"]), 0x1234567);
    assert.equal(findings[0].input["*param:0"][1], 0x78);
    assert.equal(isComplete, true);
    assert.equal(statistics.divergences, 0);
  });

  it("a stub fills what its parameters point to", () => {
    const outputs = [
      { parameter: 1, size: 4 },
      { parameter: 2, size: 1 },
    ];
    const stubs = [{ function: "read_header", outputs }];
    const open = exploreUnit(image, unit("open_it", { parameters: [{ kind: "concrete", value: 5 }], stubs }));
    assert.deepEqual(
      open.findings.map(({ kind }) => kind),
      ["write"],
    );
    assert.ok(numberIn(open.findings[0].input["stub:read_header:1"]) > 7);
    assert.deepEqual(new Set(resultsOf(open)), new Set([undefined, 1, 2, 3]));
    assert.equal(open.statistics.divergences, 0);
  });

  it("a stub fills from an offset on, as far as there is memory", () => {
    const outputs = [{ parameter: 0, offset: 4, size: 100 }];
    const stubs = [{ function: "fill_rest", outputs }];
    const filled = exploreUnit(image, unit("filled", { stubs }));
    assert.deepEqual(new Set(resultsOf(filled)), new Set([1, 2]));
    assert.deepEqual(
      filled.executor.space.objects.map(({ name }) => name),
      ["stub:fill_rest:0+4"],
    );
    assert.equal(filled.statistics.divergences, 0);
  });

  it("results of several parts, of a byte and of a bit are input of their widths", () => {
    const pairs = exploreUnit(image, unit("pairs", { stubs: [{ function: "both" }] }));
    assert.deepEqual(resultsOf(pairs), [1, 2, 3]);
    const stubs = [{ function: "ready" }, { function: "letter" }];
    const small = exploreUnit(image, unit("small", { stubs }));
    assert.deepEqual(resultsOf(small), [1, 2, 3]);
    assert.equal(small.isComplete, true);
    assert.equal(small.summaries.find(({ summary }) => summary.result?.[0].low === 1)?.summary.answered, 2);
  });

  it("each call of a stub is input of its own", () => {
    const twice = exploreUnit(image, unit("twice", { stubs: [{ function: "letter" }] }));
    assert.deepEqual(resultsOf(twice), [0, 1, 1, 2]);
    const occurrences = twice.executor.space.objects.filter(({ name }) => name === "stub:letter");
    assert.deepEqual(
      occurrences.map(({ occurrence, size }) => [occurrence, size]),
      [
        [0, 1],
        [1, 1],
      ],
    );
  });

  it("a stub gives a number, or a pointer to a fresh object or null", () => {
    const fixed = [{ function: "letter", result: { kind: "concrete", value: 113 } }] as const;
    assert.deepEqual(resultsOf(exploreUnit(image, unit("twice", { stubs: fixed }))), [2]);
    const object = { kind: "object", size: 4, orNull: true } as const;
    const stubs = [{ function: "name_of", result: object }];
    const { findings } = exploreUnit(image, unit("named", { parameters: [SYMBOLIC], stubs }));
    assert.equal(findings.length, 2);
    assert.deepEqual(findings.map(({ input }) => Object.keys(input).includes("*stub:name_of")).sort(), [false, true]);
  });

  it("functions of libc are replaced as well", () => {
    const parameters = [{ kind: "object", size: 2, bytes: [65, 0] }] as const;
    const text = exploreUnit(image, unit("text", { parameters, stubs: [{ function: "strlen" }] }));
    assert.deepEqual(resultsOf(text), [0, 1]);
  });

  it("a hook sees the arguments of every call as values and as expressions, and the call goes on", () => {
    const seen: string[] = [];
    const values: number[] = [];
    const { summaries } = exploreUnit(image, unit("watched", { parameters: [SYMBOLIC] }), {
      hooks: [
        {
          function: "note",
          hook: ({ arguments: [[value]], expressionOf, evaluate, arena }) => {
            seen.push(value.expression === CONCRETE ? "constant" : "expression");
            values.push(value.low);
            assert.equal(evaluate(expressionOf(value))[0], value.low);
            assert.equal(arena.width(expressionOf(value)), 32);
            return null;
          },
        },
      ],
      engine: { limits: { paths: 4 } },
    });
    assert.equal(summaries.length, 4);
    assert.ok(seen.length > 0 && seen.every((kind) => kind === "expression"));
    assert.ok(values.includes(3) && values.includes(5) && values.includes(7));
    assert.ok(summaries.every(({ summary }) => summary.answered === 0));
  });

  it("a hook answers with an expression of the arguments, and may make memory what it likes", () => {
    const parameters = [
      { kind: "object", size: 4 },
      { kind: "concrete", value: 4 },
    ] as const;
    const explored = exploreUnit(image, unit("accept", { parameters }), {
      hooks: [
        {
          function: "checksum",
          hook: ({ arguments: [[pointer]], load, store, arena }): readonly ExprRef[] => {
            const address = pointer.low >>> 0;
            const first = load(address, 4);
            assert.ok(first !== null);
            assert.ok(store(address + 1, 1, arena.constant(8, 0x78, 0)));
            assert.equal(load(address + 5, 4), null);
            assert.equal(store(address + 4, 1, arena.constant(8, 0, 0)), false);
            return [arena.binary("add", first, arena.constant(32, 1, 0))];
          },
        },
      ],
    });
    assert.deepEqual(
      explored.findings.map(({ kind, input }) => [kind, numberIn(input["*param:0"])]),
      [["division-by-zero", 0x1234566]],
    );
    assert.equal(explored.isComplete, true);
  });

  it("a hook assumes, draws fresh input, and ends the run", () => {
    const small = exploreUnit(image, unit("small"), {
      hooks: [
        { function: "ready", hook: ({ arena }) => [arena.constant(1, 1, 0)] },
        {
          function: "letter",
          hook: ({ fresh, assume, arena }) => {
            const value = fresh(8);
            assume(arena.binary("ult", arena.constant(8, 0x7f, 0), value));
            return [value];
          },
        },
      ],
    });
    assert.deepEqual(resultsOf(small), [2]);
    const ends = exploreUnit(image, unit("ends", { parameters: [SYMBOLIC] }), {
      hooks: [{ function: "stop", hook: ({ end }) => end(9) }],
    });
    assert.deepEqual(ends.summaries.map(({ end }) => end).sort(), ["0", "9"]);
  });

  it("a check of the technique's own is asked for all inputs of the path, and its witness is a finding", () => {
    const check = (limit: number): ReturnType<typeof exploreUnit> =>
      exploreUnit(image, unit("watched", { parameters: [SYMBOLIC] }), {
        hooks: [
          {
            function: "note",
            hook: ({ arguments: [[value]], check: require, expressionOf, arena }) => {
              require(arena.binary("eq", expressionOf(value), arena.constant(32, limit, 0)), `never ${limit}`);
              return null;
            },
          },
        ],
        engine: { limits: { paths: 12 } },
      });
    const { findings, statistics } = check(7);
    assert.deepEqual(
      findings.map(({ kind, input }) => [kind, numberIn(input["param:0"])]),
      [["reported", 7]],
    );
    assert.equal(statistics.witnessesMissed, 0);
    assert.deepEqual(check(-1).findings, []);
  });

  it("the unit itself is not answered, but its calls of itself are", () => {
    const stubs = [{ function: "again" }];
    const again = exploreUnit(image, unit("again", { parameters: [SYMBOLIC], stubs }));
    assert.equal(again.summaries.length, 3);
    assert.equal(again.isComplete, true);
  });

  it("floating-point results are given by their bits", () => {
    const two = { low: 0, high: 0x4008_0000 };
    const hooks = [
      {
        function: "scale",
        hook: ({ arena }: { arena: { constant(width: number, low: number, high: number): ExprRef } }) => [
          arena.constant(64, two.low, two.high),
        ],
      },
    ];
    assert.deepEqual(resultsOf(exploreUnit(image, unit("scaled"), { hooks })), [1]);
  });
});
