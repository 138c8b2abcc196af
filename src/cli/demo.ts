// `tangent demo`: the bundled example, run as a user would run a program of theirs. `npm start` calls it.

import { fileURLToPath } from "node:url";
import { defineCommand } from "./command.js";
import { FINDING_STATUS, command as run } from "./run.js";

const EXAMPLE = fileURLToPath(new URL("../../../examples/inventory.c", import.meta.url));

export const command = defineCommand({
  name: "demo",
  summary: "Run a bundled C program that has a memory error, and show the report",
  options: {},
  operands: {},
  async run(_options, _operands, context) {
    context.out(`tangent run ${EXAMPLE}\n\n`);
    const status = await run.start([EXAMPLE], context);
    if (status !== FINDING_STATUS) {
      context.error(`\ntangent demo: the example should have ended with a finding, but its status was ${status}\n`);
      return status === 0 ? 1 : status;
    }
    context.out(
      "\nThat was it: an error no test of the example would notice. Now try `tangent run` on a program of yours.\n",
    );
    return 0;
  },
});
