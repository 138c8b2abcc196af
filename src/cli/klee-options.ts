// KLEE's options, for people who come with a command line of theirs: each one is what ours says by another word, or is needless here,
// which is told in a note, or changes what comes out and cannot be had, which refuses the command with what to use instead.
// Invariant: none is dropped without a word but those that are KLEE's own default here too (`--check-overshift=false`).

import type { OptionSpecs, TranslatedWords } from "./command.js";
import { optionNamed, valueCount } from "./option-names.js";

/** What becomes of an option with this value; null: it had none (`--optimize`). */
type Answer =
  | { readonly words: readonly string[]; readonly note?: string }
  | { readonly note: string }
  | { readonly refusal: string };

interface KleeOption {
  /** A flag's value stands behind `=` only, as LLVM has it. */
  readonly isFlag: boolean;
  readonly answer: (value: string) => Answer;
}

const isFalse = (value: string): boolean => /^(false|0)$/i.test(value);
const valued = (answer: (value: string) => Answer): KleeOption => ({ isFlag: false, answer });
const flag = (answer: (isOn: boolean) => Answer): KleeOption => ({ isFlag: true, answer: (v) => answer(!isFalse(v)) });
/** Whatever its value is. */
const needlessFlag = (why: string): KleeOption => ({ isFlag: true, answer: () => ({ note: why }) });
const needless = (why: string): KleeOption => valued(() => ({ note: why }));
const refused = (instead: string): KleeOption => valued(() => ({ refusal: instead }));
const refusedFlag = (instead: string): KleeOption => flag((isOn) => (isOn ? { refusal: instead } : { words: [] }));
/** KLEE's 0 is no limit, which ours say by their absence; `otherwise`: what holds then. */
const limit = (name: string, otherwise: string): KleeOption =>
  valued((value) => (/^0(s|min|h)?$/.test(value) ? { words: [], note: otherwise } : { words: [`--${name}`, value] }));

const SEARCHERS: { readonly [klee: string]: string } = {
  "random-state": "random",
  "nurs:covnew": "covnew",
  "nurs:md2u": "covnew",
  "nurs:depth": "depth-biased",
};
/** Of --exit-on-error-type: those that are one kind here. */
const ERROR_TYPES: { readonly [klee: string]: string } = {
  abort: "abort",
  assert: "assertion-failure",
  free: "invalid-free",
  readonly: "read-only-write",
};

const SOLVER = "it is about KLEE's solver chain; Tangent's is another one (docs/solver.md)";
const ALLOCATOR =
  "it is about KLEE's allocator; here addresses are the same in every run, and freed blocks stay recognisable";
const STATISTICS = "numbers are in statistics.json, coverage.csv and coverage.lcov, always";
const NO_EXTERNAL =
  "nothing is called outside: libc is code of the program, and a path ends at a function that is defined nowhere (testN.external.err)";
const PASSES = "no pass is run that would remove a branch or an access, and none has to be asked for";
const WARNINGS = "warnings are told on the terminal";
const FORMULAS = "write a question to the solver with --log-queries DIR (SMT-LIB); none is written for a test";
const NO_MERGE = "small branches are one path by themselves; --join-branches no has all of them apart";
const BATCHING = "a path is explored by running it, so there is nothing to batch";
const BY_PATHS =
  "the number of forks and instructions is not limited; use --max-paths N, --max-time TIME or --max-instructions-per-path N";
const REPLAY = "use tangent replay FILE.ktest, or --seed FILE.ktest to explore from it";

const OPTIONS: { readonly [name: string]: KleeOption } = {
  "output-dir": valued((value) => ({ words: ["--output", value] })),
  "exit-on-error": flag((isOn) => ({ words: isOn ? ["--stop-at-first"] : [] })),
  "exit-on-error-type": valued((value) => {
    const kind = ERROR_TYPES[value.toLowerCase()];
    if (kind !== undefined) return { words: [`--stop-at-first=${kind}`] };
    return { refusal: `${value} is no one kind here; use --stop-at-first, or --stop-at-first=KIND (docs/findings.md)` };
  }),
  "max-time": limit("max-time", "no limit"),
  "max-memory": limit("max-memory", "the limit is then 2000 MB"),
  "max-depth": limit("max-depth", "no limit"),
  "max-solver-time": limit("max-solver-time", "the limit is then 10 s"),
  "max-core-solver-time": limit("max-solver-time", "the limit is then 10 s"),
  "max-instruction-time": refused("use --max-path-time TIME or --max-solver-time TIME"),
  "max-tests": refused("use --max-paths N"),
  "max-forks": refused(BY_PATHS),
  "max-instructions": refused(BY_PATHS),
  "max-stack-frames": needless("the stack has its size, and using it up is a finding"),
  "max-memory-inhibit": needlessFlag("pending paths are dropped when memory ends, as --max-memory says"),
  "max-sym-array-size": refused("use --store-cells N"),
  search: valued((value) => {
    const ours = SEARCHERS[value] ?? value;
    if (/^nurs:/.test(ours))
      return { refusal: `${value} is not there; use covnew, depth-biased, random or random-path` };
    const note =
      value === "nurs:md2u" ? { note: "nurs:md2u is covnew here, which weighs the distance to uncovered code" } : {};
    return { words: ["--search", ours], ...note };
  }),
  "solver-backend": valued((value) => {
    if (value === "z3" || value === "bitwuzla" || value === "cvc5") return { words: ["--solver", value] };
    return { note: "questions are answered by Tangent's own solver; --solver z3, bitwuzla or cvc5 takes another" };
  }),
  "check-overshift": flag((isOn) => ({ words: isOn ? ["--ubsan", "shift"] : [] })),
  "check-div-zero": flag((isOn) =>
    isOn ? { words: [] } : { refusal: "divisions are always looked at; --checks off looks for no errors at all" },
  ),
  "only-output-states-covering-new": flag((isOn) => ({ words: isOn ? ["--only-new-tests"] : [] })),
  "emit-all-errors": flag((isOn) =>
    isOn ? { note: "an error is told once per finding; tests.csv says of each path how it ended" } : { words: [] },
  ),
  "seed-file": valued((value) => ({ words: ["--seed", value] })),
  "seed-dir": valued((value) => ({ words: ["--seed", value] })),
  "allow-seed-extension": needlessFlag("a shorter seed is filled with zeros"),
  "allow-seed-truncation": needlessFlag("a longer seed is cut, unless sizes are those of the seeds"),
  "named-seed-matching": needlessFlag("objects of a .ktest are always found by name"),
  "zero-seed-extension": needlessFlag("a shorter seed is filled with zeros"),
  "only-replay-seeds": refusedFlag(REPLAY),
  "only-seed": refusedFlag(REPLAY),
  "seed-time": refused("seeds are run first, each to its end"),
  "replay-ktest-file": refused(REPLAY),
  "replay-ktest-dir": refused(REPLAY),
  "replay-path": refused(REPLAY),
  "entry-point": refused("write a main that calls the function, or explore it alone: tangent unit FUNCTION"),
  "link-llvm-lib": refused("link it into the program with tangent cc, and explore that"),
  "function-alias": refused("rename the function with -X -DOLD=NEW, or link the other one with tangent cc"),
  "env-file": refused("the program has the command's environment: env -i NAME=VALUE tangent explore ..."),
  "run-in-dir": refused("change to the folder first"),
  "make-concrete-symbolic": refused("make symbolic in the program what is to be"),
  "external-calls": needless(NO_EXTERNAL),
  "external-call-warnings": needless(NO_EXTERNAL),
  "warn-all-external-symbols": needlessFlag(NO_EXTERNAL),
  "posix-runtime": needlessFlag("files, arguments and the system are always modelled"),
  "readable-posix-inputs": needlessFlag("bytes stay near those of the parent's input; nothing else is preferred"),
  libc: needless("libc is always part of the program, as code (musl's)"),
  libcxx: needlessFlag("libc++ is not part of it; what is called of it and is not there ends the path"),
  optimize: needlessFlag(PASSES),
  "switch-type": needless("each case of a switch that leads elsewhere is a path"),
  watchdog: needlessFlag("one is always there"),
  "single-object-resolution": needlessFlag("a pointer that may be in several objects is a path for each"),
  "silent-klee-assume": flag((isOn) => ({ words: isOn ? ["--silent-assume"] : [] })),
  "dump-states-on-halt": needlessFlag(
    "what is pending is kept for --resume; a test is written of each path that was run",
  ),
  "rng-initial-seed": valued((value) => ({ words: ["--random-seed", value] })),
  "return-null-on-zero-malloc": refusedFlag("malloc(0) gives a block of no bytes, as natively"),
  "use-query-log": refused("use --log-queries DIR"),
  "write-kqueries": needlessFlag(FORMULAS),
  "write-cvcs": needlessFlag(FORMULAS),
  "write-smt2s": needlessFlag(FORMULAS),
  "write-cov": needlessFlag("coverage of all tests together is in coverage.lcov"),
  "write-test-info": needlessFlag("tests.csv says how each test ended, and what it took"),
  "write-paths": needlessFlag("there are no .path files; a test's input is its path (tangent replay)"),
  "write-sym-paths": needlessFlag("there are no .path files; a test's input is its path (tangent replay)"),
  "write-exec-tree": needlessFlag("the execution tree is kept for --resume only"),
  "write-xml-tests": needlessFlag("they are always written, to test-suite/"),
  "write-ktests": flag((isOn) =>
    isOn ? { words: [] } : { note: "tests are always written; --only-new-tests writes the fewest" },
  ),
  "write-no-tests": needlessFlag("tests are always written; --only-new-tests writes the fewest"),
};

/** By how the name begins: what only KLEE's own machinery has. */
const FAMILIES: readonly (readonly [begin: RegExp, option: KleeOption])[] = [
  [/^(use-batching-search|use-iterative-deepening|batch-)/, needlessFlag(BATCHING)],
  [/^(use-merge|use-incomplete-merge)/, needlessFlag(NO_MERGE)],
  [/^(simplify-sym-indices|rewrite-equalities|equality-substitution|solver-optimize)/, needlessFlag(SOLVER)],
  [/^(use-|cex-cache-|optimize-array|const-array-opt|array-value-|stp-|metasmt-|ignore-solver)/, needlessFlag(SOLVER)],
  [/^(kdalloc|allocate-determ)/, needlessFlag(ALLOCATOR)],
  [/^(output-|stats-|istats-|track-instruction-time|uncovered-update)/, needlessFlag(STATISTICS)],
  [/^(warnings-only|xml-metadata|compress-|log-|min-query-time)/, needlessFlag(WARNINGS)],
  [/^(disable-|strip-|verify-each|klee-call-opt|runtime-build|ubsan-runtime)/, needlessFlag(PASSES)],
  [/^(max-static-)/, refusedFlag("no branch has a share of the forks that it may not exceed; leave it out")],
  [/^debug-/, refusedFlag("there is no such output; tangent ir PROG shows the code, --log-queries DIR the questions")],
];

function kleeOption(specs: OptionSpecs, name: string): KleeOption | undefined {
  if (Object.hasOwn(OPTIONS, name)) return OPTIONS[name];
  if (optionNamed(specs, `--${name}`) !== undefined) return undefined;
  return FAMILIES.find(([begin]) => begin.test(name))?.[1];
}

/** The words up to the program with KLEE's options in ours; `specs` are those that need no translation. */
export function withoutKleeOptions(specs: OptionSpecs, args: readonly string[]): TranslatedWords {
  const words: string[] = [];
  const searchers: string[] = [];
  const notes: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const argument = args[at];
    const parts = /^--?([a-z][a-z0-9-]+)(?:=(.*))?$/s.exec(argument);
    const option = parts === null ? undefined : kleeOption(specs, parts[1]);
    if (parts === null || option === undefined) {
      if (!argument.startsWith("-") || argument === "-" || argument === "--") break;
      const ours = specs[optionNamed(specs, argument) ?? ""];
      const values = ours === undefined ? 0 : valueCount(ours);
      words.push(...args.slice(at, at + 1 + values));
      at += values;
      continue;
    }
    const value = parts[2] ?? (option.isFlag ? "" : args[++at]);
    // Nothing is left to be its value: the parser says so.
    if (value === undefined) return { kind: "words", words: [...words, argument], notes };
    const answer = option.answer(value);
    if ("refusal" in answer) return { kind: "wrong", problem: `${argument} is KLEE's: ${answer.refusal}` };
    if (answer.note !== undefined) notes.push(`${argument}: ${answer.note}`);
    if (!("words" in answer)) continue;
    if (parts[1] === "search") searchers.push(answer.words[1]);
    else words.push(...answer.words);
  }
  // Given several times, they take turns.
  if (searchers.length > 0) words.push("--search", searchers.join(","));
  return { kind: "words", words: [...words, ...args.slice(at)], notes };
}
