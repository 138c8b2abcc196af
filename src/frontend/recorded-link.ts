// A program that is linked while tests are recorded: the tests of many small makefiles build before they run, each time. So whoever links
// tells the recording, and goes on only when a stand-in has taken the program's place (project/link-desk.ts): the test's next line starts it.
//
// Nothing here may make a build fail: if nobody answers, the program stays as it is, and what it does is not recorded.

import { createConnection } from "node:net";
import { resolve } from "node:path";
import type { CommandLine } from "./arguments.js";

/** Names the socket of a recording that goes on; stand-in.c takes it out of the programs' environment. */
export const RECORDING = "TANGENT_RECORDING";

/** Reading a large program and its libraries takes a second. */
const ANSWER_MS = 20_000;

export async function tellRecording(line: CommandLine, env: NodeJS.ProcessEnv): Promise<void> {
  const socket = env[RECORDING];
  if (socket === undefined || socket === "" || line.stage !== "link") return;
  const program = resolve(line.output ?? "a.out");
  await new Promise<void>((done) => {
    const connection = createConnection(socket);
    connection.setTimeout(ANSWER_MS, () => connection.destroy());
    connection.on("error", () => {});
    connection.on("close", () => done());
    connection.resume();
    connection.end(`${JSON.stringify(program)}\n`);
  });
}
