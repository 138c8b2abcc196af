// GNU patch. Its tests are shell scripts, so the seeds are diffs of our own, as those tests have them.

import type { BedPackage } from "./bed-bug.js";

/** Debian's patches are newer than what autoconf and automake made; they are not to be made again. */
export const SETTLE = `touch aclocal.m4; sleep 1
find . -name Makefile.in -o -name configure -o -name 'config*.in' -o -name config.hin | xargs touch`;

const CHANGE = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
const CONTEXT = `*** a/f\n--- b/f
***************
*** 1,3 ****
  one
! two
  three
--- 1,3 ----
  one
! 2
  three
`;

export const PATCH: BedPackage = {
  source: "patch",
  configure: `${SETTLE}
./configure --disable-dependency-tracking --disable-xattr`,
  build: `make -C lib CC="$CC"; make -C src CC="$CC"`,
  program: "src/patch",
  bugs: [
    {
      name: "patch-rename",
      reference: "CVE-2018-6951",
      kind: "null-dereference",
      what: "a rename with only one name",
      reverse: ["Fix_segfault_with_mangled_rename_patch.patch"],
      places: ["src/patch.c:394"],
      arguments: ["-f", "--dry-run", "-p1", "-i", "@@"],
      beside: { f: "one\ntwo\nthree\n" },
      seeds: {
        "change.diff": CHANGE,
        "context.diff": CONTEXT,
        "rename.diff": `diff --git a/f b/h\nsimilarity index 60%\nrename from f\nrename to h\n${CHANGE.replace("b/f", "b/h")}`,
        "copy.diff": `diff --git a/f b/g\ncopy from f\ncopy to g\n${CHANGE.replace("b/f", "b/g")}`,
        "delete.diff": "--- a/f\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n",
        "create.diff":
          "diff --git a/new b/new\nnew file mode 100644\nindex 0000000..5626abf\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+one\n",
      },
      proof: "diff --git a/f\nrename from x\nrename to f\n--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-one\n+1\n",
    },
    {
      name: "patch-newline",
      reference: "Debian 0009 (upstream 76e7758)",
      kind: "assertion",
      what: "-o with a file that does not end in a newline, then another",
      reverse: ["0009-Fix_failed_assertion_outstate-after_newline.patch"],
      places: ["src/patch.c:1429"],
      isShared: true,
      arguments: ["-f", "-o", "out.txt", "-p0", "-i", "@@"],
      beside: { f: "one\ntwo\nthree\n", g: "a\nb\n" },
      seeds: {
        "change.diff": CHANGE.replaceAll(/[ab]\/f/g, "f"),
        "context.diff": CONTEXT.replaceAll(/[ab]\/f/g, "f"),
        "twice.diff": `${CHANGE.replaceAll(/[ab]\/f/g, "f")}--- f\n+++ f\n@@ -1,2 +1,2 @@\n-one\n+1\n 2\n`,
        "two-files.diff": `${CHANGE.replaceAll(/[ab]\/f/g, "f")}--- g\n+++ g\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n`,
        "nonewline.diff": "--- f\n+++ f\n@@ -1,3 +1,3 @@\n one\n two\n-three\n+3\n\\ No newline at end of file\n",
      },
      proof: `--- f
+++ f
@@ -1,3 +1,3 @@
 one
 two
-three
+3
\\ No newline at end of file
--- g
+++ g
@@ -1,2 +1,2 @@
-a
+A
 b
`,
    },
  ],
};
