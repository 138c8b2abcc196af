// Which sources of a program are tests and which are the code under test. A library's tests are programs of their own: the unit with `main`
// and its helpers lie in a folder of tests, or are called so, and the rest of the program is the library. Only names decide, so this
// can be wrong; then a test's literals are left alone, or a failure of the tests' own code is told as one of the library.

import { posix } from "node:path";

export interface TestUnits {
  /** Whether names say that the program is a test: surely, perhaps, or not at all. */
  readonly named: "surely" | "perhaps" | "no";
  isTest(file: string): boolean;
}

/** Folders and files of tests; and words that tools and libraries have in their names too. */
const TEST_FOLDER =
  /^(tests?|testing|testsuite|test[-_.]?suites?|unit[-_]?tests?|units?|t|checks?|specs?|regress(ion)?)$/i;
const MAYBE_FOLDER = /^(examples?|samples?|demos?)$/i;
const TEST_FILE = /(^|[^a-z])(tests?|unittests?|spec)([^a-z]|$)|tests?$|^test|^t[-_]|^unit[-_]/i;
const MAYBE_FILE = /^(check|example|sample|demo)([-_\d]|$)|[-_](check|example|sample|demo)$/i;
/** Frameworks that are compiled into the tests, wherever they lie. */
const FRAMEWORK =
  /^(unity(_fixture|_memory|_internals)?|greatest|munit|minunit|cmocka\w*|cmockery|check(_\w+)?|cunit|utest|acutest|ctest|tap|tinytest|criterion|cutest|seatest|picotest|embunit|clar|cgreen|snow)$/i;

/**
 * `main`: the file with the function main. `files`: all files of the program that have functions, libc aside. `program`: the name of the
 * executable, if it is known.
 */
export function testUnits(main: string, files: readonly string[]): TestUnits {
  const root = commonFolder([main, ...files]);
  const below = (file: string): string => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file);
  const folders = posix.dirname(below(main)).split("/");
  // What all files have in common says nothing of the program, but the last of it may be the folder of the tests, alone in its program.
  const ownFolder = posix.basename(posix.dirname(main));
  const isAlone = posix.dirname(main) === root && TEST_FOLDER.test(ownFolder);
  const named =
    folders.some((folder) => TEST_FOLDER.test(folder)) || isAlone || TEST_FILE.test(stem(main))
      ? "surely"
      : folders.some((folder) => MAYBE_FOLDER.test(folder)) || MAYBE_FILE.test(stem(main))
        ? "perhaps"
        : "no";
  return {
    named,
    isTest(file) {
      if (file === main || (isAlone && posix.dirname(file) === root)) return true;
      const path = below(file);
      const isFolder = posix
        .dirname(path)
        .split("/")
        .some(
          (folder) =>
            TEST_FOLDER.test(folder) || (named !== "no" && folders.includes(folder) && MAYBE_FOLDER.test(folder)),
        );
      return isFolder || TEST_FILE.test(stem(file)) || FRAMEWORK.test(stem(file));
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
