// `tangent ui`: a page in the browser that shows the project's campaign as it goes on, its findings and tests, and the campaigns before.

import { rmSync } from "node:fs";
import { findProject, writeQuickly } from "../project/project-folder.js";
import { ProjectState } from "../project/state-folder.js";
import { startChild } from "../support/child-process.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { visible } from "../support/visible-text.js";
import { LOCAL_HOST, UiServer } from "../ui/server.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";

const MOST_PORT = 65_535;

export const command = defineCommand({
  name: "ui",
  summary: "Show a campaign in the browser while it goes on",
  description: `Serves a page that shows what \`tangent test\`, \`amplify\`, \`patch\` or \`compose\` is doing in this project, whichever terminal it was started
in: findings as they come, progress of each program, coverage over time, what was given up; also the recorded tests, the last report
and the campaigns before. It ends with Ctrl-C. The page can stop a campaign, as Ctrl-C in its terminal would; it starts nothing.

The server listens on this machine only, and the address that is printed has a token: who does not know it, sees nothing. With --host
others can reach it too, without encryption: use that in networks that you trust.`,
  options: {
    port: {
      kind: "number",
      integer: true,
      least: 0,
      value: "N",
      help: "listen on this port (default: any that is free)",
    },
    host: { kind: "value", value: "HOST", help: `listen on this address (default ${LOCAL_HOST}, this machine only)` },
    open: { kind: "flag", help: "open the page in the browser" },
  },
  operands: {},
  async run(options, _operands, context) {
    const { port = 0, host = LOCAL_HOST } = options;
    if (port > MOST_PORT) {
      context.error(`tangent ui: --port ${port}: ports end at ${MOST_PORT}\n`);
      return USAGE_STATUS;
    }
    const folder = findProject(process.cwd());
    const state = new ProjectState(folder.root, context.env);
    const server = new UiServer(folder, state);
    let address: string;
    try {
      address = await server.listen({ host, port });
    } catch (error) {
      context.error(`tangent ui: ${visible((error as Error).message)}\n`);
      return 3;
    }
    context.out(`${address}\n`);
    context.error(`tangent: shows ${visible(folder.root)}; Ctrl-C ends it\n`);
    if (host !== LOCAL_HOST) {
      context.error(
        "tangent: note: others can reach it, and nothing is encrypted; the token is all that keeps them out\n",
      );
    }
    const door = options.open ? state.file(`open-${process.pid}.html`) : null;
    if (door !== null) openBrowser(door, address, context);
    await new Promise<void>((done) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done());
    });
    await server.close();
    if (door !== null) rmSync(door, { force: true });
    return 0;
  },
});

/**
 * By way of a file of this user's that leads to the address: what a program is started with, everybody on the machine can see,
 * and the address has the token.
 */
function openBrowser(door: string, address: string, context: CommandContext): void {
  const lead = `<meta http-equiv="refresh" content="0; url=${address}">\n`;
  writeQuickly(door, `<!doctype html>\n<meta name="referrer" content="no-referrer">\n${lead}`, PRIVATE_FILE);
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = startChild(program, [door], { stdio: "ignore", detached: true });
  child.on("error", () => context.error(`tangent: note: there is no ${program}; open the address yourself\n`));
  child.unref();
}
