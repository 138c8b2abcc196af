import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pathsBelow } from "./finding-view.js";
import { patchInput, patchResult } from "./patch-fixture.js";
import { placesInWords, renderPatchInput, shownCommand, targetsOfInput } from "./patch-input-text.js";

describe("an input of patch testing", () => {
  it("knows what it reaches", () => {
    const result = patchResult();
    const [input] = result.inputs;
    assert.equal(placesInWords(targetsOfInput(result, input)), "src/a b.c:3");
  });

  it("is shown with its command, what was done to the test, its files and what came of it", () => {
    const result = patchResult();
    const input = patchInput({ end: "exit status 1" });
    const text = renderPatchInput(input, targetsOfInput(result, input), "/project", pathsBelow("/project"));
    assert.match(text, /reaches src\/a b\.c:3\n/);
    assert.match(
      text,
      /made from: .* \(test [0-9a-f]+\)\n {11}- the option --<b>brief<\/b> was put before argument 1\n/,
    );
    assert.match(text, /files: {5}tests\/a b\.txt \(5 bytes\)\n {11}tests\/d\.bin \(3 bytes\)\n/);
    assert.match(text, /it ends: {3}exit status 1\nstdout: {4}<\/script>/);
    assert.match(text, /run it: {4}tangent replay /);
  });

  it("a program of the project is named from there, also one of a build of ours", () => {
    assert.equal(shownCommand(["/project/.tangent/patch/new/src/prog", "-x"], "/project"), "./src/prog -x");
    assert.equal(shownCommand(["/project/prog"], "/project"), "./prog");
    assert.equal(shownCommand(["/other/prog", "/project/a b"], "/project"), "/other/prog '/project/a b'");
  });
});
