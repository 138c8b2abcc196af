// Time: all of it virtual. Sleeping moves the clock and returns at once; the real-time timer fires when the clock has
// passed it, while the program sleeps, waits or computes.

import { ERRNO } from "../errno.js";
import type { Kernel } from "../kernel.js";
import type { Call, Family } from "./call.js";
import { putWords, twoWords } from "./structures.js";

export const BILLION = 1_000_000_000;
const CLOCK = { realtime: 0, monotonic: 1, process: 2, thread: 3, realtimeCoarse: 5, tai: 11 } as const;
const LAST_CLOCK = 11;
const ABSOLUTE = 1;
const REAL_TIMER = 0;

/** Null: there is no such clock. */
export function clockTime(kernel: Kernel, clock: number): readonly [number, number] | null {
  if (clock === CLOCK.realtime || clock === CLOCK.realtimeCoarse || clock === CLOCK.tai) {
    const { seconds, nanoseconds } = kernel.clock.now();
    return [seconds, nanoseconds];
  }
  // Negative numbers are the CPU-time clocks of processes and threads.
  if (clock > LAST_CLOCK) return null;
  // Since boot: a machine that has been up for a while, so that differences with earlier moments stay positive.
  const offset = clock === CLOCK.process || clock === CLOCK.thread || clock < 0 ? 0 : 100_000;
  const elapsed = kernel.clock.elapsed();
  return [offset + Math.floor(elapsed / BILLION), elapsed % BILLION];
}

function sleep(kernel: Kernel, request: readonly [number, number] | null, remainder: number, past: number): number {
  if (request === null) return -ERRNO.EFAULT;
  const [seconds, nanoseconds] = request;
  if (seconds < 0 || nanoseconds < 0 || nanoseconds >= BILLION) return -ERRNO.EINVAL;
  const left = kernel.sleep(Math.max(0, seconds * BILLION + nanoseconds - past));
  if (left < 0) return 0;
  if (remainder !== 0 && kernel.pointers.mayWrite(remainder, 16))
    putWords(kernel.memory, remainder, [Math.floor(left / BILLION), left % BILLION]);
  return -ERRNO.EINTR;
}

function clockSleep(kernel: Kernel, call: Call): number {
  const request = twoWords(kernel.memory, call.pointer(2));
  if ((call.u32(1) & ABSOLUTE) === 0) return sleep(kernel, request, call.pointer(3), 0);
  const now = clockTime(kernel, call.i32(0));
  if (now === null) return -ERRNO.EINVAL;
  return sleep(kernel, request, 0, now[0] * BILLION + now[1]);
}

/** What is left of the real-time timer, in nanoseconds; 0 if it is not set. */
function timerLeft(kernel: Kernel): number {
  return kernel.timers.alarm.leftNs(kernel.clock.peek());
}

function setTimer(kernel: Kernel, nanoseconds: number, interval: number): void {
  kernel.timers.alarm.set(kernel.clock.peek(), nanoseconds, interval);
}

function putTimer(kernel: Kernel, address: number): number {
  const words: number[] = [];
  for (const nanoseconds of [kernel.timers.alarm.intervalNs, timerLeft(kernel)]) {
    words.push(Math.floor(nanoseconds / BILLION), Math.floor((nanoseconds % BILLION) / 1000));
  }
  return putWords(kernel.memory, address, words);
}

export const TIME: Family = {
  35: { name: "nanosleep", handler: (k, c) => sleep(k, twoWords(k.memory, c.pointer(0)), c.pointer(1), 0) },
  230: { name: "clock_nanosleep", handler: clockSleep },
  96: {
    name: "gettimeofday",
    handler: (k, c) => {
      const { seconds, nanoseconds } = k.clock.now();
      if (c.pointer(1) !== 0 && putWords(k.memory, c.pointer(1), [0]) < 0) return -ERRNO.EFAULT;
      return c.pointer(0) === 0 ? 0 : putWords(k.memory, c.pointer(0), [seconds, Math.floor(nanoseconds / 1000)]);
    },
  },
  201: {
    name: "time",
    handler: (k, c) => {
      const { seconds } = k.clock.now();
      if (c.pointer(0) !== 0 && putWords(k.memory, c.pointer(0), [seconds]) < 0) return -ERRNO.EFAULT;
      return seconds;
    },
  },
  228: {
    name: "clock_gettime",
    handler: (k, c) => {
      const time = clockTime(k, c.i32(0));
      return time === null ? -ERRNO.EINVAL : putWords(k.memory, c.pointer(1), time);
    },
  },
  229: {
    name: "clock_getres",
    handler: (k, c) => {
      if (c.i32(0) > LAST_CLOCK) return -ERRNO.EINVAL;
      return c.pointer(1) === 0 ? 0 : putWords(k.memory, c.pointer(1), [0, 1]);
    },
  },
  227: { name: "clock_settime", handler: (k) => k.deny("clock_settime") },
  164: { name: "settimeofday", handler: (k) => k.deny("settimeofday") },
  37: {
    name: "alarm",
    handler: (k, c) => {
      const left = Math.ceil(timerLeft(k) / BILLION);
      setTimer(k, c.u32(0) * BILLION, 0);
      return left;
    },
  },
  36: { name: "getitimer", handler: (k, c) => putTimer(k, c.pointer(1)) },
  38: {
    name: "setitimer",
    handler: (k, c) => {
      const interval = twoWords(k.memory, c.pointer(1));
      const value = twoWords(k.memory, c.pointer(1) + 16);
      if (interval === null || value === null) return -ERRNO.EFAULT;
      if (c.pointer(2) !== 0 && putTimer(k, c.pointer(2)) < 0) return -ERRNO.EFAULT;
      if (c.u32(0) !== REAL_TIMER) return k.deny("setitimer of a CPU timer", ERRNO.EINVAL);
      setTimer(k, value[0] * BILLION + value[1] * 1000, interval[0] * BILLION + interval[1] * 1000);
      return 0;
    },
  },
  100: {
    name: "times",
    handler: (k, c) => {
      const ticks = Math.floor(k.clock.elapsed() / 10_000_000);
      if (c.pointer(0) !== 0 && putWords(k.memory, c.pointer(0), [ticks, 0, 0, 0]) < 0) return -ERRNO.EFAULT;
      return ticks + 10_000_000;
    },
  },
};
