// Generated files of autotools that are older than what they are generated from: a patched Makefile.am, a checkout whose times mean
// nothing. make would then call the very automake that made them, which few machines have. So they are made anew by the tools that are
// there; without any, they are declared to be up to date.

import { statSync } from "node:fs";
import { join } from "node:path";
import { filesNamed } from "./makefiles.js";

export function isStale(directory: string, configureAc: string): boolean {
  // The project has switched such rules off.
  if (/^\s*AM_MAINTAINER_MODE\s*(\(\s*\[?disable\]?\s*\))?\s*$/m.test(configureAc)) return false;
  const time = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  const isOlder = (made: string, from: string): boolean => {
    const [madeAt, fromAt] = [time(made), time(from)];
    return madeAt !== null && fromAt !== null && madeAt < fromAt;
  };
  const top = (name: string): string => join(directory, name);
  const isConfigureOld = ["configure", "aclocal.m4"].some((made) =>
    ["configure.ac", "configure.in"].some((from) => isOlder(top(made), top(from))),
  );
  return (
    isConfigureOld || filesNamed(directory, ["Makefile.am"]).some((path) => isOlder(path.replace(/am$/, "in"), path))
  );
}

/** Each kind after those it is made from. */
const KINDS = ["aclocal.m4", "config*.h.in", "configure", "Makefile.in"];

/** What the build begins with, where nothing was configured yet. */
export function renewal(hasTools: boolean): string {
  const touched = KINDS.map((name) => `find . -name '${name}' -exec touch {} +`).join(" && ");
  return hasTools ? "(test -f config.status || autoreconf -fi)" : `(test -f config.status || (${touched}))`;
}
