import assert from "node:assert/strict";
import { test } from "node:test";
import { composeTarget, LIFTED } from "./compose-fixture.js";
import { finding } from "./result-fixture.js";
import { shownTargets } from "./shown-targets.js";

const frame = (name: string, line: number, origin = "program") => ({
  function: name,
  file: origin === "program" ? "/project/src/copy.c" : null,
  line,
  column: 3,
  origin,
});
const STACK = [
  frame("memcpy", 0, "libc"),
  frame("copy", 12),
  frame("parse", 30),
  frame("qsort", 0, "libc"),
  frame("run", 44),
  frame("main", 50),
];
const FOUND = finding({ id: "abc", stack: STACK, location: STACK[1], kind: "wild-access", message: "it is wild" });

test("shown targets: a failure at the target's line shows it, whatever its kind, and leads the chain up to main", () => {
  const open = composeTarget({ kind: "open" });
  const [first, second] = shownTargets([{ ...open, line: 13 }, open], [FOUND]);
  assert.deepEqual(first.state, { kind: "lifted", finding: "abc" });
  assert.equal(first.message, "it is wild");
  assert.deepEqual(
    first.chain.map(({ name, line }) => [name, line]),
    [
      ["main", 50],
      ["run", 44],
      ["parse", 30],
      ["copy", 12],
    ],
  );
  assert.ok(
    first.chain.every(({ condition }) => condition.length === 0),
    "nobody says that they hold in that run",
  );
  assert.equal(second.state.kind, "open", "another line is another target");
});

test("shown targets: a chain that was led up to somewhere goes on to main by the stack", () => {
  const chain = LIFTED.chain.slice(1);
  const [target] = shownTargets([{ ...LIFTED, chain }], [{ ...FOUND, id: "c0ffee000001" }]);
  assert.deepEqual(
    target.chain.map(({ name, condition }) => [name, condition.length]),
    [
      ["main", 0],
      ["run", 0],
      ["parse", 2],
      ["copy", 1],
    ],
  );
});

test("shown targets: another function, program or file is another place", () => {
  const open = composeTarget({ kind: "open" });
  for (const other of [{ functionName: "copy2" }, { program: "/project/other" }, { file: null }]) {
    const [target] = shownTargets([{ ...open, ...other }], [FOUND]);
    assert.equal(target.state.kind, "open", JSON.stringify(other));
  }
});

test("shown targets: a chain that begins with main stays, and so does one whose finding is not there", () => {
  const names = ["main", "parse", "copy"];
  for (const found of [{ ...FOUND, id: "c0ffee000001" }, FOUND]) {
    const [target] = shownTargets([LIFTED], [found]);
    assert.deepEqual(
      target.chain.map(({ name }) => name),
      names,
    );
    assert.deepEqual(target.state, LIFTED.state);
  }
});
