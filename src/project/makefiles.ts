// What a makefile's text says about tests: which target runs them, which programs that target has made first, and which makefile a project
// that has none of the usual name means. Only text is read: no make is run, because a makefile may start anything while it is read.

import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../support/regular-file.js";

/** The names make looks for, in its order. */
const USUAL_MAKEFILES = ["GNUmakefile", "makefile", "Makefile"] as const;
const TARGETS = ["check", "test", "tests", "runtests", "run-tests", "testsuite"] as const;
/** Largest text that is looked at. */
const MOST_BYTES = 0x40_0000;

export interface MakefileTests {
  readonly target: string;
  /** Files that the target needs and the makefile says how to make: the tests' programs. */
  readonly programs: readonly string[];
  /** Whether the target calls the compiler itself. */
  readonly compiles: boolean;
}

/** Null if there is no such target. `directory`: where the makefile's sources are. */
export function makefileTests(text: string, directory: string): MakefileTests | null {
  const joined = text.replaceAll("\\\n", " ");
  const target = TARGETS.find((name) => ruleOf(joined, name) !== null);
  const rule = target === undefined ? null : ruleOf(joined, target);
  if (target === undefined || rule === null) return handedOn(joined, directory);
  const words = expand(rule.needs, joined).split(/\s+/);
  const phony = new Set(expand(ruleOf(joined, ".PHONY")?.needs ?? "", joined).split(/\s+/));
  const usual = madeAnyway(joined);
  const programs = words.filter(
    (word) =>
      /^[\w][\w./+-]*$/.test(word) && !phony.has(word) && !usual.has(word) && isMadeProgram(word, joined, directory),
  );
  const compiles = /\$[({](CC|COMPILE|LINK)[)}]|\bgcc\b|\bcc -/.test(rule.recipe);
  return { target, programs, compiles };
}

/** Whatever it does not know itself is made in a folder below (`.DEFAULT: cd src && $(MAKE) $@`): the tests of the makefile there. */
function handedOn(text: string, directory: string): MakefileTests | null {
  const recipe = ruleOf(text, ".DEFAULT")?.recipe ?? "";
  const folder = /\bcd (\w[\w.-]*) *(?:&&|;) *\$[({]MAKE[)}] \$@|\$[({]MAKE[)}] -C (\w[\w.-]*) \$@/.exec(recipe);
  if (folder === null) return null;
  const below = join(directory, folder[1] ?? folder[2]);
  const makefile = USUAL_MAKEFILES.find((name) => existsSync(join(below, name)));
  const inner = makefile === undefined ? null : makefileTests(textOf(join(below, makefile)), below);
  return inner === null ? null : { ...inner, programs: [] };
}

/** What make makes if it is told no target: the first one, and what that needs. */
function madeAnyway(text: string): ReadonlySet<string> {
  const first = /^(\w[\w./+-]*)\s*:(?!=)/m.exec(text)?.[1] ?? "all";
  const made = new Set([first]);
  for (const name of made) {
    const needs = expand(ruleOf(text, name)?.needs ?? "", text).split(/\s+/);
    for (const word of needs) if (/^\w[\w./+-]*$/.test(word) && made.size < 1000) made.add(word);
  }
  return made;
}

/** A file without an ending that the makefile, or one of make's own rules, makes by compiling. */
function isMadeProgram(word: string, text: string, directory: string): boolean {
  if (/\.\w+$/.test(word) || (TARGETS as readonly string[]).includes(word) || word === "all") return false;
  const own = ruleOf(text, word);
  if (own !== null && /\$[({](CC|LINK|LD)[)}]|\bgcc\b/.test(own.recipe)) return true;
  return existsSync(join(directory, `${word}.c`));
}

interface Rule {
  readonly needs: string;
  readonly recipe: string;
}

function ruleOf(text: string, target: string): Rule | null {
  const name = target.replace(/[.+]/g, "\\$&");
  const found = new RegExp(
    `^(?:[\\w./$(){} -]+ )?${name}(?: [\\w./$(){} -]+)?\\s*::?(?!=)([^\\n]*)\\n((?:\\t[^\\n]*\\n|\\s*\\n)*)`,
    "m",
  ).exec(`${text}\n`);
  return found === null ? null : { needs: found[1].split(/[;#]/)[0], recipe: found[2] };
}

/** Longer than any list of programs; variables of variables can be made to hold more than any memory does. */
const MOST_EXPANDED = 0x8_0000;

/** Variables that the makefile sets itself, some levels deep. */
function expand(words: string, text: string, depth = 4, room = { left: MOST_EXPANDED }): string {
  if (depth === 0 || room.left <= 0) return words;
  return words.replace(/\$[({](\w+)[)}]/g, (whole, name: string) => {
    if (room.left <= 0) return whole;
    const set = [...text.matchAll(new RegExp(`^${name}\\s*(?:[:?+]?|::)=([^\\n#]*)`, "gm"))];
    if (set.length === 0) return name === "EXEEXT" ? "" : whole;
    const value = set.map(([, one]) => one).join(" ");
    room.left -= value.length;
    return room.left <= 0 ? whole : expand(value, text, depth - 1, room);
  });
}

/** A makefile that is not found by make itself: what make is to be told, and its text. */
export interface OtherMakefile {
  readonly path: string;
  /** Words of make's: `-C src`, `-f Makefile.linux`. */
  readonly words: string;
  /** Where its sources are, relative to the root. */
  readonly directory: string;
  readonly text: string;
}

const OTHER_NAMES =
  /^(gnu)?make(file)?[._-](linux|unix|unx|gcc|gnu|lnx|posix|std|generic)$|^(linux|unix)\.mak(e|efile)?$/i;
const FOLDERS = [
  "src",
  "source",
  "unix",
  "linux",
  "build",
  "make",
  "code",
  "lib",
  "build/unix",
  "build/linux",
  "build/gcc",
];

export function findMakefile(root: string): OtherMakefile | null {
  const names = namesIn(root);
  const usual = USUAL_MAKEFILES.find((name) => names.includes(name));
  if (usual !== undefined) return { path: usual, words: "", directory: ".", text: textOf(join(root, usual)) };
  const other = names.filter((name) => OTHER_NAMES.test(name)).sort()[0];
  if (other !== undefined)
    return { path: other, words: ` -f ${other}`, directory: ".", text: textOf(join(root, other)) };
  for (const folder of FOLDERS) {
    const inside = namesIn(join(root, folder));
    const name = USUAL_MAKEFILES.find((usualName) => inside.includes(usualName));
    if (name === undefined) continue;
    const path = `${folder}/${name}`;
    const text = textOf(join(root, path));
    // Info-ZIP's way: the makefile lies in a folder and is meant for the one above.
    const isForAbove = new RegExp(`make(?:\\s|[^\\n]*\\s)-f ${path.replace(".", "\\.")}`).test(text);
    if (!isForAbove) return { path, words: ` -C ${folder}`, directory: folder, text };
    const target = ["generic", "linux", "linux_noasm", "unix"].find((one) => ruleOf(text, one) !== null);
    return { path, words: ` -f ${path}${target === undefined ? "" : ` ${target}`}`, directory: ".", text };
  }
  return null;
}

/** Empty if it cannot be read. */
export function textOf(path: string): string {
  try {
    return readRegularFile(path, { mostBytes: MOST_BYTES }).toString();
  } catch {
    return "";
  }
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const NOT_LOOKED_INTO =
  /^(\.|node_modules$|autom4te\.cache$|CMakeFiles$|debian$|third[_-]?party$|vendor$|subprojects$|_?deps$)/;

/** Texts of all files of some names, so many folders deep; the top's first. */
export function textsBelow(root: string, names: readonly string[], depth = DEPTH): string[] {
  return filesNamed(root, names, depth).map(textOf);
}

const DEPTH = 4;
const MOST_FILES = 400;

/** The files themselves. */
export function filesNamed(root: string, names: readonly string[], depth = DEPTH): string[] {
  const found: string[] = [];
  const walk: [string, number][] = [[root, 0]];
  for (let next = walk.shift(); next !== undefined && found.length < MOST_FILES; next = walk.shift()) {
    const [directory, level] = next;
    for (const name of namesIn(directory)) {
      const path = join(directory, name);
      if (names.includes(name)) found.push(path);
      else if (level < depth && !NOT_LOOKED_INTO.test(name) && isFolder(path)) walk.push([path, level + 1]);
    }
  }
  return found;
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
