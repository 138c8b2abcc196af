// Twelve small libraries that read texts (regular expressions, XML, INI, JSON, YAML, CSV), and some more, apart. libconfig stands where
// minIni was meant to: Debian's bookworm has no minIni. Apart, cmark, libonig and libfastjson stand for iniparser, inih and libucl, which our mirror
// or bookworm has not. expat and pcre2 have the version that the mirror has. Built are autotools' static libraries, or CMake's; autoconf,
// automake, libtool and autopoint are needed.

import type { Library } from "./library.js";

const CMAKE = "cmake -S . -B build -DBUILD_SHARED_LIBS=OFF";
const MAKE = "make -j2";
const AUTOTOOLS = "./configure --disable-shared";

export const LIBRARIES: readonly Library[] = [
  {
    name: "tre",
    source: "tre",
    configure: `${AUTOTOOLS} --disable-nls`,
    build: `${MAKE} && make -C tests retest test-str-source`,
    // The suite's lines of arguments, each with its input as a file; some as standard input.
    test: `tests/retest; tests/test-str-source
cd tests/agrep
for args in *.args; do
  input=\${args%.args}.input
  grep -v '^#' $args | while read -r words; do ../../src/agrep $words $input < /dev/null; done
  ../../src/agrep -n $(grep -v '^#' $args | tail -n 1) < $input
done`,
  },
  {
    name: "mxml",
    source: "mxml",
    configure: `${AUTOTOOLS}`,
    build: `${MAKE} libmxml.a testmxml`,
    test: "make test",
  },
  {
    name: "ding-libs",
    source: "ding-libs",
    configure: `autoreconf -fi && ${AUTOTOOLS} --disable-nls`,
    build: `${MAKE} && make check TESTS=`,
    test: "make check",
  },
  {
    name: "jansson",
    source: "jansson",
    configure: `${CMAKE} -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF`,
    build: "cmake --build build -j2",
    test: `for program in build/bin/test_*; do $program; done
for suite in valid invalid invalid-unicode; do
  for input in $(smallest 8 test/suites/$suite/*/input); do build/bin/json_process $(dirname $input); done
done`,
  },
  {
    name: "expat",
    source: "expat=2.5.0-1+deb12u2",
    configure: `cd expat && ./buildconf.sh && ${AUTOTOOLS} --without-docbook --without-examples`,
    build: `cd expat && ${MAKE} -C lib && ${MAKE} -C xmlwf && ${MAKE} -C tests runtests`,
    test: `expat/tests/runtests
for file in $(smallest 5 testdata/largefiles/*.xml); do expat/xmlwf/xmlwf $file; expat/xmlwf/xmlwf -r -n $file; done`,
  },
  {
    name: "json-c",
    source: "json-c",
    configure: `${CMAKE} -DDISABLE_WERROR=ON -DBUILD_STATIC_LIBS=ON`,
    build: "cmake --build build -j2",
    test: `(cd build && USE_VALGRIND=0 ctest)
for file in $(smallest 25 tests/*.json); do build/apps/json_parse $file; build/apps/json_parse -s $file; done`,
  },
  {
    name: "libyaml",
    source: "libyaml",
    configure: `autoreconf -fi && ${AUTOTOOLS}`,
    build: `${MAKE} && make -C tests test-version test-reader`,
    test: `tests/test-version; tests/test-reader
for file in $(smallest 25 examples/*.yaml regression-inputs/*); do
  for program in run-parser run-loader run-emitter; do tests/$program $file; done
done`,
  },
  {
    name: "libcsv",
    source: "libcsv",
    configure: AUTOTOOLS,
    build: `${MAKE} && make check_csv
for program in csvinfo csvtest csvvalid; do $CC $CFLAGS -I. -o examples/$program examples/$program.c libcsv.c; done`,
    test: `./check_csv
for file in $(smallest 13 tests/*.csv); do
  examples/csvinfo $file; examples/csvvalid $file; examples/csvtest < $file
done`,
  },
  {
    name: "libconfig",
    source: "libconfig",
    configure: `${AUTOTOOLS} --disable-cxx`,
    build: `${MAKE} -C lib && ${MAKE} -C tinytest && ${MAKE} -C tests && ${MAKE} -C examples/c`,
    test: `(cd tests && ./libconfig_tests)
cd examples/c && ./example1 && ./example2`,
  },
  {
    name: "yajl",
    source: "yajl",
    configure: "cmake -S . -B build",
    build: "cmake --build build -j2",
    // As the package's own script calls it, with one size of its buffer.
    test: `reformat=$(pwd)/$(find build -path "*bin/json_reformat")
cd test/parsing/cases
for file in $(smallest 25 *.json); do
  case $file in ac_*) flag=-c;; ag_*) flag=-g;; am_*) flag=-m;; ap_*) flag=-p;; *) flag=;; esac
  ../../../build/test/parsing/yajl_test $flag -b 31 < $file
done
for file in $(smallest 10 *.json); do $reformat < $file; done`,
  },
  {
    name: "libfyaml",
    source: "libfyaml",
    // Its comparison with the system's libyaml is left out: it would be another library.
    configure: `PKG_CONFIG_LIBDIR=/none ${AUTOTOOLS}`,
    // Not `make check`: it would clone a suite from elsewhere.
    build: MAKE,
    test: `for file in $(smallest 15 test/emitter-examples/*.yaml); do
  src/fy-tool --testsuite --disable-flow-markers $file; src/fy-tool --dump $file
done
for file in $(smallest 5 $(find test/test-errors -type f)); do src/fy-tool --dump $file; done`,
  },
  {
    name: "jsmn",
    source: "jsmn",
    build: `make -e test && make -e jsondump simple_example`,
    test: `for program in test/test_default test/test_strict test/test_links test/test_strict_links; do ./$program; done
./simple_example; ./jsondump < library.json`,
  },
  {
    name: "pcre2",
    source: "pcre2=10.42-1",
    isApart: true,
    configure: AUTOTOOLS,
    build: `${MAKE} pcre2test pcre2posix_test`,
    test: `./pcre2posix_test
for number in 15 20 24 26 7 5 4 6 1 2; do ./pcre2test -q testdata/testinput$number /dev/null; done`,
  },
  {
    name: "cjson",
    source: "cjson",
    isApart: true,
    configure: `${CMAKE} -DENABLE_CJSON_UTILS=ON -DENABLE_CUSTOM_COMPILER_FLAGS=OFF`,
    build: "cmake --build build -j2 && $CC $CFLAGS -I. -o fuzzing/afl fuzzing/afl.c cJSON.c -lm",
    test: `(cd build && ctest)
for file in $(smallest 25 fuzzing/inputs/*); do fuzzing/afl $file yes; done`,
  },
  {
    name: "cmark",
    source: "cmark",
    isApart: true,
    configure: `${CMAKE} -DCMARK_SHARED=OFF -DCMARK_TESTS=OFF`,
    build: "cmake --build build -j2",
    test: `for file in $(smallest 20 test/afl_test_cases/*.md bench/samples/*.md); do build/src/cmark $file; done
for file in $(smallest 5 bench/samples/*.md); do build/src/cmark -t commonmark $file; done`,
  },
  {
    name: "libonig",
    source: "libonig",
    isApart: true,
    configure: `autoreconf -fi && ${AUTOTOOLS} --enable-posix-api`,
    build: `${MAKE} && make check TESTS=`,
    test: "make check",
  },
  {
    name: "libfastjson",
    source: "libfastjson",
    isApart: true,
    configure: AUTOTOOLS,
    build: `${MAKE} && make check TESTS=`,
    test: "USE_VALGRIND=0 make check",
  },
];
