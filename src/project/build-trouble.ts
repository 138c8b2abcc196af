// Why a build failed: its own last error, found in what it printed; what we think of it; what to do or to write into tangent.toml. A build
// prints thousands of lines, and its last ones are make's, which say nothing. The table is ordered: the first that fits is told.
// What is shown is the build's own text, made safe to print by whoever prints it.

export interface BuildTrouble {
  /** Lines of the build's own; empty if none looks like an error. */
  readonly error: readonly string[];
  readonly opinion: string | null;
  readonly advice: string | null;
}

const ERROR =
  /\berror:|undefined reference|\bld(?:\.\w+)?: (?!.*warning)|multiple definition of|syntax error|cannot find -l|configure: error|CMake Error|\bERROR:|: command not found|: not found$|No rule to make target|fatal error|No such file or directory|Could NOT find|is required|is missing on your system|Permission denied/i;
/** Says only that something before it failed. */
const CONSEQUENCE =
  /^(make|gmake)(\[\d+\])?: \*\*\*|^make: |ninja: build stopped|collect2: error|linker command failed|Configuring incomplete|^FAILED:|autoreconf: (?:error: )?.* failed with exit status|See also|waiting for unfinished|errors? generated|too many errors|^gmake|recipe for target/i;
const NO_ERROR =
  /-Wno-error|no-error|0 errors|[Ww]arning:|checking (for|whether)|error(s)?\.(c|h|o|lo)\b|-Werror[^\]]*$/;

const SHOWN = 4;

interface Rule {
  readonly when: RegExp;
  readonly opinion: (match: RegExpExecArray) => string;
  readonly advice: (match: RegExpExecArray, script: string) => string;
}

const rule = (when: RegExp, opinion: Rule["opinion"], advice: Rule["advice"]): Rule => ({ when, opinion, advice });
const edit = (change: string): string => `in tangent.toml, ${change}`;

const RULES: readonly Rule[] = [
  rule(
    /\[-Werror(?:=([\w+-]+))?\]|error: .*\[-Werror,/,
    () => "a warning was made an error (-Werror)",
    (_, script) =>
      /configure/.test(script)
        ? edit('let configure have CFLAGS="-g -O2 -Wno-error" (or --disable-werror, if it knows that)')
        : edit('set CFLAGS="-g -O2 -Wno-error" in the build command'),
  ),
  rule(
    /error: .*\[-W(implicit-[\w-]+|int-conversion|incompatible-[\w-]+|return-mismatch)\]/,
    ([, name]) => `this compiler takes for an error (${name}) what older ones warned of`,
    ([, name]) =>
      `${edit(`give CFLAGS="-g -O2 -Wno-error=${name}" to the build`)}, or let TANGENT_CC name another compiler`,
  ),
  rule(
    /fatal error: ([\w./+-]+): No such file or directory|fatal error: '([^']+)' file not found/,
    ([, gnu, clang]) => `the header ${gnu ?? clang} is not on this machine`,
    ([, gnu, clang]) => {
      const library = libraryOfHeader(gnu ?? clang ?? "");
      return `install the development files of ${library} (on Debian a package such as lib${library}-dev), or switch what needs it off in the build command`;
    },
  ),
  rule(
    /cannot find -l([\w+.-]+)|unable to find library -l([\w+.-]+)/,
    ([, gnu, lld]) =>
      `the library ${gnu ?? lld} cannot be linked: it is not on this machine, or only for other programs`,
    ([, gnu, lld]) =>
      `install the development files of lib${gnu ?? lld}; if it is a library of this project, see that it is built first`,
  ),
  rule(
    /undefined reference to [`']?([\w@.]+)|undefined symbol: ([\w@.]+)/,
    ([, gnu, lld]) => `${gnu ?? lld} is used, but nothing that is linked defines it`,
    () => edit("add the library that has it to LIBS or LDFLAGS in the build command"),
  ),
  rule(
    /configure: error: (?:Package requirements|No package|.*\bpkg-config\b)[^\n]*|No package '([\w+.-]+)' found|Dependency "?([\w+.-]+)"? not found|Dependency ([\w+.-]+) found: NO/,
    ([, pkg, meson, other]) => `the library ${pkg ?? meson ?? other ?? "that it names"} is not installed for building`,
    () =>
      "install its development files, or switch what needs it off (./configure --help and meson configure list the switches)",
  ),
  rule(
    /Could NOT find (\w+)|Could not find a package configuration file provided by "(\w+)"/,
    ([, one, other]) => `CMake does not find ${one ?? other}`,
    () => "install its development files, or switch it off with -D in the build command",
  ),
  rule(
    /C compiler cannot create executables|compiler .* is not able to compile a simple test program|Compiler .* can(not|'t) compile programs/,
    () => "the build's first trial of the compiler failed",
    () =>
      "see the end of config.log (CMakeFiles/CMakeError.log, meson-logs/meson-log.txt) in .tangent/build; CFLAGS or LDFLAGS of your environment are given to it",
  ),
  rule(
    /(?:sh|bash|make(?:\[\d+\])?|\S+\.sh): (?:\d+: |line \d+: )?([\w.+-]+): (?:command )?not found|([\w.+-]+): command not found|make(?:\[\d+\])?: ([\w.+-]+): No such file or directory/,
    ([, sh, bash, make]) => `the tool ${sh ?? bash ?? make} is not there`,
    ([, sh, bash, make]) => {
      const tool = sh ?? bash ?? make ?? "";
      return /^(aclocal|automake|autoconf|autoheader|autoreconf)/.test(tool)
        ? `install ${tool.replace(/-[\d.]+$/, "")}, or let the build begin with: touch aclocal.m4 configure Makefile.in config.h.in`
        : `install ${tool}, or take it out of the build command; \`tangent init --build-system\` shows other ways to build`;
    },
  ),
  rule(
    /WARNING: '?(aclocal|automake|autoconf|makeinfo|autom4te|bison|flex|yacc)[-\d.]*'? is (?:missing|needed)/,
    ([, tool]) => `the tool ${tool} is not there`,
    ([, tool]) =>
      tool === "makeinfo"
        ? edit("give make MAKEINFO=true")
        : `install ${tool}, or let the build begin with: touch aclocal.m4 configure Makefile.in config.h.in`,
  ),
  rule(
    /No rule to make target [`']?([^'`,]+)'?/,
    ([, target]) => `make does not know how to make ${target}`,
    () => edit("see that the command begins with what writes the makefiles, and names targets that exist"),
  ),
  rule(
    /possibly undefined macro: ([\w]+)/,
    ([, macro]) => `the autoconf macro ${macro} is not on this machine`,
    ([, macro]) =>
      `install what defines it (on Debian ${packageOfMacro(macro)}), or a release that has its configure script`,
  ),
  rule(
    /configure: error: [^\n]*\b(?:not (?:found|installed|available)|(?:is|are) (?:missing|required|needed)|(?:could|can)(?:not| not|'t) find|[Cc]annot find|please (?:get|install))\b[^\n]*/i,
    () => "something that the project needs is not on this machine",
    () =>
      `install it with its development files, or ${edit("switch what needs it off in the build command")} (./configure --help lists the switches)`,
  ),
  rule(
    /configure: error: ([^\n]+)|^(?:[^\n]*)ERROR: ([^\n]+)/m,
    () => "the project's configuration refused",
    () => edit("change the switches of the build command; ./configure --help, cmake -LH and meson configure list them"),
  ),
];

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

/** `output`: the end of what the build printed. `script`: its command. */
export function explainBuild(output: string, script: string): BuildTrouble {
  const lines = output.split("\n").map((line) => line.replace(COLOUR, "").trimEnd());
  const isError = (line: string): boolean =>
    ERROR.test(line) && !CONSEQUENCE.test(line) && (!NO_ERROR.test(line) || /\berror:/i.test(line));
  const last = lines.findLastIndex(isError);
  const fallback = lines.findLastIndex((line) => CONSEQUENCE.test(line));
  const at = last >= 0 ? last : fallback;
  if (at < 0) return { error: lines.filter((line) => line !== "").slice(-SHOWN), opinion: null, advice: null };
  // CMake and Meson say what it is about on the lines behind.
  const error = lines
    .slice(at, at + SHOWN)
    .filter((line, index) => line !== "" && (index === 0 || !CONSEQUENCE.test(line)));
  const near = lines.slice(Math.max(0, at - 12), at + 12).join("\n");
  for (const text of [error.join("\n"), near]) {
    for (const { when, opinion, advice } of RULES) {
      const match = when.exec(text);
      if (match !== null) return { error, opinion: opinion(match), advice: advice(match, script) };
    }
  }
  return { error, opinion: null, advice: null };
}

/** By how macros are called that others' packages bring. */
function packageOfMacro(macro: string): string {
  if (/^AX_/.test(macro)) return "autoconf-archive";
  if (/^(LT_|AC_LIBTOOL|AM_PROG_LIBTOOL|AC_PROG_LIBTOOL|LTDL)/.test(macro)) return "libtool and libltdl-dev";
  if (/^PKG_/.test(macro)) return "pkg-config";
  if (/^(AM_GNU_GETTEXT|AM_ICONV|AM_NLS|GETTEXT)/.test(macro)) return "gettext and autopoint";
  return "`apt-file search` finds its .m4 file";
}

/** Guessed from the header's name: zlib.h is z's, ncurses.h is ncurses's. */
function libraryOfHeader(header: string): string {
  const known: { readonly [name: string]: string } = {
    "zlib.h": "z",
    "bzlib.h": "bz2",
    "lzma.h": "lzma",
    "curses.h": "ncurses",
  };
  const [first] = header.split("/");
  return known[header] ?? first.replace(/\.h$/, "").replace(/^lib/, "");
}
