import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { appendToFile } from "./append-whole.js";

const SCRIPT = `
  import { openSync } from "node:fs";
  import { appendWhole } from ${JSON.stringify(new URL("./append-whole.js", import.meta.url).href)};
  const file = openSync(process.argv[1], "a");
  for (const length of [300, 5000, 300]) {
    try {
      appendWhole(file, "x".repeat(length) + "\\n");
      console.log("written");
    } catch (error) {
      console.log(error.code);
    }
  }
`;

test("append whole: what there is no room for leaves nothing behind", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-append-"));
  const path = join(folder, "lines");
  const words = ["-c", 'ulimit -f 2; exec "$@"', "sh", process.execPath, "--input-type=module", "-e", SCRIPT, path];
  const { stdout, stderr } = spawnSync("bash", words, { encoding: "utf8" });
  assert.equal(stdout, "written\nEFBIG\nwritten\n", stderr);
  const line = `${"x".repeat(300)}\n`;
  assert.equal(readFileSync(path, "utf8"), line + line);
  rmSync(folder, { recursive: true });
});

test("append whole: a pipe that nobody reads and a link are refused, nothing is waited for", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-append-"));
  const lines = join(folder, "lines");
  for (const text of ["a\n", "b\n"]) appendToFile(lines, text);
  assert.equal(readFileSync(lines, "utf8"), "a\nb\n");
  symlinkSync("lines", join(folder, "link"));
  assert.throws(() => appendToFile(join(folder, "link"), "c\n"), { code: "ELOOP" });
  assert.equal(spawnSync("mkfifo", [join(folder, "pipe")]).status, 0);
  assert.throws(() => appendToFile(join(folder, "pipe"), "c\n"), { code: "ENXIO" });
  rmSync(folder, { recursive: true });
});
