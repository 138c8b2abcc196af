// Recording the same tests twice adds nothing, though they work in fresh directories and put their process numbers into names.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "tangent-again-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const SOURCE = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
  const char *place = getenv("PLACE");
  int sum = place != 0;
  for (int c; file && (c = getc(file)) != EOF;) sum += c;
  printf("%d\\n", sum);
  return 0;
}
`;
const TESTS = `set -e
d=$(mktemp -d)
echo first >"$d/in.$$"; ./sum "$d/in.$$"
mkdir "run.$$"; echo "$d second" >"run.$$/list"; (cd "run.$$"; ../sum list; ../sum ./none)
PLACE=$d ./sum <"$d/in.$$"
PLACE=$PWD/run.$$ ./sum ./tests.sh
./other "$d/in.$$"
rm -r "$d" "run.$$"
`;

function tangent(...words: string[]): SpawnSyncReturns<string> {
  return spawnSync(join(ROOT, "bin/tangent"), words, { encoding: "utf8", cwd: directory });
}

test("record: the same tests again are nothing new, and --program chooses whose are recorded", () => {
  writeFileSync(join(directory, "sum.c"), SOURCE);
  writeFileSync(join(directory, "tests.sh"), TESTS);
  for (const name of ["sum", "other"]) {
    const built = tangent("cc", "-o", name, "sum.c");
    assert.equal(built.status, 0, built.stderr);
  }
  const first = tangent("record", "--program", "sum", "--", "sh", "tests.sh");
  assert.match(first.stderr, /5 invocations recorded, 5 different, 5 of them new/);
  const again = tangent("record", "--program", "./sum", "--", "sh", "tests.sh");
  assert.match(again.stderr, /5 invocations recorded, 5 different, 0 of them new/);
  const all = tangent("record", "--", "sh", "tests.sh");
  assert.match(all.stderr, /6 invocations recorded, 6 different, 1 of them new/);
  assert.match(tangent("seeds", "--program", "other").stderr, /^tangent: 1 seed\n$/);
  assert.match(tangent("seeds").stdout, /\.\/sum \/tmp\/\S+ {2}\(1 file, 3 times\)/);
  const wrong = tangent("record", "--program", "su", "--", "sh", "tests.sh");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /--program su: .*other, sum\n/);
});
