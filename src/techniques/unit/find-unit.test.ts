import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import { findUnit } from "./find-unit.js";

/** As the compiler names sources: by the word that it was given, and the directory that it ran in. */
function functionIn(name: string, file: string, directory: string, line = 1): IrFunction {
  const frame = { file, directory, line };
  const module = { origin: "program", name: "m.c", debug: { subprogram: () => frame } };
  return { name, module, debugId: 1 } as unknown as IrFunction;
}

const FUNCTIONS = [
  functionIn("save", "./save.c", "/work/p/libopts"),
  functionIn("load", "../lib/load.c", "/work/p/build"),
  functionIn("load", "src/load.c", "/work/p"),
  functionIn("clip", "./clip.h", "/work/p/lib"),
  functionIn("clip", "./clip.h", "/work/p/lib"),
];
const PROGRAM = { functions: FUNCTIONS } as unknown as LinkedProgram;

describe("the function that is meant", () => {
  const indexOf = (name: string, file: string | null): number => {
    const found = findUnit(PROGRAM, name, file);
    return found.kind === "found" ? FUNCTIONS.indexOf(found.fn) : -1;
  };

  it("is found by its file, however that is written", () => {
    for (const file of [null, "save.c", "./save.c", "libopts/save.c", "./libopts/save.c", "/work/p/libopts/save.c"])
      assert.equal(indexOf("save", file), 0, `${file}`);
    for (const file of ["lib/load.c", "../lib/load.c", "/work/p/lib/load.c", "/work/p/build/../lib/load.c"])
      assert.equal(indexOf("load", file), 1, file);
    assert.equal(indexOf("load", "src/load.c"), 2);
    assert.equal(indexOf("clip", null), 3);
  });

  it("is told with its files where there are several, and is not another of its name", () => {
    const several = findUnit(PROGRAM, "load", null);
    assert.ok(several.kind === "not-found");
    assert.deepEqual(several.files, ["../lib/load.c", "src/load.c"]);
    assert.equal(indexOf("save", "ave.c"), -1);
    assert.equal(indexOf("save", "other/save.c"), -1);
    const other = findUnit(PROGRAM, "saev", null);
    assert.match(other.kind === "not-found" ? other.message : "", /there is save/);
  });
});
