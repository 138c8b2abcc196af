// The time since the command was given: what a limit of time is compared with, in whichever thread. A thread's own clock
// (performance.now()) begins when the thread does.

export function commandMs(): number {
  return process.uptime() * 1000;
}
