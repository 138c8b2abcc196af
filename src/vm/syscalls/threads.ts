// What the guest's threads tell the host: system calls that Linux has not got (runtime/include/tangent/machine.h).

import type { Kernel } from "../kernel.js";
import type { Call, Family } from "./call.js";

const WAITS = { forAnother: 0, forATime: 1, noMore: 2, signalsAnother: 3 } as const;

function waits(kernel: Kernel, call: Call): number {
  switch (call.u32(0)) {
    case WAITS.forAnother:
      kernel.threads.wait(kernel.memory, false);
      break;
    case WAITS.forATime:
      kernel.threads.wait(kernel.memory, true);
      break;
    case WAITS.noMore:
      kernel.deny("the start of a thread that nobody waited for");
      break;
    case WAITS.signalsAnother:
      kernel.threads.signalsAnother();
  }
  return 0;
}

export const THREADS: Family = {
  7000: {
    name: "threads",
    handler: (k, c) => {
      k.unfollowed("thread-order");
      k.threads.changed(c.i32(0), c.pointer(1), c.u32(2), c.pointer(3));
      return 0;
    },
  },
  7001: { name: "thread_waits", handler: waits },
};
