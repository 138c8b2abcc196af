import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { explainBuild } from "./build-trouble.js";

function explain(output: string, script = "./configure && make") {
  const { error, opinion, advice } = explainBuild(output, script);
  return { first: error[0] ?? "", opinion: opinion ?? "", advice: advice ?? "" };
}

describe("why a build failed", () => {
  it("its own error is found behind make's", () => {
    const output =
      "gcc -c a.c\na.c:3:5: error: unknown type name 'foo'\n    3 | foo x;\nmake[1]: *** [Makefile:5: a.o] Error 1\n" +
      "make[1]: Leaving directory '/x'\nmake: *** [Makefile:9: all] Error 2\n";
    assert.match(explain(output).first, /^a\.c:3:5: error: unknown type/);
  });

  it("a missing header and a missing library are named", () => {
    const header = explain("x.c:1:10: fatal error: zlib.h: No such file or directory\ncompilation terminated.\n");
    assert.match(header.opinion, /header zlib\.h is not on this machine/);
    assert.match(header.advice, /libz-dev/);
    assert.match(
      explain("/usr/bin/ld: cannot find -lncurses: No such file or directory\ncollect2: error: ld returned 1\n")
        .opinion,
      /ncurses/,
    );
    assert.match(
      explain("main.c:(.text+0x5): undefined reference to `deflate'\ncollect2: error: ld returned 1 exit status\n")
        .opinion,
      /^deflate is used/,
    );
  });

  it("the linker's other complaints", () => {
    const output =
      "/usr/bin/ld: libx.so: error adding symbols: archive has no index\ncollect2: error: ld returned 1 exit status\n";
    assert.match(explain(output).first, /error adding symbols/);
  });

  it("configure's, CMake's and Meson's own words", () => {
    const configure = explain("checking for zlib... no\nconfigure: error: zlib not installed\n");
    assert.match(configure.first, /zlib not installed/);
    assert.match(configure.advice, /tangent\.toml/);
    const cmake =
      "-- x\nCMake Error at CMakeLists.txt:4 (find_package):\n  Could NOT find OpenSSL (missing: OPENSSL_LIBRARIES)\n\n-- Configuring incomplete, errors occurred!\n";
    assert.match(explain(cmake).opinion, /CMake does not find OpenSSL/);
    const meson =
      'Run-time dependency glib-2.0 found: NO\nmeson.build:9:0: ERROR: Dependency "glib-2.0" not found, tried pkgconfig\n';
    assert.match(explain(meson).opinion, /library glib-2\.0 is not installed/);
  });

  it("what a configure script misses, and what autoconf does", () => {
    for (const text of ["pcre2 library not found", "Required libcdio library (> 2.0.0) not found. Please get it"]) {
      const missing = explain(`checking for x... no\nconfigure: error: ${text}\n`);
      assert.match(missing.opinion, /not on this machine/);
      assert.match(missing.advice, /install it.*tangent\.toml/);
    }
    assert.match(explain("configure: error: unknown option --foo\n").opinion, /refused/);
    const macro = explain(
      "configure:19545: error: possibly undefined macro: AX_CODE\nautoreconf: error: /usr/bin/autoconf failed with exit status: 1\n",
    );
    assert.match(macro.first, /AX_CODE/);
    assert.match(macro.advice, /autoconf-archive/);
  });

  it("-Werror, and what to write against it", () => {
    const output =
      "a.c:9:3: error: variable 'x' set but not used [-Werror,-Wunused-but-set-variable]\n1 error generated.\n";
    assert.match(explain(output).opinion, /-Werror/);
    assert.match(explain(output).advice, /-Wno-error/);
    assert.match(
      explain("a.c:9:3: error: unused [-Werror=unused-variable]\ncc1: all warnings being treated as errors\n", "make")
        .advice,
      /CFLAGS/,
    );
  });

  it("old C that a new compiler refuses", () => {
    const output =
      "g.c:48:13: error: parameter 'val' was not declared [-Wimplicit-int]\nfatal error: too many errors emitted\n";
    assert.match(explain(output).first, /^g\.c:48/);
    assert.match(explain(output).advice, /-Wno-error=implicit-int/);
  });

  it("a missing tool", () => {
    assert.match(explain("sh: 1: cmake: not found\n").opinion, /tool cmake is not there/);
    assert.match(explain("make[2]: bison: No such file or directory\nmake: *** [a] Error 127\n").opinion, /tool bison/);
    assert.match(
      explain("missing: line 81: aclocal-1.15: command not found\nWARNING: 'aclocal-1.15' is missing on your system.\n")
        .advice,
      /touch aclocal\.m4/,
    );
  });

  it("a warning is no error, and silence is none either", () => {
    assert.equal(explain("a.c:1: warning: no error: here\ncc -c error.c\n").opinion, "");
    assert.deepEqual(explainBuild("", "x"), { error: [], opinion: null, advice: null });
  });
});
