// What is ours alone (the queue's password and key) is in no environment that a build, a recorded test or a program under test sees.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";
import { KNOWN_VARIABLES } from "../../src/support/own-environment.js";

const TANGENT = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));
const PROGRAM = `#include <stdio.h>
extern char **environ;
int main(void) { for (char **at = environ; *at; at++) puts(*at); return 0; }
`;
const MAKEFILE = `prog: prog.c
\tenv > build.env
\t$(CC) -g -o prog prog.c
check: prog
\tenv > test.env
\t./prog > prog.env
`;

const scratch = mkdtempSync(join(tmpdir(), "tangent-secrets-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

it("neither builds nor tests nor programs see a secret of ours, in whichever command", () => {
  const project = join(scratch, "project");
  mkdirSync(project);
  writeFileSync(join(project, "prog.c"), PROGRAM);
  writeFileSync(join(project, "Makefile"), MAKEFILE);
  const secrets = Object.fromEntries(KNOWN_VARIABLES.notPassed.map((name) => [name, "do-not-tell"]));
  const env = { ...process.env, ...secrets, TANGENT_CC: "embedded", USUAL: "passed-on" };
  const run = (...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync("sh", [TANGENT, ...words], { cwd: project, env, encoding: "utf8" });
    assert.ok(status === 0, `${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  run("build", "--", "make");
  run("record", "--", "make", "check");
  const copies = [".", ".tangent/build"].map((folder) => join(project, folder));
  const seen: string[] = [];
  for (const name of ["build.env", "test.env", "prog.env"]) {
    for (const folder of copies) {
      try {
        seen.push(readFileSync(join(folder, name), "utf8"));
      } catch {
        // It is in the other one.
      }
    }
  }
  assert.ok(seen.length >= 3, `${seen.length} environments were written`);
  seen.push(run("run", join(project, ".tangent/build/prog")));
  for (const text of seen) {
    assert.match(text, /^USUAL=passed-on$/m);
    assert.doesNotMatch(text, /do-not-tell/);
  }
});
