// Stopping the campaign that works on a project, as Ctrl-C in its terminal would: what was found is kept and reported. Which process that
// is, is said by the lock in the state folder, which only this user can have written; never by a file of the project.

import { lockHolder } from "../project/project-lock.js";
import type { ProjectState } from "../project/state-folder.js";

const STOPPABLE: ReadonlySet<string> = new Set(["test", "amplify", "patch", "reach", "compose"]);

export interface StopAnswer {
  readonly isStopping: boolean;
  readonly message: string;
}

export class CampaignStopper {
  /** The processes that were asked: a second signal would end them before they have written their results. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly state: ProjectState,
    private readonly send: (pid: number) => void = (pid) => process.kill(pid, "SIGINT"),
  ) {}

  /** What works on the project, in a word: a command's name; null if nothing does. */
  get atWork(): { readonly pid: number; readonly command: string; readonly isStopping: boolean } | null {
    const holder = lockHolder(this.state);
    if (holder === null) return null;
    const { pid, command, started } = holder;
    return { pid, command, isStopping: this.asked.has(`${pid} ${started}`) };
  }

  stop(): StopAnswer {
    const holder = lockHolder(this.state);
    if (holder === null) return { isStopping: false, message: "no campaign is at work in this project" };
    const { pid, started, command } = holder;
    if (!STOPPABLE.has(command)) {
      return { isStopping: false, message: `tangent ${command} is at work, and is stopped in its own terminal` };
    }
    const key = `${pid} ${started}`;
    if (this.asked.has(key)) return { isStopping: true, message: "it is stopping already" };
    try {
      this.send(pid);
    } catch (error) {
      return { isStopping: false, message: `process ${pid} could not be told: ${(error as Error).message}` };
    }
    this.asked.add(key);
    return { isStopping: true, message: "it is stopping; what was found is kept" };
  }
}
