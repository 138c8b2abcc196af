import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { TestInput } from "../inputs/test-input.js";
import { renderScript, witnessFiles } from "./witness-script.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-script-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test's script; the program is a line of shell. */
function output(input: Partial<TestInput>, program: string): string {
  const whole: TestInput = {
    ...{ program: "p", workingDirectory: "/w/here", environment: [], inputs: NO_INPUTS, values: [], given: {} },
    ...input,
  };
  const { text, data } = renderScript(witnessFiles(whole, []), whole.workingDirectory, {
    head: ["#!/bin/sh", "umask 022", `program() { ${program}; }`],
    start: "program",
    tail: ["exit $status"],
    dataFolder: "data",
  });
  const script = join(folder, "script.sh");
  writeFileSync(script, text);
  chmodSync(script, 0o755);
  mkdirSync(join(folder, "data"), { recursive: true });
  for (const { name, bytes } of data) writeFileSync(join(folder, "data", name), bytes);
  const { stdout, stderr, status } = spawnSync("sh", [script], { encoding: "latin1" });
  assert.equal(stderr, "");
  assert.equal(status, 0, text);
  return stdout.replaceAll(/\/tmp\/tmp\.\w+/g, "WORK");
}

test("witness script: kinds, modes, times and links are laid out, and words lead to them", () => {
  const shown = output(
    {
      inputs: {
        ...NO_INPUTS,
        words: [{ kind: "fixed", bytes: Buffer.from("-f/w/here/d") }],
        files: [{ name: "/w/f", size: 3 }],
      },
      values: [{ name: "file:/w/f", occurrence: 0, bytes: Buffer.from("a'b") }],
      given: {
        files: [{ path: "/w/here/d/long", bytes: Buffer.alloc(5000, 0x61) }],
        tree: [
          { kind: "directory", path: "/w/here/d", mode: 0o510, isWhole: true, modified: 86_400 },
          { kind: "file", path: "/w/here/d/long", mode: 0o600, size: 5000 },
          { kind: "file", path: "/w/f", mode: 0o640, size: 3, inode: 5 },
          { kind: "file", path: "/w/same", mode: 0o640, size: 3, inode: 5 },
          { kind: "file", path: "/w/here/si\xffzed $(id)", mode: 0o644, size: 7 },
          { kind: "link", path: "/w/here/l", to: "d/long" },
          { kind: "link", path: "/w/here/abs", to: "/w" },
          { kind: "link", path: "/w/here/out", to: "../../../../etc" },
          { kind: "fifo", path: "/w/here/p", mode: 0o644 },
          { kind: "missing", path: "/w/here/none" },
        ],
      },
    },
    `echo "$1"; LC_ALL=C find . ../f ! -type d -printf '%p %y %m %s %l\\n' | LC_ALL=C sort; find d -maxdepth 0 -printf '%m %TY-%Tm\\n'; cat ../f; cat ../same; find .. -samefile ../f | sort`,
  );
  assert.deepEqual(shown.split("\n"), [
    "-fWORK/w/here/d",
    "../f f 640 3 ",
    "./abs l 777 13 WORK/w".replace("13", String("/tmp/tmp.XXXXXXXXXX/w".length)),
    "./d/long f 600 5000 ",
    "./l l 777 6 d/long",
    "./p p 644 0 ",
    "./si\xffzed $(id) f 644 7 ",
    "510 1970-01",
    "a'ba'b../f",
    "../same",
    "",
  ]);
});

test("witness script: writing fails where it did", () => {
  const said = join(folder, "said");
  const probe = `{ echo x; } 2>/dev/null && echo wrote >${said} || echo failed >${said}`;
  for (const [outputs, word] of [
    [{}, "wrote\n"],
    [{ stdout: "full" }, "failed\n"],
    [{ stdout: "closed" }, "failed\n"],
    [{ stderr: "closed" }, "wrote\n"],
  ] as const) {
    output({ given: { outputs } }, probe);
    assert.equal(readFileSync(said, "utf8"), word);
  }
});

test("witness script: no name and no link leads out of its directory", () => {
  const outside = join(folder, "outside");
  const shown = output(
    {
      given: {
        files: [
          { path: `/w/../../../..${outside}`, bytes: Buffer.from("harm") },
          { path: "/w/up/outside", bytes: Buffer.from("harm") },
        ],
        tree: [{ kind: "link", path: "/w/up", to: `${"../".repeat(12)}${folder}` }],
      },
    },
    "ls ..",
  );
  assert.equal(shown, "here\nup\n");
  assert.ok(!existsSync(outside));
});

test("witness script: files, standard input and words may begin with a dash", () => {
  const shown = output(
    {
      inputs: {
        ...NO_INPUTS,
        words: [{ kind: "fixed", bytes: Buffer.from("-n\x01") }],
        files: [{ name: "-f", size: 5 }],
        stdin: 6,
      },
      values: [
        { name: "file:-f", occurrence: 0, bytes: Buffer.from("-r--\n") },
        { name: "stdin", occurrence: 0, bytes: Buffer.from("--%s\n-") },
      ],
      given: { files: [{ path: "/w/here/--", bytes: Buffer.from("-e\n") }] },
    },
    `printf '%s\\n' "$1"; find .. -type f | sort; cat ./--; cat "$work"/-f; cat`,
  );
  assert.equal(shown, "-n\x01\n../here/--\n-e\n-r--\n--%s\n-");
});
