// Preloaded (`node --import`) into a process whose limits of time are to be processor time: on a machine that has other work, a minute by
// the clock is another amount of work each time. Timers that guard against hanging go by the real clock, so they are given more of it.

const SLOWEST = 20;
const setTimeoutOfNode = globalThis.setTimeout;

performance.now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
globalThis.setTimeout = ((callback: () => void, milliseconds?: number) =>
  setTimeoutOfNode(callback, SLOWEST * (milliseconds ?? 0))) as typeof setTimeout;
