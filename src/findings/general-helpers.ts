// Which functions are general helpers: those in which a mistake of many callers shows (xmalloc, a quoting function, a wrapper of
// memcpy). A bug that shows in a helper is its caller's, as far as one can tell, so grouping looks through them.
//
// The rule is computed from the program, not from a list of projects: a function is a helper if it is called from at least
// MANY_CALL_SITES places outside of its own source file, directly or through functions of its file (a quoting function is one worker
// behind a dozen entries, each of which has few callers). Within one file it takes as many calling functions, because
// a program that is one file has nothing outside. Besides, names of libc and their usual wrappers are helpers wherever they are.

import type { ProgramImage } from "../jit/image.js";
import type { SourceFrame } from "../vm/stack-trace.js";

/** Measured; see docs/findings.md. */
export const MANY_CALL_SITES = 8;

/** As libc names them, with the prefixes that wrappers have: xmalloc, xnrealloc, rpl_strdup, safe_memcpy, ck_free. */
const LIBC_LIKE = new RegExp(
  "^(_+|x+[2nizcp]*_?|rpl_|ck_|safe_|checked_|my_|g_|z|e)?" +
    "(malloc|calloc|realloc|reallocarray|alloc|palloc|zalloc|free|memdup0?|strndup|strdup|asprintf|vasprintf|" +
    "r?mem(cpy|pcpy|move|set|chr|rchr|cmp|mem)|rawmemchr|" +
    "str(n?len|n?cpy|n?cat|n?cmp|n?casecmp|chr|rchr|chrnul|str|tok|tok_r|l(cpy|cat)|pcpy|p?brk|c?spn))$",
);

interface Called {
  readonly file: string | null;
  /** Calls from other files. */
  outside: number;
  /** Functions of the same file that call it. */
  readonly inside: Set<string>;
}

export class GeneralHelpers {
  private readonly functions = new Map<string, Called>();

  constructor(image: Pick<ProgramImage, "functions" | "coverage" | "locations">) {
    const { functions, coverage, locations } = image;
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
    if (LIBC_LIKE.test(functionName)) return true;
    return this.callSites(keyOf(functionName, file)) >= MANY_CALL_SITES;
  }

  /** Calls from other files that lead here, through functions of the own file or not; at least the functions that call it. */
  private callSites(key: string): number {
    const start = this.functions.get(key);
    if (start === undefined) return 0;
    let sites = 0;
    const met = new Set([key]);
    const waiting = [start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      sites += at.outside;
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
