import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { ShownTest } from "../inputs/test-input.js";
import { renderReproduce } from "./reproduce.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-reproduce-"));
after(() => rmSync(folder, { recursive: true }));

const executable = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
};

const WITNESS: ShownTest = {
  program: "prog",
  inputs: {
    words: [
      { kind: "fixed", bytes: Buffer.from("it's") },
      { kind: "symbolic", length: 4 },
    ],
    stdin: 5,
    files: [{ name: "A", size: 2 }],
    environment: [{ name: "MODE", length: 3 }],
  },
  values: [
    { name: "arg0", occurrence: 0, bytes: Uint8Array.of(0xff, 0x0a, 0x25, 0) },
    { name: "stdin", occurrence: 0, bytes: Buffer.from("in\0\n.") },
    { name: "file:A", occurrence: 0, bytes: Buffer.from("AA") },
    { name: "env:MODE", occurrence: 0, bytes: Buffer.from("a\nb") },
  ],
};

test("reproduce: the program gets the very bytes of arguments, environment, standard input, files and test", () => {
  const program = executable(
    "prog",
    `#!/bin/sh\nprintf '%s|' "$#" "$@" "$MODE"\ncat A\ncat\nprintf '|%s' "$KTEST_FILE"\n`,
  );
  const script = executable(
    "reproduce.sh",
    renderReproduce(WITNESS, { title: "two\nlines", program, native: true, ktest: "input.ktest" }),
  );
  mkdirSync(join(folder, "files"));
  writeFileSync(join(folder, "files", "A"), "AA");
  writeFileSync(join(folder, "stdin"), "in\0\n.");
  const output = execFileSync(script, { cwd: "/" });
  const expected = Buffer.concat([
    Buffer.from("2|it's|"),
    Buffer.from([0xff, 0x0a, 0x25]),
    Buffer.from(`|a\nb|AAin\0\n.|${join(folder, "input.ktest")}`),
  ]);
  assert.deepEqual(output, expected);
});

test("reproduce: another build may be named, relative to where the user is", () => {
  executable("other", "#!/bin/sh\necho other; exit 7\n");
  const script = join(folder, "reproduce.sh");
  const { status, stdout } = spawnSync(script, ["./other"], { cwd: folder });
  assert.equal(String(stdout), "other\n");
  assert.equal(status, 7);
});

test("reproduce: in the VM by --vm, and by default where there is nothing native to run", () => {
  const tangent = executable("fake-tangent", '#!/bin/sh\necho "$@"\n');
  const env = { ...process.env, TANGENT: tangent };
  const expected = `replay --program /src/a.c ${folder}/t.ktest\n`;
  const options = { title: "t", program: "/src/a.c", ktest: "t.ktest" };
  const input = { program: "a.c", inputs: NO_INPUTS, values: [] };
  const source = executable("source.sh", renderReproduce(input, { ...options, native: false }));
  assert.equal(String(execFileSync(source, { env })), expected);
  const native = executable("native.sh", renderReproduce(input, { ...options, native: true }));
  assert.equal(String(execFileSync(native, ["--vm"], { env })), expected);
});
