// Running a signal handler: as the kernel does, with the mask changed for its duration and, if it wants them, siginfo
// and context on the guest's stack. A handler may leave by longjmp; then the exception passes through here, and the
// frame that catches it restores the stack itself.

import type { GuestCalls } from "./guest-calls.js";
import type { Kernel } from "./kernel.js";
import { RunStop } from "./run-end.js";
import { ACTION_FLAG, functionIndex, HANDLER, SIGNAL, type SignalAction } from "./signals.js";

const SIGINFO_SIZE = 128;
const CONTEXT_SIZE = 968;
/** Both, with unaddressable memory around each. */
const SIGNAL_FRAME = 1280;

export interface GuestStack {
  value: number;
}

/** Delivers a signal now, or keeps it pending if it is blocked. */
export function deliver(kernel: Kernel, calls: GuestCalls, stack: GuestStack, signal: number): void {
  const { signals } = kernel;
  if (signals.isBlocked(signal)) {
    signals.setPending(signal, true);
    return;
  }
  signals.setPending(signal, false);
  const delivery = signals.delivery(signal);
  if (delivery.kind === "nothing") return;
  if (delivery.kind === "terminate") {
    if (signal === SIGNAL.SIGABRT) kernel.fault("abort", 0, 0);
    throw new RunStop({ kind: "signal", signal });
  }
  runHandler(kernel, calls, stack, signal, delivery.action);
}

/** Delivers everything that is pending and no longer blocked. */
export function deliverPending(kernel: Kernel, calls: GuestCalls, stack: GuestStack): void {
  for (let signal = kernel.signals.nextPending(); signal !== 0; signal = kernel.signals.nextPending()) {
    deliver(kernel, calls, stack, signal);
  }
}

function runHandler(kernel: Kernel, calls: GuestCalls, stack: GuestStack, signal: number, action: SignalAction): void {
  const { signals, memory } = kernel;
  const low = signals.blockedLow;
  const high = signals.blockedHigh;
  if ((action.flags & ACTION_FLAG.reset) !== 0) {
    signals.setAction(signal, { ...action, handler: HANDLER.default });
  }
  signals.blockedLow |= action.maskLow;
  signals.blockedHigh |= action.maskHigh;
  if ((action.flags & ACTION_FLAG.noDefer) === 0) {
    const bit = 1 << ((signal - 1) & 31);
    if (signal <= 32) signals.blockedLow |= bit;
    else signals.blockedHigh |= bit;
  }
  const values = [BigInt(signal)];
  const before = stack.value;
  let information = 0;
  if ((action.flags & ACTION_FLAG.signalInfo) !== 0) {
    stack.value = (before - SIGNAL_FRAME) & ~15;
    information = (stack.value >>> 0) + 64;
    const context = information + SIGINFO_SIZE + 32;
    memory.u8.fill(0, information, context + CONTEXT_SIZE);
    memory.allow(information, SIGINFO_SIZE);
    memory.allow(context, CONTEXT_SIZE);
    memory.view.setInt32(information, signal, true);
    memory.view.setInt32(information + 8, -6, true);
    memory.view.setInt32(information + 16, kernel.processId, true);
    memory.view.setInt32(information + 20, kernel.identity.user, true);
    values.push(BigInt(information), BigInt(context));
  }
  const outer = kernel.currentCall;
  kernel.currentCall = "";
  if (calls.call(functionIndex(action.handler), values, []) === null) kernel.fault("wild-call", action.handler, 0);
  // Who leaves by a jump has the mask that the jump buffer holds, or stays with the handler's.
  signals.blockedLow = low;
  signals.blockedHigh = high;
  kernel.currentCall = outer;
  if (information !== 0) {
    memory.forbid(information, SIGINFO_SIZE + 32 + CONTEXT_SIZE);
    stack.value = before;
  }
}
