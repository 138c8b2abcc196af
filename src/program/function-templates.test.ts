import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { cacheDirectory, openCache } from "../frontend/cache.js";
import { type CapturedModule, loadInputs } from "../frontend/capture-text.js";
import { openLibc } from "../frontend/libc.js";
import { findToolchain } from "../frontend/toolchain.js";
import { compileProgram } from "../jit/compile.js";
import { type FunctionTemplate, TemplateStore } from "../jit/function-templates.js";
import type { ProgramImage } from "../jit/image.js";
import { AMPLIFY_COMPILE_OPTIONS, type CompileOptions, SYMBOLIC_COMPILE_OPTIONS } from "../jit/options.js";
import { encodeImage } from "./image-file.js";
import { linkModules } from "./link-modules.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-templates-"));
after(() => rmSync(folder, { recursive: true }));

/** Says what was there. */
class WatchedStore extends TemplateStore {
  found = 0;
  missed = 0;
  override get(key: string): FunctionTemplate | null {
    const template = super.get(key);
    if (template === null) this.missed++;
    else this.found++;
    return template;
  }
}

/** The program of such sources, by name; what libc it needs comes from the user's cache. */
async function imageOf(
  sources: Readonly<Record<string, string>>,
  templates: TemplateStore | null,
  compile: CompileOptions = AMPLIFY_COMPILE_OPTIONS,
): Promise<ProgramImage> {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") assert.fail(found.message);
  const { toolchain } = found;
  const cache = openCache(cacheDirectory(process.env));
  const paths = Object.entries(sources).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
  const captured = await loadInputs(paths, { toolchain, cache, env: process.env, flags: ["-g"] });
  if (captured.kind === "failed") assert.fail(captured.message);
  return imageOfModules(captured.modules, templates, compile);
}

async function imageOfModules(
  modules: readonly CapturedModule[],
  templates: TemplateStore | null,
  compile: CompileOptions = AMPLIFY_COMPILE_OPTIONS,
): Promise<ProgramImage> {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") assert.fail(found.message);
  const cache = openCache(cacheDirectory(process.env));
  const libc = openLibc({ toolchain: found.toolchain, cache, env: process.env });
  const linked = await linkModules(modules, libc, { compile });
  if (linked.kind === "failed") assert.fail(linked.message);
  return compileProgram(linked.program, linked.layout, compile, templates);
}

function isSame(image: ProgramImage, other: ProgramImage): boolean {
  return Buffer.compare(encodeImage(image), encodeImage(other)) === 0;
}

const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "prints and sorts": {
    "sorts.c": `#include <stdio.h>
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv) {
  int numbers[8];
  for (int i = 0; i < 8; i++) numbers[i] = argc * (i ^ 5);
  qsort(numbers, 8, sizeof *numbers, order);
  return printf("%d %Lf %s\\n", numbers[0], (long double)numbers[1], argv[0]) < 0;
}`,
  },
  "the same again, behind more code": {
    "more.c": `int table[40] = {1}; static int own(int n) { return n < 2 ? n : own(n - 1) + own(n - 2); }
int more(int n) { static int kept; switch (n) { case 1: return kept++; case 7: return table[n]; default: return own(n); } }`,
    "sorts.c": `#include <stdio.h>
#include <stdlib.h>
int more(int);
static int order(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
int main(int argc, char **argv) {
  int numbers[8];
  for (int i = 0; i < 8; i++) numbers[i] = more(argc * (i ^ 5));
  qsort(numbers, 8, sizeof *numbers, order);
  return fprintf(stderr, "%d %g %s\\n", numbers[0], 1.5 * numbers[1], argv[0]) < 0;
}`,
  },
  "jumps, labels and thread-local variables": {
    "jumps.c": `#include <setjmp.h>
#include <string.h>
#include <stdio.h>
static jmp_buf place; static _Thread_local int mine = 3;
static void leave(void) { longjmp(place, ++mine); }
int main(int argc, char **argv) {
  static void *labels[] = {&&one, &&two};
  if (setjmp(place) == 0) leave();
  goto *labels[argc & 1];
one: return (int)strlen(argv[0]);
two: puts(strchr(argv[0], 47)); return mine;
}`,
  },
  "its own string functions": {
    "own.c": `#include <stdio.h>
unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }
int puts(const char *s) { return (int)strlen(s); }
int main(int argc, char **argv) { return printf("%s", argv[0]) + puts(argv[0]) + argc; }`,
  },
  "variadic, structures, floats, a call through a wrong type": {
    "mixed.c": `#include <stdarg.h>
#include <stdlib.h>
#include <math.h>
#include <stdio.h>
struct pair { double a; long b; };
static struct pair sum(int n, ...) {
  va_list list; struct pair p = {0, 0}; va_start(list, n);
  for (int i = 0; i < n; i++) p.a += va_arg(list, double);
  va_end(list); p.b = n; return p;
}
int main(int argc, char **argv) {
  struct pair p = sum(2, floor(argc + 0.5), sqrt(argc));
  char *made = malloc((size_t)p.b + 1);
  int (*wrong)(long, long) = (int (*)(long, long))(void *)abs;
  snprintf(made, 3, "%f", p.a);
  unsigned __int128 wide = (unsigned __int128)argc * 12345678901234567ull / (unsigned)(argc + 1);
  return wrong(argc, 2) + made[0] + (int)wide + (argv == 0 ? 1 : 0);
}`,
  },
};

describe("functions that were translated for another program", () => {
  it("give the bytes that translating them gives, in whatever order programs come", async () => {
    const store = new WatchedStore();
    for (const round of [1, 2]) {
      for (const [name, sources] of Object.entries(PROGRAMS)) {
        const anew = await imageOf(sources, null);
        assert.ok(isSame(await imageOf(sources, store), anew), `${name}, round ${round}`);
      }
    }
    assert.ok(store.found > 4 * store.missed, `${store.found} were there, ${store.missed} were not`);
  });

  it("are told apart by the options they were translated with", async () => {
    const store = new TemplateStore();
    const sources = PROGRAMS["prints and sorts"];
    for (const options of [
      SYMBOLIC_COMPILE_OPTIONS,
      AMPLIFY_COMPILE_OPTIONS,
      { ...AMPLIFY_COMPILE_OPTIONS, joins: true },
      { ...AMPLIFY_COMPILE_OPTIONS, inline: false },
      { ...AMPLIFY_COMPILE_OPTIONS, coverage: false },
    ]) {
      assert.ok(isSame(await imageOf(sources, store, options), await imageOf(sources, null, options)));
    }
  });

  it("are not used where a callee that was inlined is another one", async () => {
    const store = new WatchedStore();
    const main = "int size(void); int twice(void) { return 2 * size(); } int main(void) { return twice(); }";
    for (const size of ["1", "2", "sizeof(long)", "1"]) {
      const sources = { "main.c": main, "size.c": `int size(void) { return ${size}; }` };
      assert.ok(isSame(await imageOf(sources, store), await imageOf(sources, null)), size);
    }
    assert.ok(store.found > 0);
  });

  it("are not used where a name stands for something else", async () => {
    const store = new TemplateStore();
    const main = "extern int what[]; int hold(void); int main(void) { return what[1] + hold(); }";
    for (const other of [
      "int what[2]; int hold(void) { return 3; }",
      "int what[1]; int hold(void) { return 3; }",
      'int what[2] = {1, 2}; static int held(void) { return what[0]; } int hold(void) __attribute__((alias("held")));',
      "int what[2]; int hold(void) { int hold2(int); return hold2(1); }",
    ]) {
      const sources = { "main.c": main, "other.c": other };
      assert.ok(isSame(await imageOf(sources, store), await imageOf(sources, null)), other);
    }
  });

  it("two modules of one text keep what is their own", async () => {
    const store = new TemplateStore();
    const twin = {
      name: "twin.c",
      text: `@kept = internal global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @count, ptr null }]
define internal void @count() {
  store i32 1, ptr @kept
  ret void
}
`,
    };
    const main = { name: "main.c", text: "define i32 @main() {\n  ret i32 0\n}\n" };
    const anew = await imageOfModules([main, twin, twin], null);
    assert.equal(anew.globals.filter(({ name }) => name === "kept").length, 2);
    assert.ok(isSame(await imageOfModules([main, twin], store), await imageOfModules([main, twin], null)));
    for (const _ of [1, 2]) assert.ok(isSame(await imageOfModules([main, twin, twin], store), anew));
  });
});

describe("the store of templates", () => {
  const template = (bytes: number): FunctionTemplate => ({
    draft: {
      locals: new Uint8Array(),
      code: new Uint8Array(bytes),
      holes: [],
      marks: [],
      bases: [],
      hints: [],
      longRunning: 0,
    },
    sites: [],
    frame: null,
    coverage: null,
    coverageLocs: [],
    calls: [],
    counts: { instructions: 0, checks: 0, checksRemoved: 0, inlined: 0 },
    checks: 0,
    isCandidate: false,
    lookups: new Map(),
  });

  it("forgets what was used longest ago when it is full", () => {
    const store = new TemplateStore(100);
    store.put("a", template(40));
    store.put("b", template(40));
    assert.notEqual(store.get("a"), null);
    store.put("c", template(40));
    assert.equal(store.get("b"), null);
    assert.notEqual(store.get("a"), null);
    assert.notEqual(store.get("c"), null);
  });
});
