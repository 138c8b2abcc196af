// The version of the package, from its one place. Read when asked for: most commands never do.

import { readFileSync } from "node:fs";

export function version(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
