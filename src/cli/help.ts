// `tangent help`: explains one command, or lists all.

import { nearName } from "../support/edit-distance.js";
import { type Command, defineCommand } from "./command.js";
import { asMarkdown, details, overview } from "./describe.js";

/** Gives all commands; main passes it, because main knows them and help is one of them. */
export type CommandLoader = () => Promise<readonly Command[]>;

export function makeHelp(load: CommandLoader): Command {
  return defineCommand({
    name: "help",
    summary: "Explain a command",
    options: { markdown: { kind: "flag", help: "write the documentation of all commands as Markdown" } },
    operands: { command: { kind: "optional", value: "COMMAND", help: "the command to explain" } },
    async run(options, operands, context) {
      const commands = await load();
      if (options.markdown) {
        context.out(commands.map(asMarkdown).join("\n"));
        return 0;
      }
      if (operands.command === undefined) {
        context.out(overview(commands));
        return 0;
      }
      const command = commands.find(({ name }) => name === operands.command);
      if (command === undefined) {
        const near = nearName(
          operands.command,
          commands.map(({ name }) => name),
        );
        const meant = near === null ? "" : `; is \`tangent help ${near}\` meant?`;
        context.error(`tangent help: there is no command ${operands.command}${meant}\n`);
        return 2;
      }
      context.out(details(command));
      return 0;
    },
  });
}
