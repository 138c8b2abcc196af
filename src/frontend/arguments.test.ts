import assert from "node:assert/strict";
import { test } from "node:test";
import { expandResponseFiles, languageOf, parseCommandLine, wordsOf } from "./arguments.js";

function summary(line: string) {
  const { stage, output, inputs } = parseCommandLine(line.split(" "));
  return { stage, output, inputs: inputs.map(({ path, language }) => `${path}:${language}`) };
}

test("arguments: inputs, output and stage are found among options and their values", () => {
  assert.deepEqual(summary("-O2 -I include -D X=1 -MF x.d -MT a.o -c -o out/a.o src/a.c"), {
    stage: "object",
    output: "out/a.o",
    inputs: ["src/a.c:c"],
  });
  assert.deepEqual(summary("a.c b.o libx.a start.S -L . -lm -Xlinker -s -oprog"), {
    stage: "link",
    output: "prog",
    inputs: ["a.c:c", "b.o:object", "libx.a:object", "start.S:assembler-with-cpp"],
  });
});

test("arguments: compilation stops at the earliest stage asked for", () => {
  assert.equal(summary("-c -E a.c").stage, "preprocess");
  assert.equal(summary("-S -c a.c").stage, "assembly");
  assert.equal(summary("-MM a.c").stage, "preprocess");
  assert.equal(summary("-MMD a.c").stage, "link");
});

test("arguments: -x names the language of what follows, until -x none", () => {
  assert.deepEqual(summary("-x c - -x c++ y -xassembler z -x none w.o").inputs, [
    "-:c",
    "y:c++",
    "z:assembler",
    "w.o:object",
  ]);
});

test("arguments: an extension is what follows the last dot of the file's name", () => {
  assert.equal(languageOf("a.b/c"), "object");
  assert.equal(languageOf("x.cpp"), "c++");
  assert.equal(languageOf("x.C"), "c++");
  assert.equal(languageOf("libx.so.1.2"), "object");
});

test("arguments: nothing is lost or reordered", () => {
  const words = "-c -o a.o -Wall @r -x c - -lfoo -Wl,-z,now --param x=1 -target y -I".split(" ");
  assert.deepEqual(wordsOf(parseCommandLine(words).parts), words);
});

test("arguments: response files are expanded with a shell's quoting, also within each other", () => {
  const files: Record<string, string> = {
    one: "-DA=\"b c\" 'd e'\n@two\t-DX=\\\"y\\\" ''",
    two: "two.c",
    self: "x @self",
  };
  const read = (path: string) => files[path] ?? null;
  assert.deepEqual(expandResponseFiles(["-c", "@one", "@none"], read), [
    "-c",
    "-DA=b c",
    "d e",
    "two.c",
    '-DX="y"',
    "",
    "@none",
  ]);
  assert.ok(expandResponseFiles(["@self"], read).length <= 1001);
});
