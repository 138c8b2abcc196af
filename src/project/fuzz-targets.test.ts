import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { headerFolders, lookAround } from "./fuzz-build.js";
import { findCorpus, findFuzzTargets, inputsIn } from "./fuzz-targets.js";

const TARGET = "int LLVMFuzzerTestOneInput(const uint8_t *data,\n    size_t size)\n{ return 0; }\n";
const FILES: { readonly [path: string]: string } = {
  "fuzz/fuzz_parse.c": `#include "proj/parse.h"\n#include <stdio.h>\n#include "helper.h"\n${TARGET}`,
  "fuzz/helper.h": "",
  "fuzz/read_fuzzer.c": TARGET,
  "oss/fuzz_parse.c": TARGET,
  "fuzz/main.c": "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);\nint main(void) { return 0; }\n",
  "fuzz/other.cc": `extern "C" ${TARGET}`,
  "include/proj/parse.h": '#include "deep.h"\n#include <config.h>\n',
  "src/inner/deep.h": "",
  "src/proj/parse.h": "",
  "config.h": "",
  "fuzz/corpus/long": "0123456789",
  "fuzz/corpus/short": "0",
  "fuzz/corpus/.hidden": "",
  "tests/corpora/read/one": "1",
  "oss/fuzz_parse_seed_corpus/a": "a",
  "empty/corpus/README/x": "",
};

let root = "";

describe("fuzz targets of a project", () => {
  before(() => {
    root = mkdtempSync(join(tmpdir(), "tangent-fuzz-targets-"));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it("are C files that define the function, each under a name of its own", () => {
    const { targets, inCxx } = findFuzzTargets(root);
    assert.deepEqual(
      targets.map(({ source, name }) => [source.slice(root.length + 1), name]),
      [
        ["fuzz/fuzz_parse.c", "fuzz_parse"],
        ["fuzz/read_fuzzer.c", "read_fuzzer"],
        ["oss/fuzz_parse.c", "fuzz_parse-2"],
      ],
    );
    assert.deepEqual(inCxx, [join(root, "fuzz/other.cc")]);
  });

  it("have their corpora under their names, or beside them", () => {
    const corpusOf = (source: string) => findCorpus(root, { source: join(root, source), name: "" });
    assert.equal(corpusOf("oss/fuzz_parse.c"), join(root, "oss/fuzz_parse_seed_corpus"));
    assert.equal(corpusOf("fuzz/read_fuzzer.c"), join(root, "tests/corpora/read"));
    assert.equal(corpusOf("fuzz/unnamed.c"), join(root, "fuzz/corpus"));
    assert.equal(corpusOf("empty/other.c"), null);
  });

  it("give their inputs from the smallest on", () => {
    const folder = join(root, "fuzz/corpus");
    assert.deepEqual(inputsIn(folder, 5), [join(folder, "short"), join(folder, "long")]);
    assert.deepEqual(inputsIn(folder, 1), [join(folder, "short")]);
  });

  it("find the headers that they include, and those that these include", () => {
    const folders = headerFolders(join(root, "fuzz/fuzz_parse.c"), lookAround(root, []));
    assert.deepEqual(folders, [join(root, "fuzz"), root, join(root, "include"), join(root, "src/inner")]);
  });
});
