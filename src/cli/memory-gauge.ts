// How much memory the process uses. Asking the kernel takes longer than exploring a path, so the answer is kept for a while.

const INTERVAL_MS = 20;

export function memoryGauge(): () => number {
  let nextMs = 0;
  let bytes = 0;
  return () => {
    const now = performance.now();
    if (now >= nextMs) {
      bytes = process.memoryUsage.rss();
      nextMs = now + INTERVAL_MS;
    }
    return bytes;
  };
}
