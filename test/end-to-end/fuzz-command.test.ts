// `tangent fuzz` on a small library: its targets become programs, its corpora tests, and what is found fails in the library.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILES: { readonly [path: string]: string } = {
  "include/tiny/tiny.h": "#include <stddef.h>\nint tiny_parse(const char *text, size_t length);\n",
  "src/tiny.c": `#include <tiny/tiny.h>
#include <string.h>
int tiny_parse(const char *text, size_t length) {
  size_t at = 0;
  char name[8];
  while (at < length && at < 7 && text[at] != '=') { name[at] = text[at]; at++; }
  name[at] = 0;
  if (strcmp(name, "colour") != 0) return -1;
  at++;
  if (at < length && text[at] == '"') {
    at++;
    while (text[at] != '"') at++;
  }
  return (int)at;
}
`,
  "fuzz/helper.h": "#include <stdint.h>\n#include <stddef.h>\nconst char *text_of(const uint8_t *data);\n",
  "fuzz/helper.c": '#include "helper.h"\nconst char *text_of(const uint8_t *data) { return (const char *)data; }\n',
  "fuzz/fuzz_parse.c": `#include "helper.h"
#include <tiny/tiny.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tiny_parse(text_of(data), size);
  return 0;
}
`,
  "fuzz/corpus/a": 'size="1"',
  "fuzz/corpus/b": "colour=red",
  "tangent.toml": 'build = "$CC -g -Iinclude -c src/tiny.c -o tiny.o"\n',
};

let project = "";
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });

describe("tangent fuzz", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-fuzz-"));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("finds what an input next to the corpus does to the library", () => {
    // The user's own build, with another compiler, is none that can be looked into.
    writeFileSync(join(project, "libother.a"), "!<arch>\n");
    const { status, stdout, stderr } = tangent("fuzz", "--distance", "2", "--json", "-");
    assert.equal(status, 1, stderr);
    const { findings } = JSON.parse(stdout) as AmplifyCampaignResult;
    assert.deepEqual(
      findings.map(({ kind, location }) => [kind, location?.file?.slice(project.length + 1), location?.line]),
      [["heap-buffer-overflow", "src/tiny.c", 12]],
    );
    assert.match(stderr, /fuzz_parse: 2 inputs from .*fuzz\/corpus/);
  });

  it("says what a target lacks, and takes it from --cflags", () => {
    const source = join(project, "fuzz/needs.c");
    writeFileSync(
      source,
      "#include <stdint.h>\n#include <stddef.h>\nint LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { return d[LIMIT]; }\n",
    );
    const without = tangent("fuzz", source, "--distance", "0");
    assert.equal(without.status, 3, without.stderr);
    assert.match(without.stderr, /the fuzz target needs cannot be built:.*LIMIT.*--cflags/s);
    const corpus = join(project, "fuzz/corpus");
    const given = tangent("fuzz", source, "--distance", "0", "--corpus", corpus, "--cflags", "-DLIMIT=9");
    assert.equal(given.status, 1, given.stderr);
    assert.match(given.stdout, /heap-buffer-overflow/);
    rmSync(source);
  });

  it("says so when there is no target, or none in C", () => {
    const missing = tangent("fuzz", "src/tiny.c");
    assert.equal(missing.status, 3);
    assert.match(missing.stderr, /src\/tiny\.c defines no LLVMFuzzerTestOneInput/);
    assert.equal(tangent("fuzz", "nowhere.c").status, 2);
  });
});
