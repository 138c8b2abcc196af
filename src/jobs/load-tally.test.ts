import assert from "node:assert/strict";
import { test } from "node:test";
import { LoadTally } from "./load-tally.js";

const place = (content: string) => ({ content, name: content, path: `/${content}` });

test("no program could be loaded: only if each failed, and none was ever ready", () => {
  const tally = new LoadTally();
  assert.equal(tally.noneOf(1), null);
  tally.take({ kind: "program-failed", program: place("a"), message: "it is no program" });
  tally.take({ kind: "program-failed", program: place("a"), message: "it is no program" });
  assert.equal(tally.noneOf(2), null, "one of two");
  assert.equal(tally.noneOf(1), "it is no program");
  tally.take({ kind: "program-ready", program: place("b") });
  assert.equal(tally.noneOf(1), null);
});
