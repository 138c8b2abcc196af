import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { cacheDirectory, openCache } from "./cache.js";
import { extractBitcode } from "./capture.js";
import { loadInputs } from "./capture-text.js";
import { contentOf, parseElf } from "./elf.js";
import { findToolchain } from "./toolchain.js";

const LAUNCHER = resolve("bin/tangent");
const folder = mkdtempSync(join(tmpdir(), "tangent cc "));
after(() => rmSync(folder, { recursive: true }));

function at(name: string): string {
  return join(folder, name);
}

for (const [name, text] of Object.entries({
  "main.c":
    '#include <stdio.h>\nint answer(int);\nint main(int c, char **v) { printf("%d\\n", answer(c)); return 0; }\n',
  "answer.c": "int answer(int x) { return x + 41; }\n",
  "assembled.S": ".text\n.globl answer\nanswer: lea 41(%rdi), %eax\n ret\n.section .note.GNU-stack\n",
  "shift.c": "int answer(int x) { return (1 << x) + 40; }\n",
  "wrong.c": "int main(void) { return undeclared; }\n",
})) {
  writeFileSync(at(name), text);
}

interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

function tangent(words: readonly string[], env: NodeJS.ProcessEnv = {}, input = ""): Outcome {
  const child = spawnSync(LAUNCHER, words, { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8", input });
  return { status: child.status, out: child.stdout, error: child.stderr };
}

/** Compiles, expecting silence and success. */
function cc(line: string, env: NodeJS.ProcessEnv = {}, input = ""): void {
  const outcome = tangent(["cc", ...line.split(" ")], env, input);
  assert.deepEqual(outcome, { status: 0, out: "", error: "" }, line);
}

function output(program: string): string {
  return spawnSync(at(program), { encoding: "utf8" }).stdout;
}

async function texts(file: string): Promise<string[]> {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") assert.fail(found.message);
  const cache = openCache(cacheDirectory(process.env));
  const loaded = await loadInputs([at(file)], { toolchain: found.toolchain, cache, env: process.env });
  if (loaded.kind === "failed") assert.fail(loaded.message);
  return loaded.modules.map(({ text }) => text);
}

async function sources(file: string): Promise<string[]> {
  return (await texts(file)).map((text) => /source_filename = "(.*)"/.exec(text)?.[1] ?? "");
}

// The first call builds the native C library, and says so.
tangent(["cc", "-c", "answer.c"]);

test("cc: a program of several sources runs natively and holds the IR of each", async () => {
  cc("main.c answer.c -o several");
  assert.equal(output("several"), "42\n");
  assert.deepEqual(await sources("several"), ["main.c", "answer.c"]);
});

test("cc: the IR survives archives, moving and stripping", async () => {
  cc("-O2 -c main.c answer.c");
  assert.equal(tangent(["ar", "rcs", "libanswer.a", "answer.o"]).status, 0);
  cc("main.o -L. -lanswer -s -o archived");
  mkdirSync(at("elsewhere"));
  renameSync(at("archived"), at("elsewhere/archived"));
  assert.equal(output("elsewhere/archived"), "42\n");
  assert.deepEqual(await sources("elsewhere/archived"), ["main.c", "answer.c"]);
});

for (const level of ["-O0", "-O1", "-O2", "-Os", "-O3"]) {
  test(`cc: at ${level} the IR is as the source wrote it, with line numbers`, async () => {
    cc(`${level} -c answer.c -o level.o`);
    const [text] = await texts("level.o");
    assert.match(text, /%\d+ = alloca i32/);
    assert.match(text, /!DILocation\(line: 1/);
    assert.doesNotMatch(text, /^attributes .*(noinline|optnone)/m);
  });
}

test("cc: a shared library is an archive that programs link with by name and by path", async () => {
  cc("-shared -fPIC answer.c -o libanswers.so.1 -Wl,-soname,libanswers.so.1");
  symlinkSync("libanswers.so.1", at("libanswers.so"));
  cc("main.c -L. -lanswers -Wl,-rpath,/nowhere -o by-name");
  cc("main.c libanswers.so.1 -o by-path");
  for (const program of ["by-name", "by-path"]) {
    assert.equal(output(program), "42\n");
    assert.deepEqual(await sources(program), ["main.c", "answer.c"]);
  }
});

test("cc: a shared library brings the libraries it needs", () => {
  writeFileSync(at("outer.c"), "int answer(int); int outer(int x) { return answer(x); }\n");
  writeFileSync(at("user.c"), '#include <stdio.h>\nint outer(int);\nint main(void) { printf("%d\\n", outer(1)); }\n');
  cc("-shared outer.c -L. -lanswers -o libouter.so");
  cc("user.c -L. -louter -o through");
  assert.equal(output("through"), "42\n");
  const missing = tangent("cc -shared outer.c -lnowhere -o libbad.so".split(" "));
  assert.deepEqual([missing.status, missing.error], [1, "tangent cc: cannot find -lnowhere\n"]);
});

test("cc: objects joined by -r keep all their IR", async () => {
  cc("-c main.c answer.c");
  cc("-r main.o answer.o -o joined.o");
  cc("joined.o -o joined");
  assert.equal(output("joined"), "42\n");
  assert.deepEqual(await sources("joined"), ["main.c", "answer.c"]);
});

test("cc: an assembly source is linked and listed as having no IR", async () => {
  cc("main.c assembled.S -o mixed");
  assert.equal(output("mixed"), "42\n");
  const captured = extractBitcode(at("mixed"));
  assert.deepEqual(captured.kind === "captured" ? captured.uncaptured : null, [
    { source: "assembled.S", symbols: ["answer"], reason: "assembly" },
  ]);
  assert.deepEqual(await sources("mixed"), ["main.c"]);
});

test("cc: what -S wrote still holds its IR when it is assembled", async () => {
  cc("-S answer.c -o answer.s");
  cc("-c answer.s -o from-assembly.o");
  assert.deepEqual(await sources("from-assembly.o"), ["answer.c"]);
});

test("cc: response files, standard input, preprocessing and dependencies work as in cc", async () => {
  writeFileSync(at("response"), '-O1 "-DUNUSED=a b"\nmain.c answer.c');
  cc("@response -o responded");
  assert.equal(output("responded"), "42\n");
  cc("-x c - -o piped", {}, "int puts(const char *); int main(void) { puts(__FILE__); return 0; }\n");
  assert.equal(output("piped"), "<stdin>\n");
  assert.match(tangent(["cc", "-E", "main.c"]).out, /extern.*printf|int printf/);
  cc("-MMD -MF main.d -MT target -c main.c");
  assert.equal(readFileSync(at("main.d"), "utf8"), "target: main.c\n");
});

test("cc: pie, static, lto and a native architecture make an ordinary program", () => {
  for (const flags of ["-pie -fPIE", "-static", "-static-pie", "-flto -march=native -O2", "-rdynamic -pthread -lm"]) {
    cc(`main.c answer.c ${flags} -o flagged`);
    assert.equal(output("flagged"), "42\n", flags);
  }
});

test("cc: configure's questions are answered", () => {
  assert.match(tangent(["cc", "--version"]).out, /^clang version 21/);
  assert.equal(tangent(["cc", "-dumpmachine"]).out, "x86_64-unknown-linux-musl\n");
  assert.equal(tangent(["cc", "-print-multi-os-directory"]).out, ".\n");
  const linker = tangent(["cc", "-print-prog-name=ld"]).out.trim();
  assert.match(spawnSync(linker, ["-v"], { encoding: "utf8" }).stdout, /compatible with GNU linkers/);
  assert.ok(existsSync(tangent(["cc", "-print-file-name=libc.a"]).out.trim()));
  assert.notEqual(tangent(["cc", "-V"]).status, 0);
  assert.notEqual(tangent(["cc", "-qversion"]).status, 0);
});

test("cc: the compiler's errors and C++ end with a message and a status", () => {
  const wrong = tangent(["cc", "-c", "wrong.c"]);
  assert.equal(wrong.status, 1);
  assert.match(wrong.error, /wrong\.c:1:\d+: error: use of undeclared identifier/);
  const foreign = tangent(["cc", "-c", "x.cpp"]);
  assert.deepEqual(
    [foreign.status, foreign.error],
    [1, "tangent cc: x.cpp: C++ is not supported; tangent runs C programs\n"],
  );
});

test("cc: old C that gcc takes with a warning is taken, unless the command line makes errors of warnings", () => {
  const lines = [
    "static count;",
    "struct s { int x; }; struct t { int y; };",
    "first(p) struct s *p; { if (count) return; return p->x; }",
    "int main() { struct t v = { 40 }; int (*f)(struct t *) = first; int *p = 4096; char *q = later(&v);",
    "  return f(&v) + first(&v) + (p == 0) + (q == 0) == 81 ? 0 : 1; }",
    "later(s) char *s; { return 0; }",
  ];
  writeFileSync(at("old.c"), lines.join("\n"));
  cc("-w old.c -o old");
  assert.equal(spawnSync(at("old")).status, 0);
  const warned = tangent(["cc", "-c", "old.c"]);
  assert.equal(warned.status, 0);
  assert.match(warned.error, /warning: call to undeclared function 'later'/);
  assert.equal(tangent(["cc", "-c", "-Werror=implicit-int", "old.c"]).status, 1);
});

test("cc: UBSan's checks go into the IR and leave the native code as it is", async () => {
  cc("-c shift.c -MMD -o plain.o");
  cc("-c shift.c -MMD -o checked.o", { TANGENT_UBSAN: "shift,signed-integer-overflow" });
  const [plain] = await texts("plain.o");
  const [checked] = await texts("checked.o");
  assert.doesNotMatch(plain, /ubsantrap/);
  assert.match(checked, /call void @llvm\.ubsantrap/);
  const code = (file: string) => {
    const parsed = parseElf(readFileSync(at(file)));
    return parsed.kind === "elf" ? contentOf(parsed.elf, ".text") : null;
  };
  assert.deepEqual(code("checked.o"), code("plain.o"));
  assert.equal(tangent(["cc", "main.c", "shift.c", "--tangent-ubsan=shift", "-o", "checked"]).status, 0);
  assert.equal(output("checked"), "42\n");
  assert.deepEqual(await sources("checked"), ["main.c", "shift.c"]);
  assert.match(tangent(["cc", "--tangent-ubsan", "nonsense", "-c", "shift.c"]).error, /nonsense is none of UBSan's/);
});

test("cc: two checks of one kind in a function are two traps, so that each has its line", async () => {
  writeFileSync(at("sums.c"), "int sums(int a, int b) {\n  int c = a + b;\n  return c + b;\n}\n");
  cc("-O2 -c sums.c", { TANGENT_UBSAN: "signed-integer-overflow" });
  const [text] = await texts("sums.o");
  assert.equal(text.match(/call void @llvm\.ubsantrap/g)?.length, 2);
});

test("cc: the sanitizers' macros are set for the IR only, and a source that cannot have them is kept as it is", async () => {
  const asan = "#if defined(__SANITIZE_ADDRESS__) && __has_feature(address_sanitizer)";
  writeFileSync(
    at("switched.c"),
    `${asan}\nint careful(void) { return 1; }\n#else\nint fast(void) { return 2; }\n#endif\n`,
  );
  cc("-c switched.c", { TANGENT_SANITIZER_MACROS: "1" });
  const [text] = await texts("switched.o");
  assert.match(text, /define .*@careful\(/);
  assert.doesNotMatch(text, /@fast\(|__asan_/);
  assert.match(readFileSync(at("switched.o"), "latin1"), /\0fast\0/);
  writeFileSync(at("refusing.c"), `${asan}\n#error no\n#endif\nint fast(void) { return 2; }\n`);
  const kept = tangent(["cc", "-c", "refusing.c"], { TANGENT_SANITIZER_MACROS: "1" });
  assert.deepEqual([kept.status, /kept without the sanitizers' macros/.test(kept.error)], [0, true]);
  assert.match((await texts("refusing.o"))[0], /@fast\(/);
});

for (const version of [15, 16]) {
  const name = `clang-${version}`;
  const skip = spawnSync(name, ["--version"]).status === 0 ? false : `${name} is not installed`;
  test(`cc: ${name} can stand in for the compiler`, { skip }, async () => {
    cc("main.c answer.c -o foreign", { TANGENT_CLANG: name });
    assert.equal(output("foreign"), "42\n");
    const [text] = await texts("foreign");
    assert.match(text, new RegExp(`clang version ${version}\\.`));
    cc("-c shift.c -o foreign.o", { TANGENT_CLANG: name, TANGENT_UBSAN: "shift" });
    assert.match((await texts("foreign.o"))[0], /call void @llvm\.ubsantrap/);
    assert.deepEqual(await sources("foreign"), ["main.c", "answer.c"]);
  });
}

test("cc: it works through a link in PATH and as a relative path", () => {
  mkdirSync(at("path"));
  symlinkSync(LAUNCHER, at("path/tangent"));
  const env = { ...process.env, PATH: `${at("path")}:${process.env.PATH}` };
  const viaPath = spawnSync("tangent", ["cc", "main.c", "answer.c", "-o", "linked"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  assert.deepEqual([viaPath.status, viaPath.stderr], [0, ""]);
  const relative = spawnSync("path/tangent", ["cc", "-dumpversion"], { cwd: folder, encoding: "utf8" });
  assert.match(relative.stdout, /^21\./);
});

test("cc: calls at the same time do not disturb each other", async () => {
  chmodSync(folder, 0o755);
  const script = Array.from({ length: 8 }, (_, i) => `"$0" cc main.c answer.c -o parallel-${i} &`).join("\n");
  const child = spawnSync("sh", ["-c", `${script}\nwait`, LAUNCHER], { cwd: folder, encoding: "utf8" });
  assert.equal(child.stderr, "");
  for (let i = 0; i < 8; i++) assert.equal(output(`parallel-${i}`), "42\n");
});
