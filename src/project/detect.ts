// What kind of project a directory is, and how such a project is built and tested. Only names are looked at, no file is
// run: whoever types `tangent init` reads what was found and corrects the two commands where the guess is wrong.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../support/regular-file.js";

export interface Detected {
  /** For people: "autotools (configure.ac)". */
  readonly what: string;
  readonly build: string;
  /** Null if no tests were found. */
  readonly test: string | null;
  readonly notes: readonly string[];
}

export function detectProject(root: string): Detected | null {
  const has = (name: string): boolean => existsSync(join(root, name));
  const parallel = "make -j2";
  if (has("configure") || has("configure.ac") || has("configure.in")) {
    const script = has("autogen.sh") ? "NOCONFIGURE=1 ./autogen.sh" : "autoreconf -i";
    const made = has("configure") ? "" : `(test -f configure || ${script}) && `;
    return {
      what: `autotools (${has("configure") ? "configure" : "configure.ac"})`,
      build: `${made}(test -f config.status || ./configure --disable-shared) && ${parallel}`,
      test: "make check",
      notes: made === "" ? [] : ["there is no configure script yet; the build makes it"],
    };
  }
  if (has("CMakeLists.txt")) {
    const tests = /enable_testing|include *\( *CTest|add_test/i.test(textOf(join(root, "CMakeLists.txt")));
    return {
      what: "CMake (CMakeLists.txt)",
      build: "cmake -S . -B build -DBUILD_SHARED_LIBS=OFF && cmake --build build -j2",
      test: tests ? "ctest --test-dir build --output-on-failure" : null,
      notes: tests ? [] : ["CMakeLists.txt declares no tests (enable_testing, add_test)"],
    };
  }
  if (has("meson.build")) {
    return {
      what: "Meson (meson.build)",
      build: "meson setup build --default-library=static && ninja -C build",
      test: "meson test -C build",
      notes: [],
    };
  }
  const makefile = ["GNUmakefile", "makefile", "Makefile"].find(has);
  if (makefile !== undefined) {
    const target = ["check", "test", "tests"].find((name) =>
      new RegExp(`^${name}\\s*:(?!=)`, "m").test(textOf(join(root, makefile))),
    );
    const script = target === undefined ? testScript(root) : null;
    return {
      what: `make (${makefile})`,
      // An assignment in a makefile wins over the environment, one on the command line over both.
      build: 'make CC="$CC"',
      test: target === undefined ? script : `make ${target}`,
      notes: target === undefined ? [`${makefile} has no target check or test`] : [],
    };
  }
  const sources = readdirSync(root).filter((name) => name.endsWith(".c"));
  if (sources.length === 0) return null;
  const program = sources.length === 1 ? sources[0].slice(0, -2) : "program";
  return {
    what: sources.length === 1 ? `one C file (${sources[0]})` : `${sources.length} C files`,
    build: `$CC -g -O1 -o ${program} ${sources.length === 1 ? sources[0] : "*.c"}`,
    test: testScript(root),
    notes: sources.length === 1 ? [] : [`all of them are linked into one program, called ${program}`],
  };
}

/** A script that looks as if it ran the tests. */
function testScript(root: string): string | null {
  const names = ["run-tests.sh", "test.sh", "tests.sh", "run.sh", "runtests.sh", "run_tests.sh"];
  for (const folder of ["tests", "test", "t", "."]) {
    for (const name of names) {
      if (folder === "." && name === "run.sh") continue;
      const path = folder === "." ? name : `${folder}/${name}`;
      if (existsSync(join(root, path))) return `sh ${path}`;
    }
    const directory = join(root, folder);
    if (folder === "." || !existsSync(directory) || !statSync(directory).isDirectory()) continue;
    if (readdirSync(directory).some((name) => name.endsWith(".sh"))) {
      return `for test in ${folder}/*.sh; do sh "$test" || exit 1; done`;
    }
  }
  return null;
}

function textOf(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch {
    return "";
  }
}
