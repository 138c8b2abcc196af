// The process itself: identity, limits, the end. One process, one thread; making others is refused and counted.

import { RunStop } from "../run-end.js";
import type { Family, Handler } from "./call.js";

const exit: Handler = (_kernel, call) => {
  throw new RunStop({ kind: "exit", code: call.u32(0) & 0xff });
};

export const PROCESS: Family = {
  60: { name: "exit", handler: exit },
  231: { name: "exit_group", handler: exit },
};
