import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ALL_MOVES, familiesOf, readMoves } from "./move-names.js";

describe("the choice of moves", () => {
  it("all, none, or some in one order", () => {
    assert.deepEqual(readMoves("all"), { moves: ALL_MOVES });
    assert.deepEqual(readMoves("none"), { moves: "" });
    assert.deepEqual(readMoves("files,options"), { moves: "options,files" });
    assert.deepEqual([...familiesOf("options,files")], ["options", "files"]);
    assert.equal(familiesOf("").size, 0);
  });

  it("says what there is to choose from", () => {
    const wrong = readMoves("options,everything");
    assert.ok("problem" in wrong);
    assert.match(wrong.problem, /all, none or some of options, arguments, environment, stdin, files, random/);
  });
});
