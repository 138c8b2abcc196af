// C programs for the tests of `tangent unit`: linked IR and image of a text, and units described by their types.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LinkedProgram } from "../../ir/link.js";
import type { ProgramImage } from "../../jit/image.js";
import { UNIT_COMPILE_OPTIONS } from "../../jit/options.js";
import { loadProgram } from "../../program/load.js";
import { loadLinkedProgram } from "../../program/load-linked.js";
import { DEFAULT_DESCRIBE_OPTIONS, type DescribeOptions, describeUnit, UnitTypes } from "./describe-unit.js";
import { findUnit } from "./find-unit.js";
import type { DescribedUnit } from "./unit-inputs.js";

export interface UnitProgram {
  readonly program: LinkedProgram;
  readonly image: ProgramImage;
  describe(name: string, options?: Partial<DescribeOptions>): DescribedUnit;
}

/** `sources`: the text of the only file, or texts by their names. */
export async function unitProgram(sources: string | Readonly<Record<string, string>>): Promise<UnitProgram> {
  const folder = mkdtempSync(join(tmpdir(), "tangent-unit-"));
  try {
    const texts = typeof sources === "string" ? { "unit.c": sources } : sources;
    const files = Object.entries(texts).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const options = { env: process.env, clang: null, flags: [], compile: UNIT_COMPILE_OPTIONS };
    const loaded = await loadProgram(files, options);
    assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
    const linked = await loadLinkedProgram(files, options);
    assert.ok(linked.kind === "linked");
    const { program } = linked;
    const { image } = loaded;
    const types = new UnitTypes(program);
    const describe = (name: string, more: Partial<DescribeOptions> = {}): DescribedUnit => {
      const found = findUnit(program, name, null);
      assert.ok(found.kind === "found", found.kind === "found" ? "" : found.message);
      const described = describeUnit(program, image, found.fn, { ...DEFAULT_DESCRIBE_OPTIONS, ...more }, types);
      assert.ok(described.kind === "described", described.kind === "failed" ? described.message : "");
      return described.unit;
    };
    return { program, image, describe };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
