// What a test makes, shows to a program and removes again is part of its record: run again in the machine, when all of it is gone, the
// program prints what it printed natively. The program walks through directories as find does and prints all that it is told.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { runOptionsOf } from "../../src/inputs/test-input.js";
import { DEFAULT_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { removeStaged, stageInvocation } from "../../src/jobs/stage-invocation.js";
import { startNatively } from "../../src/jobs/start-natively.js";
import { type LoadedProgram, loadProgram } from "../../src/program/load.js";
import { BlobStore } from "../../src/project/blob-store.js";
import { ProjectFolder } from "../../src/project/project-folder.js";
import type { Seed } from "../../src/project/seed.js";
import { SeedStore } from "../../src/project/seed-store.js";
import { invocationOf, testOf } from "../../src/project/seed-test.js";
import { runImage } from "../../src/vm/machine.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const PROGRAM = String.raw`#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static void show(const char *path) {
  struct stat s;
  if (lstat(path, &s) < 0) { printf("%s: %s\n", path, strerror(errno)); return; }
  printf("%s %o %d %lld %lld.%09ld", path, s.st_mode, (int)s.st_nlink, (long long)s.st_size, (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  printf(" old %d", (int)((time(0) - s.st_mtim.tv_sec) / 3600));
  char to[256];
  ssize_t n = readlink(path, to, sizeof to);
  if (n >= 0) printf(" -> %.*s", (int)n, to);
  if (S_ISREG(s.st_mode) && strstr(path, "read")) {
    FILE *f = fopen(path, "r");
    int c;
    while (f && (c = getc(f)) != EOF) putchar(c);
    if (f) fclose(f);
  }
  putchar('\n');
  if (!S_ISDIR(s.st_mode)) return;
  DIR *d = opendir(path);
  if (!d) { printf("%s: %s\n", path, strerror(errno)); return; }
  for (struct dirent *e; (e = readdir(d));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    char child[4096];
    snprintf(child, sizeof child, "%s/%s", path, e->d_name);
    printf("%d ", e->d_type);
    show(child);
  }
  closedir(d);
}
int main(int argc, char **argv) {
  for (int i = 2; i < argc; i++) {
    if (!strcmp(argv[i], "-c")) { mkdir("made", 0755); FILE *f = fopen("made/read", "w"); fputs("mine\n", f); fclose(f); rename("made", "made2"); rename("moved", "there"); show("made2"); }
    else if (!strcmp(argv[i], "-r")) { FILE *f = fopen(argv[++i], "r"); for (int c; f && (c = getc(f)) != EOF;) putchar(c); if (f) fclose(f); }
    else if (!strcmp(argv[i], "-d")) { if (chdir(argv[++i])) perror(argv[i]); }
    else show(argv[i]);
  }
  return 3;
}
`;

/** Each run's output goes to a file named by its first argument, outside of what is looked at. */
const TESTS = `set -e
shm=$(mktemp -d /dev/shm/tangent-test-XXXXXX)
echo shared > "$shm/read"
mkdir dir; cd dir
mkdir -p a/b/c empty moved/deep
echo hello > a/read1; echo x > a/b/z; echo y > a/b/y; printf 12345 > a/b/sized; echo in > moved/deep/read
ln -s a/b link; ln -s nowhere dangling; ln -s "$PWD/a" whole; mkfifo pipe
chmod 640 a/b/z; touch -t 200001010101 a/b/y; touch -h -t 199001010101 link; chmod 1777 empty
set +e
../walk all . > ../out.all
../walk named link/ none a/none/x a/read1/x whole/read1 > ../out.named
../walk within -d a/b . .. > ../out.within
../walk changing -c . there ../dir/a > ../out.changing
mkdir -p way/deep; ln -s "$shm" memory
../walk way way/deep/../../empty memory/ "$shm/read" > ../out.way
(echo first; sleep 0; echo second) > pipe & ../walk piped empty -r pipe a/read1 dangling none > ../out.piped
cd ..; rm -rf dir "$shm"
`;

let folder = "";
let loaded: LoadedProgram;
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8", input: "" });

function again(seed: Seed): string {
  const made = testOf(seed, new BlobStore(new ProjectFolder(folder)), folder);
  assert.ok(made.kind === "test");
  const result = runImage(loaded.image, runOptionsOf(made.test));
  return Buffer.from(result.stdout).toString();
}

/** Without the times of what the program has changed, and where its directory puts what it makes. */
function plain(output: string): string[] {
  const lines = output.split("\n").map((line) => line.replace(/(made2\S* .*|^\. .*) \d+\.\d+/, "$1"));
  return lines.sort();
}

describe("the files and directories of a recorded test", () => {
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "tangent-record-tree-")));
    writeFileSync(join(folder, "walk.c"), PROGRAM);
    writeFileSync(join(folder, "tests.sh"), TESTS);
    const built = tangent("cc", "-o", "walk", "walk.c");
    assert.equal(built.status, 0, built.stderr);
    const recorded = tangent("record", "--", "sh", "tests.sh");
    assert.match(recorded.stderr, /6 invocations recorded/, recorded.stderr);
    const program = await loadProgram([join(folder, "walk")], {
      env: process.env,
      clang: null,
      flags: [],
      compile: DEFAULT_COMPILE_OPTIONS,
    });
    assert.ok(program.kind === "loaded");
    loaded = program;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const name of ["all", "named", "within", "changing", "way", "piped"]) {
    it(`are there again when the program runs in the machine: ${name}`, () => {
      assert.ok(!existsSync(join(folder, "dir")));
      const seed = new SeedStore(new ProjectFolder(folder)).list().find(({ arguments: words }) => words[1] === name);
      assert.ok(seed !== undefined);
      const natively = readFileSync(join(folder, `out.${name}`), "utf8");
      assert.ok(natively.split("\n").length > 5);
      if (name === "changing") assert.deepEqual(plain(again(seed)), plain(natively));
      else assert.equal(again(seed), natively);
    });
  }

  it("can be laid out again, for a native run that prints the same", () => {
    const blobs = new BlobStore(new ProjectFolder(folder));
    const seeds = new SeedStore(new ProjectFolder(folder)).list();
    for (const name of ["all", "named", "within"]) {
      const seed = seeds.find(({ arguments: words }) => words[1] === name);
      assert.ok(seed !== undefined);
      const made = invocationOf(seed, blobs);
      assert.ok(made.kind === "invocation");
      const scratch = mkdtempSync(join(folder, "scratch-"));
      const staged = stageInvocation(made.invocation, scratch, folder);
      assert.deepEqual(staged.notes, []);
      const program = join(folder, "walk");
      const result = startNatively({ ...staged, program, settings: [], timeoutMs: 20_000 }, process.env);
      removeStaged(scratch);
      assert.ok(result.kind === "exit");
      // An absolute link leads into the scratch directory, and a disk lists as it likes.
      const comparable = (text: string): string[] => {
        const lines = text.split("\n").filter((line) => !/whole \d+/.test(line));
        return lines.map((line) => line.replace(/ \d{10}\.\d{9}/, "")).sort();
      };
      assert.deepEqual(comparable(result.output), comparable(readFileSync(join(folder, `out.${name}`), "utf8")));
    }
  });

  it("what the program makes itself is not recorded, what it moves is known by its first name", () => {
    const seeds = new SeedStore(new ProjectFolder(folder)).list();
    const tree = seeds.find(({ arguments: words }) => words[1] === "changing")?.tree ?? [];
    const kinds = new Map(tree.map(({ kind, path }) => [path.slice(folder.length), kind]));
    assert.equal(kinds.get("/dir/made"), "missing");
    assert.equal(kinds.get("/dir/made2"), "missing");
    assert.equal(kinds.get("/dir/there"), "missing");
    assert.equal(kinds.get("/dir/moved"), "directory");
    assert.equal(kinds.get("/dir/moved/deep/read"), "file");
    assert.ok(![...kinds.keys()].some((path) => /^\/dir\/(made|made2|there)\//.test(path)));
  });
});
