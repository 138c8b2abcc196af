import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "./arguments.js";
import type { HostCompiler } from "./host-compiler.js";
import { firstError, irWords, unknownOptions } from "./host-ir.js";
import { findToolchain } from "./toolchain.js";

const host: HostCompiler = {
  words: ["/usr/bin/gcc"],
  stamp: "",
  target: "x86_64-linux-gnu",
  includes: ["/usr/include"],
  ownIncludes: ["/usr/lib/gcc/include"],
  standard: "gnu17",
  common: false,
};

/** What of a command line reaches our clang, without what every compile gets. */
function own(line: string, wishes = { checks: "", macros: [] as readonly string[] }): string {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") assert.fail(found.message);
  const words = (text: string, wished: typeof wishes) => {
    const command = parseCommandLine(text.split(" "));
    const source = command.parts.find(({ input }) => input !== null);
    assert.ok(source !== undefined);
    return irWords(command, source, host, found.toolchain, wished);
  };
  const made = words(line, wishes);
  const bare = words("-O2 x.c", { checks: "", macros: [] });
  if (made.kind === "none") return made.reason;
  if (bare.kind === "none") assert.fail(bare.reason);
  return made.words.filter((word) => !bare.words.includes(word)).join(" ");
}

test("host IR: options that concern meaning go through, in order", () => {
  const kept = "-DX=1 -U Y -Iinc -isystem sys -include pre.h -std=c99 -funsigned-char -fpack-struct=4 -msse4.2 -fwrapv";
  assert.equal(own(`-O2 ${kept} -c a.c`), `${kept} a.c`);
  assert.equal(own("-O2 -Wp,-DA=1,-MD,x.d -c a.c"), "-DA=1 a.c");
});

test("host IR: warnings, linking, dependencies, optimisation and instrumentation do not", () => {
  const dropped =
    "-Wall -Werror -pedantic-errors -MD -MF x.d -MT y -L. -lz -Wl,-z,now -shared -pie -O3 -flto=auto -g0 -ggdb3 -pg --coverage " +
    "-fprofile-generate -fsanitize=address -march=native -mtune=native -fopenmp -save-temps -pipe -fstack-protector-strong " +
    "-fcf-protection -fplugin=x.so -specs=y -fdump-tree-all -fdiagnostics-color -Xlinker --as-needed -Xassembler -al -o a.o";
  assert.equal(own(`${dropped} -c a.c`), "a.c");
});

test("host IR: UBSan's own checks become traps, and checks and macros that are wished for are added", () => {
  assert.match(
    own("-O2 -fsanitize=address,shift -c a.c"),
    /^-fsanitize=shift -fno-sanitize=function -fsanitize-trap=shift/,
  );
  assert.match(own("-O2 -c a.c", { checks: "null", macros: ["-DM"] }), /-fsanitize=null .*-DM a\.c$/);
});

test("host IR: without optimisation sources do not see __OPTIMIZE__", () => {
  assert.equal(own("-c a.c"), "-U__OPTIMIZE__ a.c");
  assert.equal(own("-O2 -O0 -c a.c"), "-U__OPTIMIZE__ a.c");
});

test("host IR: files whose names tell no language, or look like options, are named safely", () => {
  assert.equal(own("-O2 -c a.i"), "-x cpp-output a.i");
  assert.equal(own("-O2 -x c -c a.inc"), "-x c a.inc");
  assert.equal(own("-O2 -c @a.c"), "./@a.c");
});

test("host IR: another machine's code has no IR", () => {
  assert.match(own("-m32 -c a.c"), /^-m32: the IR is for x86-64/);
});

test("host IR: options that clang does not know are found, but for those that change structures", () => {
  const errors =
    "zig: error: unknown argument: '-fmystery'\nzig: error: unsupported option '-fsso-struct=big-endian' for x\n";
  assert.deepEqual(unknownOptions(errors), ["-fmystery"]);
  assert.deepEqual(unknownOptions("a.c:1:2: error: unknown type name 'x'\n"), []);
  assert.equal(
    firstError("In file included from b.h:\na.c:1:2: error: no\na.c:2:2: error: more\n"),
    "a.c:1:2: error: no",
  );
});
