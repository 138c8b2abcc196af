// Which functions are general helpers: those in which a mistake of many callers shows (xmalloc, a quoting function, a wrapper of memcpy). A bug
// that shows in a helper is its caller's, as far as one can tell, so identities and groups look through them.
//
// Those are the ones that many functions of the program call (program/often-called.ts). Besides, names of libc and their usual wrappers are
// helpers wherever they are.

import type { ProgramImage } from "../jit/image.js";
import { functionKey } from "../support/function-key.js";
import type { SourceFrame } from "../vm/stack-trace.js";

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

export class GeneralHelpers {
  private readonly often: ReadonlySet<string>;

  constructor(oftenCalled: ProgramImage["oftenCalled"]) {
    this.often = new Set(oftenCalled);
  }

  isHelper({ functionName, file }: Pick<SourceFrame, "functionName" | "file">): boolean {
    if (functionName === "main") return false;
    return isLibcLike(functionName) || this.often.has(functionKey(functionName, file));
  }
}
