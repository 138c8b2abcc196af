import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openCache } from "./cache.js";
import { type CompilerChoice, chooseCompiler, chooseCxx, readFacts } from "./host-compiler.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-choice-"));
after(() => rmSync(folder, { recursive: true }));
const cache = openCache(join(folder, "cache"));
const launcher = join(folder, "bin", "tangent");

const MACROS =
  "#define __x86_64__ 1\n#define __linux__ 1\n#define __LP64__ 1\n#define __GNUC__ 12\n#define __STDC_VERSION__ 201710L\n";
const VERBOSE = `Target: x86_64-linux-gnu
#include "..." search starts here:
#include <...> search starts here:
 ${folder}/own
 /usr/local/include
 /usr/include
End of search list.
`;

function program(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), 0o755);
}

/** A compiler that only says what it is. */
function compiler(path: string, macros = MACROS): void {
  program(path, `#!/bin/sh\ncat >&2 <<'E'\n${VERBOSE}E\ncat <<'E'\n${macros}E\n`);
}

program("bin/tangent", "#!/bin/sh\n");
compiler("one/gcc");
compiler("arm/cc", MACROS.replace("__x86_64__", "__aarch64__"));
program("wrapped/cc", `#!/bin/sh\nexec "${launcher}" cc "$@"\n`);
mkdirSync(join(folder, "linked"));
symlinkSync(launcher, join(folder, "linked/cc"));
program("own/xmmintrin.h", "");

function choose(path: readonly string[], named?: string): CompilerChoice {
  const PATH = [...path.map((name) => join(folder, name)), "/usr/bin", "/bin"].join(":");
  const env = { PATH, ...(named === undefined ? {} : { TANGENT_CC: named }) };
  return chooseCompiler({ env, launcher, cache });
}

function wordsOf(choice: CompilerChoice): readonly string[] {
  assert.ok(choice.kind === "host");
  return choice.compiler.words;
}

test("host compiler: what TANGENT_CC names is taken, with its words", () => {
  assert.deepEqual(choose(["one"], "embedded"), { kind: "embedded" });
  assert.deepEqual(wordsOf(choose(["one"], "gcc -pipe")), [join(folder, "one/gcc"), "-pipe"]);
  assert.deepEqual(wordsOf(choose([], join(folder, "one/gcc"))), [join(folder, "one/gcc")]);
  const missing = choose(["one"], "no-such-compiler");
  assert.ok(missing.kind === "missing" && /there is no compiler no-such-compiler/.test(missing.message));
});

test("host compiler: a compiler for another machine is passed over, and refused when it is named", () => {
  const refused = choose(["arm"], "cc");
  assert.ok(refused.kind === "missing" && /does not make code for x86-64 Linux/.test(refused.message));
  const env = { PATH: `${join(folder, "arm")}:${join(folder, "one")}` };
  // The scripts need a shell and cat, by their full names only where PATH has them.
  assert.notEqual(chooseCompiler({ env, launcher, cache }).kind, "missing");
});

test("host compiler: neither the launcher nor a script that calls it is a compiler", () => {
  for (const place of ["wrapped", "linked"]) {
    const named = choose([place], "cc");
    assert.ok(named.kind === "missing" && /is tangent itself/.test(named.message), place);
  }
  const env = { PATH: ["wrapped", "linked", "one"].map((name) => join(folder, name)).join(":") };
  assert.equal(chooseCxx({ env, launcher }), null);
});

test("host compiler: without any on PATH the embedded one is taken", () => {
  assert.deepEqual(chooseCompiler({ env: { PATH: join(folder, "nothing") }, launcher, cache }), { kind: "embedded" });
});

test("host compiler: headers, language and target are read from what it says", () => {
  const facts = readFacts(MACROS, VERBOSE);
  assert.deepEqual(facts, {
    kind: "facts",
    facts: {
      target: "x86_64-linux-gnu",
      includes: ["/usr/local/include", "/usr/include"],
      ownIncludes: [join(folder, "own")],
      standard: "gnu17",
      common: false,
    },
  });
  const old = MACROS.replace("__GNUC__ 12", "__GNUC__ 9").replace("201710L", "202311L");
  const other = readFacts(old, VERBOSE.replace("linux-gnu", "alpine-linux-musl"));
  assert.ok(other.kind === "facts");
  assert.deepEqual(
    [other.facts.target, other.facts.common, other.facts.standard],
    ["x86_64-linux-musl", true, "gnu23"],
  );
});
