// Which sources of a program are tests and which are the code under test. A library's tests are programs of their own: the unit with `main`
// and its helpers lie in a folder of tests, or are called so, and the rest of the program is the library. Only names decide, so this
// can be wrong; then a test's literals are left alone, or a failure of the tests' own code is told as one of the library.

import { posix } from "node:path";

export interface TestUnits {
  /** Whether names say that the program is a test: surely, perhaps, or not at all. */
  readonly named: "surely" | "perhaps" | "no";
  isTest(file: string): boolean;
}

/** Folders that hold tests wherever they are; those that do if `main` is in one; and names that tools and libraries have too. */
const TEST_FOLDER = /^(tests?|testing|testsuite|test[-_.]?suites?|unit[-_]?tests?)$/i;
const MAIN_FOLDER = /^(t|unit|checks?|specs?|regress(ion)?)$/i;
const MAYBE_FOLDER = /^(examples?|samples?|demos?)$/i;
const TEST_FILE = /[^a-z]tests?([^a-z]|$)|^tests?[^a-z]|^tests$|^test[A-Z]|[a-z]Tests?$|^t[-_]|^unit[-_]|unit_?tests?/;
const MAYBE_FILE = /^test|tests?$|^(check|example|sample|demo|spec)([-_\d]|$)|[-_](check|example|sample|demo|spec)$/i;
/** Frameworks that are compiled into the tests, wherever they lie. */
const FRAMEWORK =
  /^(unity(_fixture|_memory|_internals)?|greatest|munit|minunit|cmocka\w*|cmockery|check_\w+|cunit|utest|acutest|ctest|tap|tinytest|criterion|cutest|seatest|picotest|embunit|clar|cgreen|snow)$/i;

/** `main`: the file with the function main. `files`: all files of the program that have functions, libc aside. */
export function testUnits(main: string, files: readonly string[]): TestUnits {
  const root = commonFolder([main, ...files]);
  const below = (file: string): readonly string[] =>
    posix.dirname(file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file).split("/");
  const folders = below(main);
  // What all files have in common says nothing of the program, but the last of it may be the folder of the tests, alone in its program.
  const own = posix.basename(root);
  const isAlone = posix.dirname(main) === root && (TEST_FOLDER.test(own) || MAIN_FOLDER.test(own));
  const isOfMain = (folder: string): boolean => TEST_FOLDER.test(folder) || MAIN_FOLDER.test(folder);
  const isMaybe = (folder: string): boolean => MAYBE_FOLDER.test(folder);
  const depth = folders.findIndex((folder) => isOfMain(folder) || isMaybe(folder));
  const named =
    folders.some(isOfMain) || isAlone || TEST_FILE.test(stem(main))
      ? "surely"
      : folders.some(isMaybe) || MAYBE_FILE.test(stem(main))
        ? "perhaps"
        : "no";
  return {
    named,
    isTest(file) {
      if (file === main || (isAlone && posix.dirname(file) === root)) return true;
      const path = below(file);
      const isBeside = depth >= 0 && folders.slice(0, depth + 1).every((folder, n) => path[n] === folder);
      return (
        isBeside ||
        path.some((name) => TEST_FOLDER.test(name)) ||
        TEST_FILE.test(stem(file)) ||
        FRAMEWORK.test(stem(file))
      );
    },
  };
}

function stem(file: string): string {
  return posix.basename(file).replace(/\.\w+$/, "");
}

function commonFolder(files: readonly string[]): string {
  let common = posix.dirname(files[0]).split("/");
  for (const file of files) {
    const folders = posix.dirname(file).split("/");
    let same = 0;
    while (same < common.length && folders[same] === common[same]) same++;
    common = common.slice(0, same);
  }
  return common.join("/");
}
