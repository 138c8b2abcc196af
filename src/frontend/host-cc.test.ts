import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { cacheDirectory, openCache } from "./cache.js";
import { extractBitcode, extractProgram, HOST_SECTION } from "./capture.js";
import { loadInputs } from "./capture-text.js";
import { contentOf, parseElf, withSection } from "./elf.js";
import { searchPath } from "./host-compiler.js";
import { findToolchain } from "./toolchain.js";

const LAUNCHER = resolve("bin/tangent");
const skip = searchPath("gcc", process.env) === null ? "gcc is not installed" : false;
const skipCxx = skip || (searchPath("g++", process.env) === null ? "g++ is not installed" : false);
const folder = mkdtempSync(join(tmpdir(), "tangent-host-"));
after(() => rmSync(folder, { recursive: true }));
const HOST = { ...process.env, TANGENT_CC: "gcc" };

function at(name: string): string {
  return join(folder, name);
}

for (const [name, text] of Object.entries({
  "main.c":
    '#include <stdio.h>\nint answer(int);\nint main(int c, char **v) { printf("%d\\n", answer(c)); return 0; }\n',
  "answer.c": "int answer(int x) { return x + 41; }\n",
  "assembled.S": ".text\n.globl answer\nanswer: lea 41(%rdi), %eax\n ret\n.section .note.GNU-stack\n",
  "nested.c": "int answer(int x) {\n  int more(int y) { return x + y; }\n  return more(41);\n}\n",
  "nested-main.c": "int main(int c, char **v) {\n  int more(int y) { return c + y; }\n  return more(-1);\n}\n",
  "const.c": "int gone(int) __attribute__((const));\nint main(int c, char **v) { gone(c); return c < 2 ? 0 : 3; }\n",
  "wrong.c": "int main(void) { return undeclared; }\n",
  "old.c":
    "f(x) { return g(x); }\nint g(int x) { return x; }\nint *h(int x) { return x < 1 < 2; }\nvoid v() { return 1; }\n",
  "header.h": "#define MORE 41\n",
  "included.c": "int answer(int x) { return x + MORE; }\n",
})) {
  writeFileSync(at(name), text);
}

interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

function run(file: string, words: readonly string[], env: NodeJS.ProcessEnv = HOST, input = ""): Outcome {
  const child = spawnSync(file, words, { cwd: folder, env, encoding: "utf8", input });
  return { status: child.status, out: child.stdout, error: child.stderr };
}

function cc(line: string, env: NodeJS.ProcessEnv = HOST, input = ""): void {
  const outcome = run(LAUNCHER, ["cc", ...line.split(" ")], env, input);
  assert.deepEqual(outcome, { status: 0, out: "", error: "" }, line);
}

function output(program: string): string {
  return run(at(program), []).out;
}

async function sources(file: string): Promise<string[]> {
  return (await texts(file)).map((text) => /source_filename = "(.*)"/.exec(text)?.[1] ?? "");
}

async function texts(file: string): Promise<string[]> {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") assert.fail(found.message);
  const cache = openCache(cacheDirectory(process.env));
  const loaded = await loadInputs([at(file)], { toolchain: found.toolchain, cache, env: process.env });
  if (loaded.kind === "failed") assert.fail(loaded.message);
  return loaded.modules.map(({ text }) => text);
}

/** The object as it was before our section was put into it: the header told another place of the section table. */
function withoutIr(ours: Buffer, plain: Buffer): Buffer {
  const before = Buffer.from(ours.subarray(0, plain.length));
  plain.copy(before, 40, 40, 48);
  plain.copy(before, 60, 60, 62);
  return before;
}

test("host: the object is byte for byte gcc's, with one more section, by the helper and by the driver", {
  skip,
}, () => {
  assert.equal(run("gcc", ["-O2", "-g", "-c", "main.c", "-o", "plain.o"]).status, 0);
  cc("-O2 -g -c main.c -o first.o");
  cc("-O2 -g -c main.c -o second.o");
  // A wish in the environment goes through node.
  cc("-O2 -g -c main.c -o third.o", { ...HOST, TANGENT_CLANG: "", TANGENT_CC_NODE: "", TANGENT_UBSAN: "shift" });
  const plain = readFileSync(at("plain.o"));
  for (const name of ["first.o", "second.o", "third.o"]) {
    assert.ok(withoutIr(readFileSync(at(name)), plain).equals(plain), name);
  }
  const second = readFileSync(at("second.o"));
  const parsed = parseElf(plain);
  const made = parseElf(second);
  if (parsed.kind === "bad" || made.kind === "bad") assert.fail("not ELF");
  const ir = contentOf(made.elf, HOST_SECTION);
  assert.ok(ir !== null && withSection(parsed.elf, HOST_SECTION, ir).equals(second));
});

test("host: several sources and a link in one command, by the helper as by the driver", { skip }, () => {
  const words = "-O2 -g main.c answer.c -o";
  assert.equal(run("gcc", [...words.split(" "), "plain-several"]).status, 0);
  const irs = [HOST, HOST, { ...HOST, TANGENT_SANITIZER_MACROS: "1" }].map((env, index) => {
    cc(`${words} several-${index}`, env);
    const ours = readFileSync(at(`several-${index}`));
    const plain = readFileSync(at("plain-several"));
    assert.ok(withoutIr(ours, plain).equals(plain), "byte for byte gcc's, before the section");
    const made = parseElf(ours);
    return made.kind === "bad" ? assert.fail("not ELF") : contentOf(made.elf, HOST_SECTION);
  });
  assert.ok(irs[0] !== null && irs[1]?.equals(irs[0]));
  assert.equal(run(LAUNCHER, ["cc", "main.c", "no-such.c", "-o", "never"]).status, 1, "gcc's status");
  assert.equal(run(LAUNCHER, ["cc", "answer.c", "wrong.c", "-o", "never"]).status, 1);
  assert.equal(existsSync(at("never")), false);
});

test("host: objects, archives and compile-and-link in one run natively and hold the IR of each source", {
  skip,
}, async () => {
  cc("-c main.c answer.c");
  cc("main.o answer.o -o joined");
  assert.equal(run(LAUNCHER, ["ar", "rcs", "libanswer.a", "answer.o"]).status, 0);
  cc("main.o -L. -lanswer -o archived");
  cc("main.c answer.o -o mixed");
  cc("-O2 main.c answer.c -s -Wl,--gc-sections -o several");
  for (const [program, expected] of [
    ["joined", ["main.c", "answer.c"]],
    ["archived", ["main.c", "answer.c"]],
    ["mixed", ["answer.c", "main.c"]],
    ["several", ["main.c", "answer.c"]],
  ] as const) {
    assert.equal(output(program), "42\n", program);
    assert.deepEqual(await sources(program), expected, program);
  }
  assert.equal(run("strip", ["several"]).status ?? 0, 0);
  assert.equal(output("several"), "42\n");
  assert.deepEqual(await sources("several"), ["main.c", "answer.c"]);
});

test("host: the modules are for glibc, unoptimised, with lines, without fortification", { skip }, async () => {
  cc("-O2 -D_FORTIFY_SOURCE=2 -c main.c -o fortified.o");
  const [text] = await texts("fortified.o");
  assert.match(text, /^target triple = "x86_64-.*linux-gnu"$/m);
  assert.match(text, /%\d+ = alloca i32/);
  assert.match(text, /!DILocation\(line: 3/);
  assert.doesNotMatch(text, /__printf_chk/);
});

test("host: shared libraries are true ones, and bring their IR behind the program's", { skip }, async () => {
  mkdirSync(at("lib"), { recursive: true });
  cc("-shared -fPIC answer.c -o lib/libanswers.so.1 -Wl,-soname,libanswers.so.1");
  symlinkSync("libanswers.so.1", at("lib/libanswers.so"));
  run(LAUNCHER, ["cc", "main.c", "-Llib", "-lanswers", "-Wl,-rpath,$ORIGIN/lib", "-o", "with-rpath"]);
  cc("main.c -Llib -lanswers -o without-rpath");
  assert.equal(output("with-rpath"), "42\n");
  assert.deepEqual(await sources("with-rpath"), ["main.c", "answer.c"]);
  const lost = extractProgram(at("without-rpath"), {});
  assert.ok(lost.kind === "captured");
  assert.deepEqual(lost.foreign, [{ name: "libanswers.so.1", path: null, symbols: [] }]);
  const found = extractProgram(at("without-rpath"), { LD_LIBRARY_PATH: at("lib") });
  assert.ok(found.kind === "captured");
  assert.deepEqual(
    found.libraries.map(({ name, exports }) => [name, exports]),
    [["libanswers.so.1", ["answer"]]],
  );
});

test("host: a library without IR is foreign, with what it defines", { skip }, () => {
  assert.equal(run("gcc", ["-shared", "-fPIC", "answer.c", "-o", "libplain.so"]).status, 0);
  cc("main.c -L. -lplain -o with-plain");
  const extracted = extractProgram(at("with-plain"), {});
  assert.ok(extracted.kind === "captured");
  assert.deepEqual(extracted.foreign, [{ name: "libplain.so", path: at("libplain.so"), symbols: ["answer"] }]);
  const stopped = run(LAUNCHER, ["run", "./with-plain"]);
  assert.match(stopped.error, /a call of answer \(answer is foreign: libplain\.so was not built with tangent cc\)/);
});

test("host: a source that our clang does not understand is marked, and a call into it says so", { skip }, () => {
  cc("main.c nested.c -o one-step");
  cc("-c nested.c");
  cc("-c main.c");
  cc("main.o nested.o -o two-steps");
  const reason = "line 2: function definition is not allowed here";
  const extracted = extractBitcode(at("two-steps"));
  assert.deepEqual(extracted.kind === "captured" && extracted.uncaptured, [
    { source: "nested.c", symbols: ["answer"], reason },
  ]);
  for (const program of ["one-step", "two-steps"]) assert.equal(output(program), "42\n");
  const guessed = run(LAUNCHER, ["run", "./one-step"]);
  assert.match(guessed.error, /a call of answer \(perhaps in nested\.c, which was not captured: line 2/);
  cc("nested-main.c -o nested-main");
  const nowhere = run(LAUNCHER, ["run", "./nested-main"]);
  assert.match(nowhere.error, /no function main to start at: nested-main\.c was not captured \(line 2/);
  const stopped = run(LAUNCHER, ["run", "./two-steps"]);
  assert.match(stopped.error, /warning: nested\.c was not captured \(line 2/);
  assert.match(stopped.error, /stopped: a call of answer \(nested\.c was not captured: line 2: function definition/);
});

test("host: a call of a const function that nobody needs is left out, as natively", { skip }, () => {
  cc("-O2 const.c -o const");
  assert.equal(run(at("const"), []).status, 0);
  assert.deepEqual(run(LAUNCHER, ["run", "./const"]), { status: 0, out: "", error: "" });
});

test("host: a call into an object of another compiler says so", { skip }, () => {
  assert.equal(run("gcc", ["-c", "answer.c", "-o", "others.o"]).status, 0);
  cc("main.c others.o -o with-others");
  const stopped = run(LAUNCHER, ["run", "./with-others"]);
  assert.match(stopped.error, /a call of answer \(what defines it was not compiled by tangent cc\)/);
  assert.equal(run("ar", ["rcs", "libmixed.a", "others.o", "main.o"]).status, 0);
  const mixed = extractBitcode(at("libmixed.a"));
  assert.deepEqual(mixed.kind === "captured" && mixed.uncaptured, [
    { source: "libmixed.a(others.o)", symbols: ["answer"], reason: "it was not compiled by tangent cc" },
  ]);
});

test("host: gcc's errors, warnings and statuses are gcc's own", { skip }, () => {
  for (const line of [
    "-c wrong.c",
    "-Wall -Wextra -c main.c",
    "-c missing.c",
    "-Werror -Wunused -c main.c",
    "-c old.c",
    "-qx",
  ]) {
    const words = line.split(" ");
    assert.deepEqual(run(LAUNCHER, ["cc", ...words]), run("gcc", words), line);
  }
  run(LAUNCHER, ["cc", "-w", "-c", "old.c"]);
  assert.equal(extractBitcode(at("old.o")).kind, "captured");
});

test("host: questions, preprocessing and assembly are gcc's business alone", { skip }, () => {
  for (const words of [
    ["--version"],
    ["-dumpmachine"],
    ["-E", "main.c"],
    ["-M", "main.c"],
    ["-print-multi-os-directory"],
  ]) {
    assert.deepEqual(run(LAUNCHER, ["cc", ...words]), run("gcc", words));
  }
  cc("-S answer.c -o answer.s");
  writeFileSync(at("conftest.c"), "int main(void) { return 0; }\n");
  cc("conftest.c -o conftest");
  assert.equal(extractBitcode(at("conftest")).kind, "failed");
});

test("host: dependencies, response files, standard input and precompiled headers work as ever", { skip }, async () => {
  cc("-MMD -MF main.d -MT target -c main.c");
  assert.equal(readFileSync(at("main.d"), "utf8"), "target: main.c\n");
  writeFileSync(at("response"), '-O1 "-DUNUSED=a b"\nmain.c answer.c');
  cc("@response -o responded");
  assert.equal(output("responded"), "42\n");
  cc("-x c - -o piped", HOST, "#include <stdio.h>\nint main(void) { puts(__FILE__); return 0; }\n");
  assert.equal(output("piped"), "<stdin>\n");
  assert.deepEqual(await sources("piped"), ["-"]);
  cc("-x c-header header.h -o header.h.gch");
  cc("-include header.h -c included.c");
  assert.deepEqual(await sources("included.o"), ["included.c"]);
  cc("-E answer.c -o answer.i");
  cc("-c answer.i -o from-i.o");
  assert.deepEqual(await sources("from-i.o"), ["answer.c"]);
  cc("-save-temps -c answer.c -o saved.o");
  assert.deepEqual(await sources("saved.o"), ["answer.c"]);
});

test("host: -flto keeps the IR, in objects, in archives and in one step", { skip }, async () => {
  cc("-flto -O2 -c main.c -o lto-main.o");
  cc("-flto -O2 -c answer.c -o lto-answer.o");
  cc("-flto -O2 lto-main.o lto-answer.o -o lto");
  assert.equal(output("lto"), "42\n");
  assert.deepEqual(await sources("lto"), ["main.c", "answer.c"]);
  cc("-flto -O2 main.c lto-answer.o -o lto-mixed");
  assert.deepEqual(await sources("lto-mixed"), ["answer.c", "main.c"]);
});

test("host: instrumented and tuned programs run natively and hold plain IR", { skip }, async () => {
  for (const flags of [
    "--coverage",
    "-pg",
    "-march=native -O3",
    "-fsanitize=address,undefined",
    "-static",
    "-fopenmp",
  ]) {
    const linked = run("gcc", ["main.c", "answer.c", ...flags.split(" "), "-o", "tried"]);
    if (linked.status !== 0) continue;
    cc(`main.c answer.c ${flags} -o flagged`);
    assert.equal(output("flagged"), "42\n", flags);
    assert.deepEqual(await sources("flagged"), ["main.c", "answer.c"], flags);
    for (const text of await texts("flagged")) assert.doesNotMatch(text, /gcov|mcount|__ubsan/);
  }
});

test("host: assembly and C++ are compiled and marked", { skip: skipCxx }, () => {
  cc("main.c assembled.S -o with-assembly");
  assert.equal(output("with-assembly"), "42\n");
  writeFileSync(at("more.cpp"), 'extern "C" int answer(int x) { return x + 41; }\n');
  assert.equal(run(LAUNCHER, ["c++", "-c", "more.cpp"]).status, 0);
  cc("-c main.c");
  cc("main.o more.o -o with-cxx");
  assert.equal(output("with-cxx"), "42\n");
  const extracted = extractBitcode(at("with-cxx"));
  assert.deepEqual(extracted.kind === "captured" && extracted.uncaptured, [
    { source: "more.cpp", symbols: ["answer"], reason: "C++" },
  ]);
  writeFileSync(
    at("start.cpp"),
    '#include <string>\nextern "C" int answer(int);\nint main() { return answer(std::string("x").size()) - 42; }\n',
  );
  cc("-c answer.c");
  assert.equal(run("g++", ["start.cpp", "answer.o", "-o", "cxx-main"]).status, 0);
  const refused = run(LAUNCHER, ["run", "./cxx-main"]);
  assert.match(refused.error, /there is no function main to start at: it is written in C\+\+, which is not analysed/);
  // Nothing of the C++ library is used, so the program does not show what it is.
  writeFileSync(at("small.cpp"), 'extern "C" int answer(int);\nint main() { return answer(1) - 42; }\n');
  assert.equal(run("g++", ["-Wl,--as-needed", "small.cpp", "answer.o", "-o", "cxx-small"]).status, 0);
  assert.match(run(LAUNCHER, ["run", "./cxx-small"]).error, /not compiled by `tangent cc`; is it C\+\+\?/);
});

test("host: C11's atomic operations are clang's own, not gcc's macros", { skip }, () => {
  writeFileSync(
    at("atomic.c"),
    `#include <stdatomic.h>
#include <stdio.h>
static _Atomic long counter;
static long of(const _Atomic long *p) { return atomic_load_explicit(p, memory_order_acquire); }
int main(void) {
    long seen = 40;
    atomic_store(&counter, 40);
    int exchanged = atomic_compare_exchange_strong(&counter, &seen, 41);
    atomic_fetch_add_explicit((_Atomic long *)&counter, 1, memory_order_relaxed);
    printf("%ld %d\\n", of(&counter), exchanged);
    return __STDC_HOSTED__ - 1;
}
`,
  );
  cc("atomic.c -o atomic");
  assert.equal(output("atomic"), "42 1\n");
  const ran = run(LAUNCHER, ["run", "./atomic"]);
  assert.deepEqual([ran.status, ran.out], [0, "42 1\n"], ran.error);
});

test("host: a compiler that is ourselves or does not exist is a message", { skip }, () => {
  writeFileSync(at("wrapper"), `#!/bin/sh\nexec ${LAUNCHER} cc "$@"\n`, { mode: 0o755 });
  const self = run(LAUNCHER, ["cc", "-c", "main.c"], { ...HOST, TANGENT_CC: at("wrapper") });
  assert.equal(self.status, 1);
  assert.match(self.error, /is tangent itself/);
  const missing = run(LAUNCHER, ["cc", "-c", "main.c"], { ...HOST, TANGENT_CC: "no-such-cc" });
  assert.match(missing.error, /there is no compiler no-such-cc\. Set TANGENT_CC to one, or to embedded/);
  assert.ok(existsSync(at("main.c")));
});
