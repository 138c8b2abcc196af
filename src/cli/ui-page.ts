// `--ui`: the live page of `tangent ui`, served by a campaign's own process as long as that goes on.

import type { ProjectFolder } from "../project/project-folder.js";
import { ProjectState } from "../project/state-folder.js";
import type { CommandContext } from "./command.js";

export const UI_OPTION = {
  kind: "flag",
  help: "show it in the browser while it goes on: prints the page's address",
} as const;

/** Does the work, with a page beside it if one is wanted. A page that cannot be served is told, and costs nothing else. */
export async function withPage<Result>(
  isWanted: boolean | undefined,
  folder: ProjectFolder,
  context: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  if (isWanted !== true) return work();
  const { LOCAL_HOST, UiServer } = await import("../ui/server.js");
  const server = new UiServer(folder, new ProjectState(folder.root, context.env));
  try {
    context.error(`tangent: live page: ${await server.listen({ host: LOCAL_HOST, port: 0 })}\n`);
  } catch (error) {
    context.error(`tangent: note: there is no live page: ${(error as Error).message}\n`);
    return work();
  }
  try {
    return await work();
  } finally {
    await server.close();
  }
}
