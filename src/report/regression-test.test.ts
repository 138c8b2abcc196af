import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { Seed } from "../project/seed.js";
import { pathsBelow } from "./finding-view.js";
import { regressionTest } from "./regression-test.js";
import { finding } from "./result-fixture.js";

const root = mkdtempSync(join(tmpdir(), "tangent-regression-"));
after(() => rmSync(root, { recursive: true, force: true }));

function scriptOf(confirmed: "vm" | "native", libraries: string): string {
  const seed: Seed = {
    ...{ id: "a0", program: join(root, "prog"), programContent: "c", arguments: ["./prog"], workingDirectory: "/w" },
    environment: [`LD_LIBRARY_PATH=${libraries}`, "TZ=UTC"],
    ...{ umask: 0o022, stdin: { kind: "empty" }, files: [], end: { kind: "exit", code: 0 } },
    recorded: { at: "", milliseconds: 1, times: 1 },
  };
  const input = {
    ...{ program: "./prog", workingDirectory: "/w", environment: [], given: {} },
    inputs: { ...NO_INPUTS, words: [{ kind: "fixed" as const, bytes: Buffer.from("--stats") }] },
    values: [],
  };
  const made = { kind: "test" as const, seed, test: input, witness: [] };
  return regressionTest(finding({ confirmed }), made, root, "shell", pathsBelow(root)).text;
}

test("regression test: a native one finds the libraries of its test, and nothing else does", () => {
  const program = join(root, "prog");
  writeFileSync(program, '#!/bin/sh\nprintf "%s %s\\n" "$LD_LIBRARY_PATH" "$1"\nexit 134\n', { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync("sh", ["-c", scriptOf("native", "/some where/lib")], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  assert.equal(status, 1);
  assert.match(stdout, /^\/some where\/lib --stats\n.*FAILED/);
  assert.doesNotMatch(scriptOf("vm", "/elsewhere"), /LD_LIBRARY_PATH|elsewhere/);
});

test("regression test: in the machine all words are the program's", () => {
  assert.match(scriptOf("vm", ""), /"\$tangent" run --argv0 \.\/prog -- "\$program" "\$word0"/);
});

test("regression test: a variable that grew is set for the program alone, one that decides what runs is not", () => {
  const variable = (name: string) => {
    const seed = { program: join(root, "prog"), environment: [] } as unknown as Seed;
    const input = {
      ...{ program: "./prog", workingDirectory: "/w", environment: [], given: {} },
      inputs: { ...NO_INPUTS, environment: [{ name, length: 4 }] },
      values: [],
    };
    const witness = [{ name: `env:${name}`, occurrence: 0, bytes: Buffer.from("a 'b") }];
    const made = { kind: "test" as const, seed, test: input, witness };
    return regressionTest(finding({ confirmed: "native" }), made, root, "shell", pathsBelow(root)).text;
  };
  writeFileSync(join(root, "prog"), '#!/bin/sh\nprintf "%s\\n" "$LEVEL"\nexit 134\n', { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync("sh", ["-c", variable("LEVEL")], { encoding: "utf8" });
  assert.equal(stderr, "");
  assert.equal(status, 1);
  assert.match(stdout, /^a 'b\n.*FAILED/);
  assert.doesNotMatch(variable("LD_PRELOAD"), /LD_PRELOAD|a 'b/);
});
