// Preloaded (`node --import`) into a process whose limits of time are to be processor time: on a machine that has other work, a minute by
// the clock is another amount of work each time. Timers that guard against hanging go by the real clock, so they are given more of it.

const SLOWEST = 20;
const setTimeoutOfNode = globalThis.setTimeout;

const nowOfNode = performance.now.bind(performance);
/** The clock is looked at some 200,000 times a second, and asking the system each time took a third of the processor. */
const KEPT_MS = 0.2;
let askedMs = Number.NEGATIVE_INFINITY;
let processorMs = 0;

performance.now = () => {
  const realMs = nowOfNode();
  if (realMs - askedMs < KEPT_MS) return processorMs;
  askedMs = realMs;
  const { user, system } = process.cpuUsage();
  processorMs = (user + system) / 1000;
  return processorMs;
};
globalThis.setTimeout = ((callback: () => void, milliseconds?: number) =>
  setTimeoutOfNode(callback, SLOWEST * (milliseconds ?? 0))) as typeof setTimeout;
