// A function with tens of thousands of statements, as interpreters and generated code have them: V8's optimising
// compiler would need minutes and gigabytes for it, in threads that the process waits for when all is done. It must run
// and end.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "node:test";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Hundreds of times what it takes; the one that did not end took more. */
const GENEROUS_MS = 500_000;
const CASES = 5000;
const ROUNDS = 200_000;
const VARIABLES = 24;

const folder = mkdtempSync(join(tmpdir(), "tangent-huge-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A loop around a switch, whose cases share two dozen variables; some values of each case leave their blocks. */
function program(): string {
  const variables = Array.from({ length: VARIABLES }, (_, n) => n);
  const cases = Array.from({ length: CASES }, (_, n) => {
    const [a, b, c] = namesOf(n);
    return `case ${n}: v${a} += v${b} * ${2 * n + 1}u; if (v${a} & ${1 << (n % 16)}u) v${c} ^= state >> ${n % 13};
      cells[v${a} % 64u] += v${c}; state = state * 1664525u + cells[${n % 64}] + ${n}u; break;`;
  });
  return `#include <stdio.h>
static unsigned cells[64];
int main(int argc, char **argv)
{
  unsigned state = (unsigned)argc, sum, n;
  ${variables.map((n) => `unsigned v${n} = ${n + 1};`).join(" ")}
  for (n = 0; n < ${ROUNDS}u; n++)
    switch (state % ${CASES}u) {
    ${cases.join("\n    ")}
    }
  sum = state;
  ${variables.map((n) => `sum = sum * 31u + v${n};`).join(" ")}
  printf("%u\\n", sum);
  return 7;
}
`;
}

/** What it prints. */
function expected(): number {
  const v = Uint32Array.from({ length: VARIABLES }, (_, n) => n + 1);
  const cells = new Uint32Array(64);
  let state = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const n = state % CASES;
    const [a, b, c] = namesOf(n);
    v[a] += Math.imul(v[b], 2 * n + 1);
    if ((v[a] & (1 << (n % 16))) !== 0) v[c] ^= state >>> (n % 13);
    cells[v[a] % 64] += v[c];
    state = (Math.imul(state, 1664525) + cells[n % 64] + n) >>> 0;
  }
  return v.reduce((sum, value) => (Math.imul(sum, 31) + value) >>> 0, state);
}

function namesOf(n: number): readonly [number, number, number] {
  return [n % VARIABLES, (7 * n + 3) % VARIABLES, (5 * n + 1) % VARIABLES];
}

/** As generated state machines have them: more cases side by side than V8 has in one table. */
const SIDE_BY_SIDE = 70_000;

describe("a huge function", () => {
  it("may have a switch of more cases than a table of WebAssembly's holds", () => {
    const source = join(folder, "switch.ll");
    const cases = Array.from({ length: SIDE_BY_SIDE }, (_, n) => `i32 ${n}, label %${n % 3 === 0 ? "third" : "other"}`);
    writeFileSync(
      source,
      `define i32 @kind(i32 %n) {
  switch i32 %n, label %none [ ${cases.join(" ")} ]
third:
  ret i32 1
other:
  ret i32 2
none:
  ret i32 3
}
define i32 @main(i32 %one, ptr %argv) {
  %last = mul i32 %one, ${SIDE_BY_SIDE - 1}
  %before = sub i32 %last, 1
  %behind = add i32 %last, 1
  %a = call i32 @kind(i32 %last)
  %b = call i32 @kind(i32 %before)
  %c = call i32 @kind(i32 %behind)
  %ten = mul i32 %b, 10
  %hundred = mul i32 %a, 100
  %sum = add i32 %ten, %hundred
  %all = add i32 %sum, %c
  ret i32 %all
}
`,
    );
    const { status, stderr } = spawnSync("sh", [join(ROOT, "bin/tangent"), "run", "--timeout", "400", source], {
      encoding: "utf8",
      timeout: GENEROUS_MS,
      killSignal: "SIGKILL",
    });
    // 69,999 is divisible by 3, what is before it is not, and there is nothing behind it.
    assert.equal(status, 123, stderr);
  });

  it("runs to its end, and so does tangent, with the program's output and status", () => {
    const source = join(folder, "huge.c");
    writeFileSync(source, program());
    const { status, signal, stdout, stderr } = spawnSync("sh", [join(ROOT, "bin/tangent"), "run", source], {
      encoding: "utf8",
      timeout: GENEROUS_MS,
      killSignal: "SIGKILL",
    });
    assert.equal(stdout, `${expected()}\n`, stderr);
    assert.deepEqual({ status, signal }, { status: 7, signal: null }, stderr);
  });
});
