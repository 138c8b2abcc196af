// Large programs for the qualification of limits: each above 50,000 lines, of a shape that generated code has. What is wanted of them is size
// (parsing, translating, V8's compiling), not a bug; all of them decide by standard input.

const LINES = 52_000;

/** Lines of `part`, numbered, until there are enough. */
function filled(part: (index: number) => readonly string[]): { readonly lines: string[]; readonly count: number } {
  const lines: string[] = [];
  let count = 0;
  while (lines.length < LINES) lines.push(...part(count++));
  return { lines, count };
}

function program(head: readonly string[], lines: readonly string[], body: readonly string[]): string {
  const main = [
    "int main(void) {",
    "  unsigned char in[40];",
    "  long count = read(0, in, sizeof in);",
    "  unsigned x = 1;",
    "  for (long k = 0; k < count; k++) {",
    ...body.map((line) => `    ${line}`),
    "  }",
    "  return (int)(x & 1);",
    "}",
  ];
  return `${["#include <unistd.h>", ...head, ...lines, ...main].join("\n")}\n`;
}

/** Rules as RERS' problems have them: an event and a state decide, and make another state. */
function events(): string {
  const { lines, count } = filled((rule) => [
    `static unsigned rule${rule}(unsigned event, unsigned x) {`,
    ...Array.from({ length: 6 }, (_, step) => [
      `  if (event == ${(rule + step) % 9} && state[${(rule * 7 + step) % 64}] == ${step}) {`,
      `    state[${(rule + step) % 64}] = x + ${(rule * step) % 97};`,
      `    x ^= state[${(rule * 3 + step) % 64}] * ${rule + 1}u;`,
      "  }",
    ]).flat(),
    "  return x;",
    "}",
  ]);
  const calls = Array.from({ length: count }, (_, rule) => `x = rule${rule}(in[k] % 9, x);`);
  return program(["static unsigned state[64];"], lines, calls);
}

/** Tables of cases, some hundred each. */
function switches(): string {
  const { lines, count } = filled((table) => [
    `static unsigned table${table}(unsigned at) {`,
    "  switch (at) {",
    ...Array.from({ length: 250 }, (_, entry) => [
      `    case ${entry * 3 + table}:`,
      `      return at * ${entry + 1}u + ${table};`,
    ]).flat(),
    "    default: return at;",
    "  }",
    "}",
  ]);
  const calls = Array.from({ length: count }, (_, table) => `x += table${table}(in[k] + (x & 511));`);
  return program([], lines, calls);
}

/** As many functions as there can be, each of which calls the next. */
function functions(): string {
  const { lines, count } = filled((index) => [
    `static unsigned step${index}(unsigned x, const unsigned char *in);`,
    `static unsigned work${index}(unsigned x, const unsigned char *in) {`,
    `  if (in[${index % 40}] > ${index % 200}) x += ${index};`,
    `  return x % 3 == ${index % 3} ? step${index}(x, in) : x;`,
    "}",
  ]);
  const steps = Array.from({ length: count }, (_, index) => {
    const next = index + 1 < count ? `work${index + 1}(x + 1, in)` : "x";
    return `static unsigned step${index}(unsigned x, const unsigned char *in) { return ${next}; }`;
  });
  return program([], [...lines, ...steps], ["x += work0(x, in);"]);
}

/** Structures in structures, with values and pointers among each other. */
function initialisers(): string {
  const { lines, count } = filled((index) => [
    `static const struct node node${index} = {`,
    `  .name = "node ${index}",`,
    `  .next = ${index === 0 ? "0" : `&node${index - 1}`},`,
    "  .deep = {",
    "    .inner = {",
    ...Array.from(
      { length: 8 },
      (_, row) =>
        `      {{${Array.from({ length: 4 }, (_, cell) => index + row * cell).join(", ")}}, ${row % 2 === 0 ? `"r${row}"` : "0"}},`,
    ),
    "    },",
    "  },",
    "};",
  ]);
  const head = [
    "struct row { int cells[4]; const char *word; };",
    "struct node { const char *name; const struct node *next; struct { struct row inner[8]; } deep; };",
  ];
  return program(head, lines, [
    `for (const struct node *at = &node${count - 1}; at != 0; at = at->next)`,
    "  if (at->deep.inner[in[k] % 8].cells[x % 4] == in[k]) x += (unsigned)at->name[5];",
  ]);
}

/** One function after the other, too long for V8's optimising compiler. */
function straight(): string {
  const { lines, count } = filled((index) => [
    `static unsigned long_${index}(unsigned x, const unsigned char *in) {`,
    ...Array.from({ length: 5000 }, (_, line) =>
      line % 10 === 0
        ? `  if (in[${line % 40}] == ${line % 251}) x += ${line}u;`
        : `  x = (x ^ ${line * 7}u) * ${2 * line + 1}u + (x >> ${(line % 13) + 1});`,
    ),
    "  return x;",
    "}",
  ]);
  const calls = Array.from({ length: count }, (_, index) => `x = long_${index}(x, in);`);
  return program([], lines, calls);
}

export const LARGE_PROGRAMS: Readonly<Record<string, () => string>> = {
  events,
  switches,
  functions,
  initialisers,
  straight,
};
