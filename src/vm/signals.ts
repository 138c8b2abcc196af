// Signals of a process that only ever signals itself: dispositions, the mask, what is pending.
// A handler runs inside the system call that raised it (or at a portion of fuel, for the timer): there is no other
// moment at which something could arrive.

import { FUNCTION_BASE, FUNCTION_STRIDE } from "../jit/memory-layout.js";

export const SIGNAL = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGSTKFLT: 16,
  SIGCHLD: 17,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPWR: 30,
  SIGSYS: 31,
} as const;
export const SIGNAL_LIMIT = 64;

export const HANDLER = { default: 0, ignore: 1 } as const;
export const ACTION_FLAG = { signalInfo: 4, onStack: 0x0800_0000, noDefer: 0x4000_0000, reset: 0x8000_0000 } as const;

/** struct sigaction as the kernel has it; the mask as two halves. */
export interface SignalAction {
  readonly handler: number;
  readonly flags: number;
  readonly restorer: number;
  readonly maskLow: number;
  readonly maskHigh: number;
}

const DEFAULT_ACTION: SignalAction = { handler: HANDLER.default, flags: 0, restorer: 0, maskLow: 0, maskHigh: 0 };
/** Default action "do nothing"; stopping is nothing here too, since nobody could continue us. */
const IGNORED_BY_DEFAULT = new Set<number>([
  SIGNAL.SIGCHLD,
  SIGNAL.SIGCONT,
  SIGNAL.SIGSTOP,
  SIGNAL.SIGTSTP,
  SIGNAL.SIGTTIN,
  SIGNAL.SIGTTOU,
  SIGNAL.SIGURG,
  SIGNAL.SIGWINCH,
]);

export function signalName(signal: number): string {
  for (const [name, number] of Object.entries(SIGNAL)) if (number === signal) return name;
  return `signal ${signal}`;
}

/** What a signal that arrives now does. */
export type Delivery =
  | { readonly kind: "nothing" }
  | { readonly kind: "terminate" }
  | { readonly kind: "handler"; readonly action: SignalAction };

export class Signals {
  private readonly actions = new Map<number, SignalAction>();
  /** Blocked and pending signals, bit signal - 1. */
  blockedLow = 0;
  blockedHigh = 0;
  pendingLow = 0;
  pendingHigh = 0;
  /** As sigaltstack has it. */
  alternateStack = { address: 0, flags: 2, size: 0 };

  action(signal: number): SignalAction {
    return this.actions.get(signal) ?? DEFAULT_ACTION;
  }

  setAction(signal: number, action: SignalAction): void {
    this.actions.set(signal, action);
    if (action.handler === HANDLER.ignore) this.setPending(signal, false);
  }

  isBlocked(signal: number): boolean {
    if (signal === SIGNAL.SIGKILL || signal === SIGNAL.SIGSTOP) return false;
    return hasBit(this.blockedLow, this.blockedHigh, signal);
  }

  setPending(signal: number, pending: boolean): void {
    const bit = 1 << ((signal - 1) & 31);
    if (signal <= 32) this.pendingLow = pending ? this.pendingLow | bit : this.pendingLow & ~bit;
    else this.pendingHigh = pending ? this.pendingHigh | bit : this.pendingHigh & ~bit;
  }

  /** The lowest pending signal that is not blocked, or 0. */
  nextPending(): number {
    if ((this.pendingLow & ~this.blockedLow) === 0 && (this.pendingHigh & ~this.blockedHigh) === 0) return 0;
    for (let signal = 1; signal <= SIGNAL_LIMIT; signal++) {
      if (hasBit(this.pendingLow, this.pendingHigh, signal) && !this.isBlocked(signal)) return signal;
    }
    return 0;
  }

  delivery(signal: number): Delivery {
    const action = this.action(signal);
    if (action.handler === HANDLER.ignore) return { kind: "nothing" };
    if (action.handler !== HANDLER.default) return { kind: "handler", action };
    return IGNORED_BY_DEFAULT.has(signal) ? { kind: "nothing" } : { kind: "terminate" };
  }
}

function hasBit(low: number, high: number, signal: number): boolean {
  return (((signal <= 32 ? low : high) >>> ((signal - 1) & 31)) & 1) !== 0;
}

/** Table index of the function at an address, or -1 if it is no function's address. */
export function functionIndex(address: number): number {
  const index = (address - FUNCTION_BASE) / FUNCTION_STRIDE;
  return address >= FUNCTION_BASE && Number.isInteger(index) ? index : -1;
}
