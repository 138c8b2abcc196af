// Which functions are general helpers: those in which a mistake of many callers shows (xmalloc, a quoting function, a wrapper of
// memcpy). A bug that shows in a helper is its caller's, as far as one can tell, so grouping looks through them.
//
// The rule is computed from the program, not from a list of projects: a function is a helper if it is called from many places outside of
// its own source file, or does the work of a function of its file that is (a quoting function is one worker behind a dozen
// entries). Within one file it takes as many calling functions, because a program that is one file has nothing outside. "Many" grows
// with the program: what is called from twenty places is general in a small tool and a module of its own in a large one. Besides,
// names of libc and their usual wrappers are helpers wherever they are.
//
// Calls from a test program's own code do not count: a library's tests call each of its functions many times.
//
// A mistake in this rule costs little on one side and much on the other: looking through too much shows one bug once for each caller,
// looking through too little takes the bugs of several callers for one. So the threshold is rather low.

import type { ProgramImage } from "../jit/image.js";
import type { SourceFrame } from "../vm/stack-trace.js";

/** One call for so many functions of the program, and at least so many calls; measured, see docs/findings.md. */
const FUNCTIONS_A_CALL = 20;
export const LEAST_CALLS = 6;

/** As libc names them, with the prefixes that wrappers have: xmalloc, xnrealloc, rpl_strdup, safe_memcpy, ck_free. */
const LIBC_LIKE = new RegExp(
  "^(_+|x+[2nizcp]*_?|rpl_|ck_|safe_|checked_|my_|g_|z|e)?" +
    "(malloc|calloc|realloc|reallocarray|alloc|palloc|zalloc|free|memdup0?|strndup|strdup|asprintf|vasprintf|" +
    "r?mem(cpy|pcpy|move|set|chr|rchr|cmp|mem)|rawmemchr|" +
    "str(n?len|n?cpy|n?cat|n?cmp|n?casecmp|chr|rchr|chrnul|str|tok|tok_r|l(cpy|cat)|pcpy|p?brk|c?spn))$",
);

/** Whether it is a memory or string function of libc, or a wrapper of one, by its name. */
export function isLibcLike(functionName: string): boolean {
  return LIBC_LIKE.test(functionName);
}

interface Called {
  readonly file: string | null;
  /** Calls from other files. */
  outside: number;
  /** Functions of the same file that call it. */
  readonly inside: Set<string>;
}

export class GeneralHelpers {
  private readonly functions = new Map<string, Called>();
  private readonly testFiles: ReadonlySet<string>;
  /** Calls that make a function a general one. */
  readonly many: number;

  constructor(image: Pick<ProgramImage, "functions" | "coverage" | "locations" | "tests">) {
    const { functions, coverage, locations, tests } = image;
    this.testFiles = new Set(tests?.named === "surely" ? tests.files : []);
    const own = functions.filter(({ origin }) => origin === "program").length;
    this.many = Math.max(LEAST_CALLS, Math.floor(own / FUNCTIONS_A_CALL));
    for (const { functionIndex, calls } of coverage) {
      const caller = functions[functionIndex];
      for (const index of calls) {
        const callee = functions[index];
        if (caller !== undefined && callee !== undefined) this.add(callee, caller);
      }
    }
    // Calls that were inlined are no calls any more; every location inside of one knows where it was.
    const met = new Set<string>();
    for (const { functionName: name, file, inlinedAt } of locations) {
      if (inlinedAt < 0 || met.has(`${inlinedAt} ${name}`)) continue;
      met.add(`${inlinedAt} ${name}`);
      const at = locations[inlinedAt];
      this.add({ name, file }, { name: at.functionName, file: at.file });
    }
  }

  isHelper({ functionName, file }: Pick<SourceFrame, "functionName" | "file">): boolean {
    if (functionName === "main") return false;
    if (isLibcLike(functionName)) return true;
    return this.callSites(keyOf(functionName, file)) >= this.many;
  }

  /** Calls from other files, of it or of that function of its file which leads here and has the most; or its callers, if they are more. */
  callSites(key: string): number {
    const start = this.functions.get(key);
    if (start === undefined) return 0;
    let sites = 0;
    const met = new Set([key]);
    const waiting = [start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      sites = Math.max(sites, at.outside);
      for (const caller of at.inside) {
        const called = this.functions.get(caller);
        if (met.has(caller) || called === undefined) continue;
        met.add(caller);
        waiting.push(called);
      }
    }
    return Math.max(sites, start.inside.size);
  }

  private add(callee: Place, caller: Place): void {
    if (this.testFiles.has(caller.file ?? "") && !this.testFiles.has(callee.file ?? "")) return;
    const key = keyOf(callee.name, callee.file);
    let called = this.functions.get(key);
    if (called === undefined) {
      called = { file: callee.file, outside: 0, inside: new Set() };
      this.functions.set(key, called);
    }
    if (caller.file !== callee.file) called.outside++;
    else if (caller.name !== callee.name) called.inside.add(keyOf(caller.name, caller.file));
  }
}

interface Place {
  readonly name: string;
  readonly file: string | null;
}

function keyOf(name: string, file: string | null): string {
  return `${file ?? ""}\n${name}`;
}
