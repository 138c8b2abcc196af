import assert from "node:assert/strict";
import { it } from "node:test";
import { loadModule } from "../jit/load-module.js";
import { readCompilationHints, useV8Flags, useV8FlagsForShortRuns } from "../support/v8-flags.js";
import { NO_VALUES, tinyImage } from "./tiny-module.js";

it("a module with functions that are too large leaves the flags as the thread wants them", () => {
  const image = tinyImage([{ name: "start", signature: NO_VALUES, body: [] }]);
  const large = { ...image, statistics: { ...image.statistics, functionsTooLarge: 1 } };
  for (const [use, areRead] of [
    [useV8Flags, true],
    [useV8FlagsForShortRuns, false],
  ] as const) {
    use();
    loadModule(large);
    assert.equal(readCompilationHints(areRead), areRead);
  }
});
