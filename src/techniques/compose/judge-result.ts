// What a journal or a cache kept of an item, judged before it is believed: anybody may have written it.

import type { ComposeItemResult } from "./compose-work.js";

/** Null if it makes no sense. */
export function judgedResult(_memory: unknown): ComposeItemResult | null {
  return null;
}
