// Options with which a project's build is asked for its tests' programs, where they are off unless somebody asks: `option(X_BUILD_TESTS "..."
// OFF)` of CMake, `option('tests', type: 'boolean', value: false)` of Meson. Only what is off and is plainly about tests is switched on:
// benchmarks, fuzzers, coverage and checks under valgrind are other matters, and need what most machines lack.

const TEST_NAME =
  /^(?:\w*?[_-])?(?:(?:build|enable|with|make|compile)[_-])?(?:unit[_-]?|all[_-]?)?test(?:s|ing|suite|_suite)?$/i;
const OTHER_MATTER =
  /fuzz|bench|cover|valgrind|install|without|disable|skip|perf|(^|_)no(_|$)|cxx|cpp|python|network|online|sanitiz/i;

function isAboutTests(name: string): boolean {
  return !OTHER_MATTER.test(name) && (TEST_NAME.test(name) || /(^|[_-])(BUILD|ENABLE|WITH)[_-]\w*TESTS?$/i.test(name));
}

/** Words for cmake: `-DX_BUILD_TESTS=ON`. */
export function cmakeTestOptions(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [, name, value] of text.matchAll(/^\s*option\s*\(\s*(\w+)\s+"(?:[^"\\]|\\.)*"\s*([\w${}]*)\s*\)/gim)) {
      if (isAboutTests(name) && /^(|off|no|false|0|n)$/i.test(value)) words.add(`-D${name}=ON`);
    }
  }
  return [...words].slice(0, 8);
}

export function cmakeHasTests(texts: readonly string[]): boolean {
  return texts.some((text) => /^\s*(enable_testing\s*\(|include\s*\(\s*CTest|add_test\s*\()/im.test(text));
}

/** Words for meson setup: `-Dtests=true`. */
export function mesonTestOptions(text: string): string[] {
  const words: string[] = [];
  for (const [whole, name] of text.matchAll(/option\s*\(\s*'([\w-]+)'[^)]*?\)/g)) {
    if (!isAboutTests(name.replaceAll("-", "_"))) continue;
    if (/type\s*:\s*'boolean'/.test(whole) && /value\s*:\s*'?false/.test(whole)) words.push(`-D${name}=true`);
    if (/type\s*:\s*'feature'/.test(whole) && !/value\s*:\s*'enabled'/.test(whole)) words.push(`-D${name}=enabled`);
  }
  return words.slice(0, 8);
}

export function mesonHasTests(texts: readonly string[]): boolean {
  return texts.some((text) => /^\s*test\s*\(/m.test(text));
}
