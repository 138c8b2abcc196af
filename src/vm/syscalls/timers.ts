// Timers of POSIX (timer_create). The signal comes as one that was sent; what sigev_value says is not passed on. Timers that start a
// thread are refused.

import { ERRNO } from "../errno.js";
import type { Kernel } from "../kernel.js";
import { SIGNAL, SIGNAL_LIMIT } from "../signals.js";
import type { Timer } from "../timers.js";
import type { Call, Family } from "./call.js";
import { putWords, twoWords } from "./structures.js";
import { BILLION, clockTime } from "./time.js";

const NOTIFY = { signal: 0, none: 1 } as const;
const ABSOLUTE = 1;
/** Value, signal and kind. */
const SIGNAL_EVENT = 16;

function create(kernel: Kernel, call: Call): number {
  const { memory, timers } = kernel;
  const clock = call.i32(0);
  if (clockTime(kernel, clock) === null) return -ERRNO.EINVAL;
  const event = call.pointer(1);
  let signal: number = SIGNAL.SIGALRM;
  if (event !== 0) {
    if (memory.firstUnreadable(event, SIGNAL_EVENT) >= 0) return -ERRNO.EFAULT;
    const notify = memory.view.getInt32(event + 12, true);
    if (notify !== NOTIFY.signal && notify !== NOTIFY.none) {
      return kernel.deny("timer_create with a thread", ERRNO.ENOSYS);
    }
    signal = notify === NOTIFY.none ? 0 : memory.view.getInt32(event + 8, true);
    if (notify === NOTIFY.signal && (signal < 1 || signal > SIGNAL_LIMIT)) return -ERRNO.EINVAL;
  }
  if (memory.firstUnwritable(call.pointer(2), 4) >= 0) return -ERRNO.EFAULT;
  const id = timers.create(signal, clock);
  if (id === null) return -ERRNO.EAGAIN;
  memory.view.setInt32(call.pointer(2), id, true);
  return 0;
}

function withTimer(kernel: Kernel, call: Call, action: (timer: Timer) => number): number {
  const timer = kernel.timers.get(call.i32(0));
  return timer === null ? -ERRNO.EINVAL : action(timer);
}

function put(kernel: Kernel, timer: Timer, address: number): number {
  const words = [timer.intervalNs, timer.leftNs(kernel.clock.peek())].flatMap((nanoseconds) => [
    Math.floor(nanoseconds / BILLION),
    Math.floor(nanoseconds % BILLION),
  ]);
  return putWords(kernel.memory, address, words);
}

function set(kernel: Kernel, call: Call, timer: Timer): number {
  const interval = twoWords(kernel.memory, call.pointer(2));
  const value = twoWords(kernel.memory, call.pointer(2) + 16);
  if (interval === null || value === null) return -ERRNO.EFAULT;
  for (const [seconds, rest] of [interval, value]) {
    if (seconds < 0 || rest < 0 || rest >= BILLION) return -ERRNO.EINVAL;
  }
  if (call.pointer(3) !== 0 && put(kernel, timer, call.pointer(3)) < 0) return -ERRNO.EFAULT;
  let delay = value[0] * BILLION + value[1];
  if ((call.u32(1) & ABSOLUTE) !== 0 && delay !== 0) {
    const [seconds, rest] = clockTime(kernel, timer.clock) ?? [0, 0];
    // One of the past rings at once.
    delay = Math.max(1, delay - (seconds * BILLION + rest));
  }
  timer.set(kernel.clock.peek(), delay, interval[0] * BILLION + interval[1]);
  kernel.checkTimer();
  return 0;
}

export const TIMERS: Family = {
  222: { name: "timer_create", handler: create },
  223: { name: "timer_settime", handler: (k, c) => withTimer(k, c, (timer) => set(k, c, timer)) },
  224: { name: "timer_gettime", handler: (k, c) => withTimer(k, c, (timer) => put(k, timer, c.pointer(1))) },
  225: { name: "timer_getoverrun", handler: (k, c) => withTimer(k, c, () => 0) },
  226: { name: "timer_delete", handler: (k, c) => (k.timers.remove(c.i32(0)) ? 0 : -ERRNO.EINVAL) },
};
