// busybox with two of its interpreters. Of the shell's own test scripts those are seeds that begin no other program.

import type { BedPackage } from "./bed-bug.js";

const OPTIONS = [
  "AWK",
  "ASH",
  "ASH_ECHO",
  "ASH_PRINTF",
  "ASH_TEST",
  "ASH_ALIAS",
  "ASH_GETOPTS",
  "ASH_CMDCMD",
  "ASH_BASH_COMPAT",
  "ASH_INTERNAL_GLOB",
  "SHELL_ASH",
  "FEATURE_SH_MATH",
  "FEATURE_SH_MATH_64",
  "FEATURE_AWK_GNU_EXTENSIONS",
  "FEATURE_AWK_LIBM",
  "DEBUG",
  "LONG_OPTS",
  "SHOW_USAGE",
  "NO_DEBUG_LIB",
];

const ASH_TESTS = [
  "ash-arith/arith-postinc.tests",
  "ash-arith/arith_nested1.tests",
  "ash-misc/and-or.tests",
  "ash-misc/assignment1.tests",
  "ash-misc/break1.tests",
  "ash-misc/case1.tests",
  "ash-misc/eval1.tests",
  "ash-misc/for.tests",
  "ash-misc/func2.tests",
  "ash-misc/func_args1.tests",
  "ash-misc/local1.tests",
  "ash-vars/var1.tests",
  "ash-vars/var2.tests",
  "ash-vars/var_posix1.tests",
];

export const BUSYBOX: BedPackage = {
  source: "busybox",
  configure: `make allnoconfig
for option in ${OPTIONS.join(" ")}; do
  sed -i "/CONFIG_$option[ =]/d" .config
  echo "CONFIG_$option=y" >> .config
done
sed -i '/CONFIG_EXTRA_CFLAGS/d' .config
echo 'CONFIG_EXTRA_CFLAGS="-O1"' >> .config
yes "" | make oldconfig`,
  build: `make HOSTCC=gcc CC="$CC" LD=ld SKIP_STRIP=y busybox_unstripped`,
  program: "busybox_unstripped",
  bugs: [
    {
      name: "busybox-awk-42364",
      reference: "CVE-2023-42364 / CVE-2023-42365",
      kind: "heap-use-after-free",
      what: "assignment to what is no variable",
      reverse: ["CVE-2023-42364-part2.patch", "CVE-2023-42364-part1.patch"],
      places: ["editors/awk.c:1011", "editors/awk.c:1051", "editors/awk.c:3000"],
      arguments: ["awk", "-f", "@@", "in.txt"],
      beside: { "in.txt": "one 1\ntwo 22\nthree 333\n" },
      seeds: {
        "sum.awk": "{ total += $2 }\nEND { print total, NR }\n",
        "fields.awk": '$2 > 20 { $1 = "x"; print; n++ }\nEND { print n }\n',
        "strings.awk":
          'BEGIN { s = "hello"; t = substr(s, 2, 3); print toupper(t) length(s), index(s, "l") }\n{ if (match($1, /e+/)) print RSTART }\n',
        "arrays.awk": "{ seen[$1]++; last = $1 }\nEND { for (k in seen) print k, seen[k]; delete seen[last] }\n",
        "function.awk": "function max(a, b) { return a > b ? a : b }\n{ m = max(m, $2 + 0) }\nEND { print m }\n",
        "loop.awk": 'BEGIN { for (i = 0; i < 3; i++) { if (i == 1) continue; printf "%d %s\\n", i, "v" } }\n',
      },
      proof: "{ print 1 + (toupper($2) = $2) }\n",
    },
    {
      name: "busybox-ash-48174",
      reference: "CVE-2022-48174",
      kind: "dynamic-stack-buffer-overflow",
      what: "arithmetic with a number that a name follows: more operands than the stack of operands has room for",
      reverse: ["CVE-2022-48174.patch"],
      places: ["shell/math.c:639"],
      arguments: ["ash", "@@"],
      seeds: {},
      ownSeeds: ASH_TESTS.map((name) => `shell/ash_test/${name}`),
      proof: "echo $((1*2!08y))\n",
    },
  ],
};
