import assert from "node:assert/strict";
import { test } from "node:test";
import { testUnits } from "./test-units.js";

/** Which of the files are tests, and how sure that is. */
function split(main: string, ...others: string[]): { readonly named: string; readonly tests: readonly string[] } {
  const files = [main, ...others];
  const { named, isTest } = testUnits(main, files);
  return { named, tests: files.filter(isTest) };
}

test("test units: a folder of tests beside the library, helpers and subfolders included", () => {
  const files = ["/p/tests/unit/a.c", "/p/tests/common/util.c", "/p/src/lib.c", "/p/include/lib.h"];
  assert.deepEqual(split(files[0], ...files.slice(1)), { named: "surely", tests: files.slice(0, 2) });
});

test("test units: in one folder with the library only names tell", () => {
  assert.deepEqual(split("/p/test_csv.c", "/p/libcsv.c"), { named: "surely", tests: ["/p/test_csv.c"] });
  assert.deepEqual(split("/p/fzytest.c", "/p/match.c", "/p/greatest.h").tests, ["/p/fzytest.c", "/p/greatest.h"]);
});

test("test units: of the other folders only that of main counts, unless its name is plain", () => {
  const files = ["/p/t/a.c", "/p/t/more/b.c", "/p/src/checks/c.c", "/p/src/latest.c", "/p/lib/tests/d.c"];
  assert.deepEqual(split(files[0], ...files.slice(1)).tests, [files[0], files[1], files[4]]);
});

test("test units: words that tools have in their names are no sure sign", () => {
  assert.equal(split("/p/check_disk.c", "/p/lib.c").named, "perhaps");
  assert.equal(split("/p/src/test.c", "/p/lib/quote.c").named, "perhaps", "there is a program of this name");
  assert.equal(split("/p/src/latest.c", "/p/lib/quote.c").named, "perhaps");
  assert.equal(split("/p/examples/show.c", "/p/src/lib.c").named, "perhaps");
  assert.equal(split("/p/src/main.c", "/p/src/lib.c").named, "no");
  assert.deepEqual(split("/p/src/main.c", "/p/src/lib.c").tests, ["/p/src/main.c"]);
});

test("test units: folders above the program say nothing of it, but its own may be that of the tests alone", () => {
  assert.deepEqual(split("/home/tests/p/src/main.c", "/home/tests/p/lib/lib.c").named, "no");
  assert.deepEqual(split("/p/tests/a.c", "/p/tests/helper.c").tests, ["/p/tests/a.c", "/p/tests/helper.c"]);
});
