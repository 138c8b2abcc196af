import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Script } from "./script-executor.js";
import { explore } from "./script-fixture.js";

describe("an exploration of decisions that are settled", () => {
  /** One letter is looked for, and each is looked at again later. */
  const letters: Script = (run) => {
    let code = 0;
    for (let i = 0; i < 20; i++) if (run.if(i, run.compare("eq", run.byte(0), 65 + i))) code = i + 1;
    for (let i = 0; i < 20; i++) if (run.if(40 + i, run.compare("ult", run.byte(0), 66 + i))) code += 100;
    return code;
  };

  it("asks nothing about them, and finds the same paths", () => {
    const quick = explore(letters, {});
    const thorough = explore(letters, { listeners: [{ infeasible: () => undefined }] });
    assert.deepEqual([...quick.ends].sort(), [...thorough.ends].sort());
    assert.equal(quick.statistics.divergences, 0);
    assert.ok(quick.statistics.infeasible < thorough.statistics.infeasible / 2);
  });

  it("asks what a pin alone has settled", () => {
    const pinned: Script = (run) => {
      const value = run.pin(1, "store-address", run.byte(0));
      return run.if(2, run.compare("eq", run.byte(0), 200)) ? 1 : value === 200 ? 2 : 0;
    };
    const { ends } = explore(pinned, {});
    assert.ok(ends.includes("exit 1"));
  });
});
