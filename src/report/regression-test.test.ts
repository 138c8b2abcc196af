import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { Seed } from "../project/seed.js";
import { pathsBelow } from "./finding-view.js";
import { type RegressionRun, regressionTest } from "./regression-test.js";
import { finding } from "./result-fixture.js";

const root = mkdtempSync(join(tmpdir(), "tangent-regression-"));
after(() => rmSync(root, { recursive: true, force: true }));

function scriptOf(runs: RegressionRun, libraries: string): string {
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
  return regressionTest(finding(), made, root, { kind: "shell", shown: pathsBelow(root), runs }).text;
}

test("regression test: a native one finds the libraries of its test, and nothing else does", () => {
  const program = join(root, "prog");
  writeFileSync(program, '#!/bin/sh\nprintf "%s %s\\n" "$LD_LIBRARY_PATH" "$1"\nexit 134\n', { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync("sh", ["-c", scriptOf("natively", "/some where/lib")], {
    encoding: "utf8",
    cwd: root,
  });
  assert.equal(stderr, "");
  assert.equal(status, 1);
  assert.match(stdout, /^\/some where\/lib --stats\n.*FAILED/);
  assert.doesNotMatch(scriptOf("in the machine", "/elsewhere"), /LD_LIBRARY_PATH|elsewhere/);
});

test("regression test: in the machine all words are the program's", () => {
  assert.match(
    scriptOf("in the machine", ""),
    /"\$tangent" run --argv0 \.\/prog -- "\$program" "\$@"; \}\n(.*\n)*start "\$word0" /,
  );
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
    return regressionTest(finding(), made, root, { kind: "shell", shown: pathsBelow(root), runs: "natively" }).text;
  };
  writeFileSync(join(root, "prog"), '#!/bin/sh\nprintf "%s\\n" "$LEVEL"\nexit 134\n', { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync("sh", ["-c", variable("LEVEL")], { encoding: "utf8", cwd: root });
  assert.equal(stderr, "");
  assert.equal(status, 1);
  assert.match(stdout, /^a 'b\n.*FAILED/);
  assert.doesNotMatch(variable("LD_PRELOAD"), /LD_PRELOAD|a 'b/);
});

test("regression test: a build with AddressSanitizer runs by itself, any other in the machine", () => {
  const script = scriptOf("sanitized", "");
  const run = (body: string) => {
    writeFileSync(join(root, "prog"), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const env = { PATH: process.env.PATH, TANGENT: "/there/is/none" };
    const { status, stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8", cwd: root, env });
    return [status, stdout.split("\n")[0]];
  };
  const [status, told] = run("exit 0");
  assert.equal(status, 77);
  assert.match(String(told), /needs a build with -fsanitize=address, or tangent/);
  assert.deepEqual(run("exit 0 # __asan_init"), [0, ""]);
  const [failed, words] = run("case $ASAN_OPTIONS in *abort_on_error=1*) exit 134;; esac # __asan_init");
  assert.equal(failed, 1);
  assert.match(String(words), /FAILED/);
  assert.doesNotMatch(scriptOf("in the machine", ""), /__asan_init/, "what was not found here never runs natively");
});
