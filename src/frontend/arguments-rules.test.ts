import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parseCommandLine } from "./arguments.js";
import { applyRules, RULES, ruleFor } from "./arguments-rules.js";
import { LAYOUT } from "./cc-native.js";
import { HOST_LAYOUT } from "./host-launch.js";

/** At least one for each rule. */
const CONCERNED = [
  "-flto",
  "-flto=auto",
  "-ffat-lto-objects",
  "-pg",
  "-p",
  "--coverage",
  "-fprofile-arcs",
  "-march=native",
  "-fuse-ld=gold",
  "-specs=x.specs",
  "-static-pie",
  "-g0",
  "-gz",
  "-gstabs+",
  "-fsanitize=address",
  "-fsanitize-address-use-after-scope",
  "--param=max-inline-insns-single=5",
  "-fno-tree-vectorize",
  "-fipa-pta",
  "-fno-delete-dead-exceptions",
  "-fno-var-tracking-assignments",
  "-mpreferred-stack-boundary=4",
  "-maccumulate-outgoing-args",
  "-print-multi-os-directory",
  "-print-multi-lib",
  "-print-multiarch",
  "-m32",
  "--target=i386-linux-gnu",
];

const PLAIN = [
  "-O2",
  "-Wall",
  "-Wno-unused",
  "-std=gnu11",
  "-fPIC",
  "-fno-strict-aliasing",
  "-pthread",
  "-Wl,--as-needed",
  "-lm",
  "-MMD",
  "--version",
  "-E",
];

function concerns(word: string): boolean {
  return ruleFor(parseCommandLine([word]).parts[0]) !== null;
}

test("rules: each concerns an option that is listed here, and none concerns a plain one", () => {
  for (const word of CONCERNED) assert.ok(concerns(word), word);
  for (const rule of RULES) {
    const used = CONCERNED.some((word) => ruleFor(parseCommandLine([word]).parts[0])?.rule === rule);
    assert.ok(used, `${rule.pattern} has no example`);
  }
  for (const word of PLAIN) assert.ok(!concerns(word), word);
});

function rewrite(line: string): string {
  const result = applyRules(parseCommandLine(line.split(" ")).parts);
  return result.kind === "words"
    ? result.words.join(" ")
    : `${result.kind}: ${result.kind === "answer" ? result.text : result.message}`;
}

test("rules: what clang would refuse is dropped, translated, answered or refused with the reason", () => {
  assert.equal(rewrite("-O2 -flto -march=native --param x=1 -c a.c"), "-O2 -c a.c");
  assert.equal(rewrite("-static-pie a.o"), "-static a.o");
  assert.equal(rewrite("-print-multi-os-directory"), "answer: .\n");
  assert.match(rewrite("-m32 a.c"), /^refuse: -m32: .*x86_64-linux-musl/);
  assert.equal(rewrite("-target x86_64-linux-musl a.c"), "-target x86_64-linux-musl a.c");
});

test("rules: an input is never taken for an option", () => {
  assert.equal(rewrite("-o -pg a.c"), "-o -pg a.c");
});

test("rules: of the sanitizers only checks that can trap remain, each with a trap of its own", () => {
  assert.equal(
    rewrite("-fsanitize=address,shift,leak,null -c a.c"),
    "-fsanitize=shift,null -fno-sanitize=function -fsanitize-trap=shift,null -fno-sanitize-merge=shift,null -c a.c",
  );
  assert.equal(rewrite("-fsanitize=thread -c a.c"), "-c a.c");
});

// A copy of the launcher, with a compiler and a node that only say that they were called.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "tangent-launcher-")));
after(() => rmSync(folder, { recursive: true }));
const cache = join(folder, "a cache");
const prepared = join(cache, `cc-${LAYOUT}`, join(folder, "a root").replaceAll("/", "%"));
for (const path of ["a root/bin", "a root/dist/src/cli", "path"]) mkdirSync(join(folder, path), { recursive: true });
mkdirSync(prepared, { recursive: true });
copyFileSync("bin/tangent", join(folder, "a root/bin/tangent"));
writeFileSync(join(folder, "a root/dist/src/cli/main.js"), "");
writeFileSync(join(prepared, "cc.cfg"), "");
for (const [path, name] of [
  [join(prepared, "zig"), "compiler"],
  [join(folder, "path/node"), "node"],
]) {
  writeFileSync(path, `#!/bin/sh\necho ${name} "$@"\n`);
  chmodSync(path, 0o755);
}

const base = { TANGENT_CACHE: cache, HOME: "/nowhere", TANGENT_CC: "embedded" };
function launch(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const child = spawnSync(join(folder, "a root/bin/tangent"), args, {
    env: { PATH: `${join(folder, "path")}:${process.env.PATH}`, ...base, ...env },
    encoding: "utf8",
  });
  return child.stdout + child.stderr;
}

test("launcher: an option that a rule concerns goes through node, a plain one straight to the compiler", () => {
  for (const word of CONCERNED) assert.match(launch(["cc", "-c", word, "a.c"]), /^node /, word);
  for (const word of PLAIN) assert.match(launch(["cc", "-c", word, "a.c"]), /^compiler clang /, word);
});

test("launcher: sources that need work afterwards and libraries go through node", () => {
  for (const word of ["a.s", "a.S", "a.cpp", "a.C", "-shared", "@file", "-nostdinc", "-emit-llvm", "-Wl,-shared"]) {
    assert.match(launch(["cc", word, "b.o"]), /^node /, word);
  }
  assert.match(launch(["cc", "-x", "c++", "-"]), /^node /);
  assert.match(launch(["cc", "-MF", "a.d", "-o", "x y", "a.c"]), /^compiler /);
});

test("launcher: the environment's wishes go through node", () => {
  assert.match(launch(["cc", "-c", "a.c"], { TANGENT_UBSAN: "shift" }), /^node /);
  assert.match(launch(["cc", "-c", "a.c"], { TANGENT_SANITIZER_MACROS: "1" }), /^node /);
  assert.match(launch(["cc", "-c", "a.c"], { TANGENT_CLANG: "clang-16" }), /^node /);
  assert.match(launch(["cc", "-c", "a.c"], { TANGENT_CACHE: join(folder, "empty") }), /^node .*main\.js cc -c a\.c/);
});

test("launcher: other commands go to node, ar and ranlib to the toolchain", () => {
  assert.match(launch(["ir", "prog"]), /^node .*a root\/dist\/src\/cli\/main\.js ir prog/);
  assert.match(launch(["ar", "rcs", "x.a"]), /^compiler ar rcs x\.a/);
  assert.match(launch(["cc", "--help"]), /^node .*main\.js cc --help/);
  assert.match(launch(["ar", "--help"]), /^node .*main\.js ar --help/);
});

test("launcher: in host mode the helper is started, unless its sources are newer or it was never made", () => {
  const host = { TANGENT_CC: "gcc" };
  const root = join(folder, "a root");
  assert.match(launch(["cc", "-c", "a.c"], host), /^node .*main\.js cc -c a\.c/);
  const helpers = join(cache, `host-${HOST_LAYOUT}`, root.replaceAll("/", "%"));
  mkdirSync(helpers, { recursive: true });
  for (const path of ["runtime/native", "dist/src/frontend"]) mkdirSync(join(root, path), { recursive: true });
  for (const path of ["runtime/native/host-cc.c", "dist/src/frontend/host-ir.js"]) {
    writeFileSync(join(root, path), "");
    utimesSync(join(root, path), 1, 1);
  }
  writeFileSync(join(helpers, "cc"), '#!/bin/sh\necho helper "$@"\n', { mode: 0o755 });
  assert.equal(launch(["cc", "-c", "a.c"], host), `helper ${root} ${helpers} -c a.c\n`);
  utimesSync(join(root, "runtime/native/host-cc.c"), 4e9, 4e9);
  assert.match(launch(["cc", "-c", "a.c"], host), /^node /);
});

test("launcher: a missing build is said, with what to do", () => {
  rmSync(join(folder, "a root/dist"), { recursive: true });
  assert.match(launch(["ir", "prog"]), /main\.js does not exist.*npm run build/);
});
