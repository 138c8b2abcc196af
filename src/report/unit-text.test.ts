// How a unit was made, for the terminal.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Finding } from "../findings/finding.js";
import { unitProgram } from "../techniques/unit/unit-program-fixture.js";
import type { TextOptions } from "./text.js";
import { preconditionText, renderUnit, renderUnitFailure } from "./unit-text.js";

const SOURCE = `
struct leaf { int value; };
struct wide { struct leaf *leaves[70]; };
int last(struct wide *w) { return w->leaves[69]->value; }
int main(void) { return 0; }
`;

describe("a unit in words", () => {
  it("pointers that a limit left out are one line, with the limit", async () => {
    const { describe: made } = await unitProgram(SOURCE);
    const text = renderUnit(made("last"), "/");
    assert.match(
      text,
      /^ {2}fixed {5}7 pointers \(w->leaves\[63\], \.\.\.\) are NULL: a unit has at most 64 objects$/m,
    );
  });

  it("what the call of a test gave besides stands under what is needed", () => {
    const finding = { kind: "null-dereference", stack: [], userFrame: -1, object: null, message: "" };
    const given = Array.from({ length: 9 }, (_, n) => ({ words: `p${n}`, value: "NULL" }));
    const rest = { values: [], arguments: [], alwaysNull: [], pathConditions: 0, tried: 0, failed: 0, complete: true };
    const precondition = [{ kind: "branch", file: null, line: 0, text: "n > 3" } as const];
    const failure = { finding: finding as unknown as Finding, given, precondition, foundMs: 0, ...rest };
    const text = renderUnitFailure(failure, null, { readSource: () => null } as unknown as TextOptions);
    assert.match(text, /needs {6}n > 3\n {13}with, as in that call: p0 == NULL, .* p7 == NULL, 1 more\n/);
  });

  it("of conditions on addresses only the number is told", () => {
    const condition = { kind: "branch", file: null, line: 0 } as const;
    const plain = { ...condition, text: "n > 3" };
    const address = { ...condition, text: "m < 0x22016ea0", ofAddress: true } as const;
    assert.equal(preconditionText([plain, address]), "n > 3, and 1 condition on addresses");
    assert.equal(
      preconditionText([plain, address, plain, address], 1),
      "n > 3 && 1 more, and 2 conditions on addresses",
    );
    assert.equal(preconditionText([address]), "1 condition on addresses");
  });
});
