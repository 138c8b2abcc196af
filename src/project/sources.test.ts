import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sourceRoots, sourcesBelow, sourcesOfVersion, tabWidthOf } from "./sources.js";

const top = realpathSync(mkdtempSync(join(tmpdir(), "tangent-sources-")));
after(() => rmSync(top, { recursive: true, force: true }));
const project = join(top, "project");
for (const folder of ["src", ".secret", ".tangent/build/src", ".tangent/seeds", "../other"]) {
  mkdirSync(join(project, folder), { recursive: true });
}
const put = (name: string, text = "int x;\n"): string => {
  writeFileSync(join(project, name), text);
  return join(project, name);
};
const read = sourcesBelow([project]);

test("sources: what lies in the project is shown, also in the copy it was built in", () => {
  assert.equal(read(put("src/a.c")), "int x;\n");
  assert.equal(read(put(".tangent/build/src/a.c")), "int x;\n");
  symlinkSync("a.c", join(project, "src/b.c"));
  assert.equal(read(join(project, "src/b.c")), "int x;\n");
});

test("sources: a file is found by the way that a build in a folder of its own names it", () => {
  put("src/a.c");
  put("src/plain.c", "int y;\n");
  mkdirSync(join(project, ".tangent/build/out"), { recursive: true });
  put(".tangent/build/out/made.c", "int made;\n");
  // That folder is only in the copy; what the build has made is only there too.
  assert.equal(read(`${project}/out/../src/a.c`), "int x;\n");
  assert.equal(read(join(project, "out/made.c")), "int made;\n");
  // Without a directory: relative to the folder of the build, wherever that was.
  assert.equal(read("../src/plain.c"), "int y;\n");
  assert.equal(read("../../../../other/secret.c"), null);
  assert.equal(read("../.secret/key.c"), null);
});

test("sources: a build's own folder has its sources above it, any other folder has nothing there", () => {
  const tree = join(top, "tree");
  for (const folder of ["lib", "out/debug", ".git"]) mkdirSync(join(tree, folder), { recursive: true });
  writeFileSync(join(tree, "lib/a.c"), "int x;\n");
  writeFileSync(join(tree, ".git/config.c"), "int secret;\n");
  const inside = join(tree, "out/debug");
  const file = `${inside}/../../lib/a.c`;
  assert.equal(sourcesBelow([inside])(file), null);
  writeFileSync(join(inside, "build.ninja"), "");
  assert.equal(sourcesBelow([inside])(file), null);
  writeFileSync(join(tree, "meson.build"), "");
  assert.equal(sourcesBelow([inside])(file), "int x;\n");
  assert.equal(sourcesBelow([inside])(join(tree, ".git/config.c")), null);
  assert.equal(sourcesBelow([inside])(join(project, "src/a.c")), null);
  writeFileSync(join(inside, "meson.build"), "");
  assert.equal(sourcesBelow([inside])(file), null);
});

test("sources: tabs are as wide as the project's .editorconfig says", () => {
  writeFileSync(join(project, ".editorconfig"), "[*.c]\ntab_width = 4\n");
  const own = sourcesBelow([project]);
  assert.equal(tabWidthOf(own, join(project, "src/a.c")), 4);
  assert.equal(tabWidthOf(own, join(project, "src/a.h")), 8);
  assert.equal(tabWidthOf(sourcesOfVersion(project, "/shown/as"), "/shown/as/src/a.c"), 4);
  assert.equal(
    tabWidthOf(() => null, "a.c"),
    8,
  );
  rmSync(join(project, ".editorconfig"));
});

test("sources: nothing from outside is shown, by whatever way it is named", () => {
  const outside = put("../other/secret.c");
  symlinkSync(outside, join(project, "src/link.c"));
  symlinkSync(join(top, "other"), join(project, "folder"));
  for (const path of [
    outside,
    join(project, "src/link.c"),
    join(project, "folder/secret.c"),
    `${project}/../other/secret.c`,
  ]) {
    assert.equal(read(path), null, path);
  }
});

test("sources: hidden folders, what is no text, and what is no file are not shown", () => {
  assert.equal(read(put(".secret/key.c")), null);
  assert.equal(read(put(".env")), null);
  assert.equal(read(put(".tangent/seeds/1.json")), null);
  assert.equal(read(put("src/binary.c", "a\0b")), null);
  assert.equal(read(join(project, "src")), null);
  assert.equal(read(join(project, "none.c")), null);
  spawnSync("mkfifo", [join(project, "pipe.c")]);
  assert.equal(read(join(project, "pipe.c")), null);
});

test("sources: those of a program are looked for in its checkout", () => {
  mkdirSync(join(project, ".git"));
  mkdirSync(join(project, "out"));
  put("out/prog");
  assert.deepEqual(sourceRoots("project/out/prog", top), [top, project]);
  assert.deepEqual(sourceRoots("prog", join(project, "out")), [project, project]);
});

test("sources: those of a version are read in its own tree, under the names of the user's files", () => {
  const tree = join(project, ".tangent/patch/new");
  mkdirSync(join(tree, "src"), { recursive: true });
  put(".tangent/patch/new/src/a.c", "of the version\n");
  put("src/only-here.c");
  const inTree = sourcesOfVersion(tree, project);
  assert.equal(inTree(join(project, "src/a.c")), "of the version\n");
  assert.equal(inTree("src/a.c"), "of the version\n");
  assert.equal(inTree(join(project, "src/only-here.c")), null);
  symlinkSync(put("../other/secret2.c"), join(tree, "link.c"));
  for (const path of ["link.c", "../other/secret2.c", join(top, "other/secret2.c"), ".hidden.c", project]) {
    assert.equal(inTree(path), null, path);
  }
});
