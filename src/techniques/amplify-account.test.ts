import assert from "node:assert/strict";
import { test } from "node:test";
import { testWith } from "../engine/unit-fixture.js";
import { accountOf, checkedOf, type InputAccount, type OwnPath } from "./amplify-account.js";

const ARGUMENT = { name: "arg0", bytes: 3, isRead: true };
const path = (more: Partial<OwnPath>, input: Partial<InputAccount> = {}): OwnPath => ({
  testEnd: { kind: "exit", code: 0 },
  checks: 0,
  checksSkipped: 0,
  unknown: 0,
  decisions: 0,
  isComplete: true,
  ...more,
  input: { varied: [ARGUMENT], fixed: [], pins: [], lost: [], ...input },
});

test("all is said only of a run that came to its end with every check made", () => {
  assert.deepEqual(checkedOf(path({ checks: 4 })), { extent: "all", why: [] });
  const cut = { kind: "limit", limit: "instructions" } as const;
  assert.deepEqual(checkedOf(path({ checks: 4, testEnd: cut })), {
    extent: "part",
    why: ["its run was cut by the limit of instructions"],
  });
  assert.equal(checkedOf(path({ checks: 4, checksSkipped: 2 })).extent, "part");
  assert.equal(checkedOf(path({ checks: 4, unknown: 1 })).extent, "part");
  assert.deepEqual(checkedOf(path({ checks: 4, isComplete: false })).why, ["its time was used up"]);
});

test("all is not said where only one value was followed, or input went where nobody follows it", () => {
  const pins = [{ place: "main.c:7 in main", count: 3 }];
  const lost = ["threads were run in one order of many"];
  const why = ["what depends on its input was made concrete, most often at main.c:7 in main", ...lost];
  assert.deepEqual(checkedOf(path({ checks: 4 }, { pins, lost })), { extent: "part", why });
  assert.deepEqual(checkedOf(path({}, { lost })), { extent: "none", why: lost });
});

test("where nothing was checked, it is said what made the input concrete, and where", () => {
  const why = (more: Partial<OwnPath>, input: Partial<InputAccount> = {}): readonly string[] => {
    const { extent, why } = checkedOf(path(more, input));
    assert.equal(extent, "none");
    return why;
  };
  const large = [{ name: "/p/big.bin", bytes: 6 << 20 }];
  assert.deepEqual(why({}, { varied: [] }), ["it has no arguments, standard input or files that could vary"]);
  assert.deepEqual(why({}, { varied: [], fixed: large }), ["/p/big.bin (6.0 MB) is above 1 MB and stayed as it is"]);
  const unread = [
    { name: "stdin", bytes: 3, isRead: false },
    { name: "file:/p/a", bytes: 3, isRead: false },
  ];
  assert.deepEqual(why({}, { varied: unread }), ["the program read nothing of standard input, /p/a"]);
  const pins = [{ place: "main.c:7 in main", count: 3 }];
  assert.deepEqual(why({}, { pins }), ["what depends on its input was made concrete, most often at main.c:7 in main"]);
  assert.deepEqual(why({}), ["nothing that the program does depends on its input"]);
  assert.deepEqual(why({ decisions: 3 }), ["no dangerous operation on its path depends on its input"]);
  const foreign = { kind: "unsupported", what: "a call of inflate in libz.so.1" } as const;
  assert.deepEqual(why({ testEnd: foreign }), [
    "its run ended at what the machine does not have: a call of inflate in libz.so.1",
  ]);
});

test("what of a test's inputs varies, was read, or is too large", () => {
  const test = testWith({ words: ["abc"], stdin: "in", files: { "/p/data": "x", "/p/other": "y" } });
  const big = { path: "/p/big", bytes: new Uint8Array(2 << 20) };
  const system = { path: "/usr/lib/locale", bytes: new Uint8Array(2 << 20) };
  const given = { ...test, given: { files: [big, system] } };
  const { varied, fixed } = accountOf(given, "/p", new Set(["file:/p/data"]));
  assert.deepEqual(
    varied.map(({ name, isRead }) => [name, isRead]),
    [
      ["arg0", true],
      ["stdin", false],
      ["file:/p/data", true],
      ["file:/p/other", false],
    ],
  );
  assert.deepEqual(fixed, [{ name: "/p/big", bytes: 2 << 20 }]);
});
