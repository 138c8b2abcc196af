import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ItemContext } from "../../campaign/technique.js";
import type { Invocation } from "../../inputs/invocation.js";
import { loadModule } from "../../jit/load-module.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedOfInvocation } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import { packedBlocks } from "../../project/seed-order.js";
import { DEFAULT_TEST_LIMITS } from "../test-limits.js";
import { type UnitProgram, unitProgram } from "../unit/unit-program-fixture.js";
import { moved } from "./move-item.js";
import type { MovesResult } from "./moved-input.js";

const PROGRAM = new URL("../../../../test/programs/growing/another-word.c", import.meta.url);

describe("the moves of a program's tests", () => {
  let unit: UnitProgram;
  let root: string;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), "tangent-moves-"));
    unit = await unitProgram(readFileSync(PROGRAM, "utf8"));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const made = (moves: string): MovesResult => {
    const test = (name: string, text: string): Invocation => ({
      program: "prog",
      arguments: [Buffer.from(name)],
      environment: [],
      workingDirectory: root,
      umask: 0o022,
      stdin: { kind: "empty" },
      tree: [{ kind: "file", path: join(root, name), bytes: Buffer.from(text), mode: 0o644 }],
    });
    const blobs = new BlobStore(new ProjectFolder(root));
    const bases = [
      test("first.txt", "make alpha\nshow alpha\nmake beta\nshow beta\n"),
      test("second.txt", "make gamma\ndrop gamma\nmake delta\nshow delta\n"),
    ].map((one) => seedOfInvocation(one, { program: "/prog", programContent: "p" }, blobs));
    const context: ItemContext = {
      image: unit.image,
      module: loadModule(unit.image),
      extra: {},
      timeMs: 120_000,
      abort: { aborted: false },
      tell: () => undefined,
    };
    const work = { bases, known: packedBlocks(new Uint32Array(0)), timeMs: 120_000, most: 12, mostOfSeed: 8 };
    const outcome = moved(work, { ...DEFAULT_TEST_LIMITS, root, moves }, context);
    assert.ok(outcome.kind === "report");
    return outcome.report.result;
  };

  it("edit them at random, too: what fails is kept, and the same each time", () => {
    const { moved: inputs, tried } = made("random");
    assert.ok(tried > 1000);
    const failing = inputs.filter(({ fails }) => fails);
    assert.deepEqual(
      failing.map(({ steps }) => steps),
      [["edit at random"]],
    );
    assert.deepEqual(made("random").moved, inputs);
  });

  it("do not, if that is not wanted", () => {
    assert.deepEqual([made("").tried, made("").moved], [0, []]);
  });
});
