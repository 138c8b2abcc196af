// Generated files of autotools that are older than what they are generated from: a patched Makefile.am, a checkout whose times mean
// nothing. make would then call the very automake that made them, which few machines have. So they are made anew by the tools that are
// there; without any, or if these cannot any more (a project of 2003 lacks files that automake wants now), they are declared to be up to
// date. So they are at once where `configure` itself is not older: whoever patched what it is made from has patched it too.

import { statSync } from "node:fs";
import { join } from "node:path";
import { filesNamed } from "./makefiles.js";

/** `times`: only the times of the files are wrong, as far as one can tell. */
export type Staleness = "none" | "times" | "sources";

export function stalenessOf(directory: string, configureAc: string): Staleness {
  // The project has switched such rules off.
  if (/^\s*AM_MAINTAINER_MODE\s*(\(\s*\[?disable\]?\s*\))?\s*$/m.test(configureAc)) return "none";
  const time = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  const isOlder = (made: string, from: string): boolean => {
    const [madeAt, fromAt] = [time(made), time(from)];
    return madeAt !== null && fromAt !== null && madeAt < fromAt;
  };
  const top = (name: string): string => join(directory, name);
  const isOlderThanInput = (made: string): boolean =>
    ["configure.ac", "configure.in"].some((from) => isOlder(top(made), top(from)));
  const hasOldMakefile = filesNamed(directory, ["Makefile.am"]).some((path) =>
    isOlder(path.replace(/am$/, "in"), path),
  );
  if (isOlderThanInput("configure") || hasOldMakefile) return "sources";
  return isOlderThanInput("aclocal.m4") ? "times" : "none";
}

/** Each kind after those it is made from. */
const KINDS = ["aclocal.m4", "config*.h.in", "configure", "Makefile.in"];

/** What the build begins with, where nothing was configured yet. */
export function renewal(staleness: Exclude<Staleness, "none">, hasTools: boolean): string {
  const touched = `(${KINDS.map((name) => `find . -name '${name}' -exec touch {} +`).join(" && ")})`;
  return staleness === "sources" && hasTools
    ? `(test -f config.status || autoreconf -fi || ${touched})`
    : `(test -f config.status || ${touched})`;
}
