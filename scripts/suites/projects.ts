// The projects whose own tests qualify the machine: how to build each with `tangent cc`, which programs to replace, how to run its tests,
// how to read the results. All of it is data and shell commands, run in the project's folder with CC set.

import {
  automakeVerdicts,
  m4Verdicts,
  minicheckVerdicts,
  statusVerdicts,
  unityVerdicts,
  type Verdicts,
} from "./verdicts.js";

export interface Project {
  readonly name: string;
  /** Debian's source package. */
  readonly source: string;
  /** The folder inside the source, where it is not the top. */
  readonly inside?: string;
  /** With Debian's changes. */
  readonly patched?: boolean;
  readonly build: string;
  /** Replaced by the VM for the second run. */
  readonly programs: readonly string[];
  /** Removes the results of an earlier run. */
  readonly clean: string;
  /** Its output is given to `verdicts`. OUT is a folder for outputs; PHASE is `native` or `vm`. */
  readonly test: string;
  readonly verdicts: (output: string, folder: string) => Verdicts;
  /** Why some tests cannot pass in the VM. */
  readonly note?: string;
  /**
   * Some of its tests start processes and cannot pass where these are denied. Those that count are the ones which also pass when the
   * native program is denied them, by the kernel and with the same error numbers.
   */
  readonly startsProcesses?: boolean;
}

const CONFIGURE = "./configure --disable-dependency-tracking --disable-nls";

/** Tests made of commands whose output must be the native one's. */
const COMPARE = `
check() { # NAME COMMAND...
  name=$1; shift
  mkdir -p "$OUT/$PHASE" "$OUT/native"
  timeout 300 "$@" < /dev/null > "$OUT/$PHASE/$name" 2>&1; echo "status $?" >> "$OUT/$PHASE/$name"
  cmp -s "$OUT/$PHASE/$name" "$OUT/native/$name"; echo "verdict $name $?"
}`;

/** make's tests come in scripts of many cases; its driver tells how each script ended, and is made to tell it of each case. */
const MAKE_CASES = String.raw`sed -i '/^  if (\$answer_matched && \$test_passed) {/i\
  print "\\nverdict $testname:$tests_run ", ($answer_matched \&\& $test_passed ? 0 : 1), "\\n";' tests/test_driver.pl`;

export const PROJECTS: readonly Project[] = [
  {
    name: "diffutils",
    source: "diffutils",
    build: `${CONFIGURE} && make`,
    programs: ["src/diff", "src/cmp"],
    clean: "rm -f tests/*.trs tests/*.log",
    test: "make -C tests check",
    verdicts: (_, folder) => automakeVerdicts(`${folder}/tests`),
    note: "diff3 and sdiff start diff as a process of its own and stay native",
  },
  {
    name: "sed",
    source: "sed",
    build: `${CONFIGURE} && make`,
    programs: ["sed/sed"],
    clean: "find testsuite -name '*.trs' -delete -o -name '*.log' -delete",
    test: "make check SUBDIRS=.",
    verdicts: (_, folder) => automakeVerdicts(`${folder}/testsuite`),
    note: "the `e` command starts a shell",
    startsProcesses: true,
  },
  {
    name: "grep",
    source: "grep",
    build: `${CONFIGURE} && make`,
    programs: ["src/grep"],
    clean: "rm -f tests/*.trs tests/*.log",
    test: "make -C tests check",
    verdicts: (_, folder) => automakeVerdicts(`${folder}/tests`),
  },
  {
    name: "gzip",
    source: "gzip",
    build: `${CONFIGURE} && make`,
    programs: ["gzip"],
    clean: "rm -f tests/*.trs tests/*.log",
    test: "make -C tests check",
    verdicts: (_, folder) => automakeVerdicts(`${folder}/tests`),
  },
  {
    name: "bzip2",
    source: "bzip2",
    build: 'make CC="$CC" bzip2 bzip2recover',
    programs: ["bzip2", "bzip2recover"],
    clean: "true",
    test: `${COMPARE}
roundtrip() { ./bzip2 "-$1" < "$2" | ./bzip2 -dc | cmp - "$2"; }
for n in 1 2 3; do
  check "compress-$n" sh -c "./bzip2 -$n < sample$n.ref | cmp - sample$n.bz2 && ./bzip2 -$n < sample$n.ref | cksum"
  check "decompress-$n" sh -c "./bzip2 -d < sample$n.bz2 | cmp - sample$n.ref"
  check "decompress-small-$n" sh -c "./bzip2 -ds < sample$n.bz2 | cmp - sample$n.ref"
  check "test-$n" ./bzip2 -tvv sample$n.bz2
done
for n in 1 5 9; do check "roundtrip-$n" sh -c "./bzip2 -$n < bzlib.c | ./bzip2 -dc | cmp - bzlib.c"; done
head -c 20000 sample2.bz2 > cut.bz2
check cut ./bzip2 -t cut.bz2
check recover sh -c "rm -f rec*sample1*; ./bzip2recover sample1.bz2 && cat rec*sample1* | cksum"
check files sh -c "rm -f x.bz2; cp words1 x; ./bzip2 -kf x && ./bzip2 -dc x.bz2 | cmp - x && ls -l x.bz2 | cut -c1-10"
check usage ./bzip2 --help
check missing ./bzip2 nowhere
check empty sh -c "./bzip2 < /dev/null | cksum"`,
    verdicts: statusVerdicts,
  },
  {
    name: "bc",
    source: "bc",
    build: `${CONFIGURE} && make`,
    programs: ["bc/bc", "dc/dc"],
    clean: "true",
    test: `${COMPARE}
for file in Test/*.b Test/*.bc; do check "$(basename "$file")" bc/bc -l "$file"; done
check library sh -c "echo 'scale=60; s(1); c(1); a(1)*4; l(2); e(1); j(2,3.5); sqrt(2)' | bc/bc -l"
check bases sh -c "echo 'obase=16; 2^200-1; ibase=16; FF.8; obase=2; AB' | bc/bc"
check errors sh -c "echo '1/0; sqrt(-1); foo(' | bc/bc"
check dc-stack sh -c "echo '1 2 3 f + p 10 k 2 v p 16 o 255 p [la 1+ dsa 5>b]sb 0sa lbx la p' | dc/dc"
check dc-expression dc/dc -e '20 k 355 113 / p 2 100 ^ p 7 3 ~ f'`,
    verdicts: statusVerdicts,
  },
  {
    name: "m4",
    source: "m4",
    build: `${CONFIGURE} && make`,
    programs: ["src/m4"],
    clean: "true",
    test: "make -C checks check",
    verdicts: m4Verdicts,
    note: "syscmd, esyscmd and sysval start a shell",
    startsProcesses: true,
  },
  {
    name: "make",
    source: "make-dfsg",
    patched: true,
    build: `{ test -x configure || autoreconf -fi; } && ${CONFIGURE} && make && ${MAKE_CASES}`,
    programs: ["make"],
    clean: "rm -rf tests/work",
    test: "cd tests && perl ./run_make_tests.pl -make ../make",
    verdicts: statusVerdicts,
    note: "a case counts if it passes natively without starting a process",
    startsProcesses: true,
  },
  {
    name: "expat",
    source: "expat",
    inside: "expat",
    build: `{ test -x configure || ./buildconf.sh; } && ${CONFIGURE} && make -C lib && make -C tests runtests`,
    programs: ["tests/runtests"],
    clean: "true",
    test: "cd tests && ./runtests -v",
    verdicts: minicheckVerdicts,
  },
  {
    name: "cjson",
    source: "cjson",
    build: `$CC -O1 -c cJSON.c cJSON_Utils.c tests/unity/src/unity.c && rm -f libtest.a && ar rcs libtest.a cJSON.o cJSON_Utils.o unity.o &&
cd tests && for test in *_tests.c parse_*.c print_*.c cjson_add.c readme_examples.c; do
  $CC -O1 -I.. -Iunity/src -Iunity/examples "$test" -L.. -ltest -lm -o "\${test%.c}.test" || exit 1
done`,
    programs: ["tests/*.test"],
    clean: "true",
    test: `cd tests && for test in *.test; do echo "program \${test%.test}"; "./$test"; echo "status $?"; done`,
    verdicts: unityVerdicts,
  },
];
