import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readBugs } from "../bug.js";
import type { BedBug, BedPackage } from "./bed-bug.js";
import { makeBed } from "./make-bed.js";
import { PACKAGES } from "./packages.js";
import { sourceParts } from "./source-parts.js";

test("bugs have names of their own, places that can be read, and a proof of concept that is no seed", () => {
  const bugs = PACKAGES.flatMap((program) => program.bugs);
  assert.equal(new Set(bugs.map(({ name }) => name)).size, bugs.length);
  for (const { name, places, proof, seeds, reverse, ownSeeds = [] } of bugs) {
    assert.ok(places.length > 0 && places.every((place) => /^[\w./]+:\d+$/.test(place)), name);
    assert.ok(!Object.values(seeds).includes(proof), name);
    assert.ok(Object.keys(seeds).length + ownSeeds.length >= 4, name);
    assert.ok(reverse.length > 0, name);
  }
});

test("of a patch only what changes sources is taken back", () => {
  const part = (name: string): string => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`;
  const git = (name: string): string => `diff --git a/${name} b/${name}\nindex 1..2 100644\n`;
  const patch = ["x.c", "test/x.xml", "y.h"].map((name) => git(name) + part(name)).join("");
  assert.equal(sourceParts(`Subject: mend\n---\n x.c | 2 +-\n\n${patch}`), part("x.c") + part("y.h"));
});

const SOURCE = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  FILE *file = fopen(argv[argc - 1], "r");
  char *line = malloc(8);
  if (file == NULL || fgets(line, 8, file) == NULL) return 1;
  if (line[0] == 'x') line += 4;
  return line[FAR];
}
`;
const PATCH = `--- a/prog.c
+++ b/prog.c
@@ -5,4 +5,3 @@
   char *line = malloc(8);
   if (file == NULL || fgets(line, 8, file) == NULL) return 1;
-  if (line[0] == 'x') line += 4;
   return line[FAR];
`;

const isRoot = process.getuid?.() === 0;
const hasTools = ["gcc", "afl-clang-fast", "patch"].every((name) => spawnSync("which", [name]).status === 0);

/** Twenty builds take more than a minute: before a release, and after a change to the script. */
const isAsked = process.env.TANGENT_ALL_TWINS === "1";

test("a bed is made of a source with its patch, and says of each bug whether it shows", {
  skip:
    isAsked && isRoot && hasTools
      ? false
      : "TANGENT_ALL_TWINS=1 asks for it; it needs gcc, AFL++, patch, and to be root",
}, () => {
  const top = mkdtempSync(join(tmpdir(), "tangent-bed-test-"));
  // Programs are run as nobody.
  chmodSync(top, 0o755);
  try {
    const source = join(top, "src", "tiny", "source");
    mkdirSync(join(source, "debian", "patches"), { recursive: true });
    writeFileSync(join(source, "prog.c"), SOURCE.replace("  if (line[0] == 'x') line += 4;\n", ""));
    writeFileSync(join(source, "debian", "patches", "fix"), PATCH);
    writeFileSync(join(source, "debian", "changelog"), "tiny (1.0-2) unstable; urgency=low\n");
    const bug: BedBug = {
      ...{ name: "good", reference: "none", kind: "heap-buffer-overflow", what: "a line beyond the buffer" },
      reverse: ["fix"],
      places: ["prog.c:8"],
      arguments: ["@@"],
      seeds: { a: "abc\n", b: "b\n" },
      beside: { "other.txt": "other\n" },
      proof: "xyz\n",
    };
    const program: BedPackage = {
      source: "tiny",
      files: { "far.h": "#define FAR 5\n" },
      build: "$CC $CFLAGS -include far.h -o prog prog.c",
      program: "prog",
      bugs: [
        bug,
        { ...bug, name: "elsewhere", places: ["prog.c:5"] },
        { ...bug, name: "harmless", proof: "abc\n" },
        { ...bug, name: "seeded", seeds: { a: "xa\n" } },
        { ...bug, name: "unpatched", reverse: ["none"] },
      ],
    };
    const said = [...makeBed(top, [program], [])].map(({ name, problem }) => `${name}: ${problem}`);
    assert.deepEqual(said.slice(0, 2), ["good: null", "elsewhere: the proof of concept fails at asan/prog.c:8"]);
    assert.match(said[2], /^harmless: the proof of concept does not fail/);
    assert.deepEqual(said.slice(3), ["seeded: the seed a fails at asan/prog.c:8", "unpatched: there is no patch none"]);
    assert.deepEqual(JSON.parse(readFileSync(join(top, "bed.json"), "utf8")), ["good"]);
    const [made] = readBugs(join(top, "bed.json"));
    assert.equal(made.package, "tiny 1.0-2");
    for (const build of ["src", "asan", "afl", "fixed"]) assert.ok(existsSync(join(top, "good", build, "prog")), build);
    assert.ok(existsSync(join(top, "good", "src", ".tangent", "seeds")));
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});
