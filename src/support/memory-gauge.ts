// How much memory the process uses. Asking the kernel takes longer than exploring a path, so the answer is kept for a while.
//
// V8 collects its garbage when it likes, and large arrays that nobody needs any more stay until then. Whoever is about to give up
// something for want of memory asks for a collection first.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const INTERVAL_MS = 20;
/** A collection takes tens of milliseconds. */
const COLLECTION_INTERVAL_MS = 500;

export function memoryGauge(): (collectFirst?: boolean) => number {
  let nextMs = 0;
  let nextCollectionMs = 0;
  let bytes = 0;
  return (collectFirst = false) => {
    const now = performance.now();
    const collects = collectFirst && now >= nextCollectionMs;
    if (collects) {
      collectGarbage();
      nextCollectionMs = performance.now() + COLLECTION_INTERVAL_MS;
    }
    if (collects || now >= nextMs) {
      bytes = process.memoryUsage.rss();
      nextMs = now + INTERVAL_MS;
    }
    return bytes;
  };
}

/** Node shows it only on request, and to contexts made after that. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
