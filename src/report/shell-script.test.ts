import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ShellScript } from "./shell-script.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-shell-script-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const SHELLS = ["sh", "dash", "bash"].filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0);

const CONTENTS = [
  ...["", "-r--r--", "-n\n", "--", "-e a\\b", "%s%", "EOF\n", "EOF\nEOF_\n-x\n", "'\n"].map((text) =>
    Buffer.from(text),
  ),
  Buffer.from([0x2d, 0, 0xff]),
  Buffer.concat([Buffer.from("-"), Buffer.from(Array.from({ length: 600 }, (_, at) => at % 256))]),
];

test("a script's files have their bytes, whatever they begin with, in every sh there is", () => {
  for (const shell of SHELLS) {
    for (const [at, bytes] of CONTENTS.entries()) {
      const script = new ShellScript();
      const target = join(folder, `${shell}-${at}`);
      script.write(bytes, target);
      const { status, stderr } = spawnSync(shell, ["-c", script.text()], { encoding: "utf8" });
      assert.equal(stderr, "");
      assert.equal(status, 0, script.text());
      assert.deepEqual(readFileSync(target), bytes, script.text());
    }
  }
});
