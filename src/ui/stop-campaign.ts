// Stopping the campaign that works on a project, as Ctrl-C in its terminal would: what was found is kept and reported. Which process that
// is, is said by the lock in the state folder, which only this user can have written; never by a file of the project. While a command builds
// or runs the tests it is left alone: a terminal's Ctrl-C would reach what it has started too, and a signal of ours would not.

import { lockHolder } from "../project/project-lock.js";
import type { ProjectState } from "../project/state-folder.js";

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

  /** `running`: the process whose campaign goes on, as far as the page knows; null if none does. */
  stop(running: number | null): StopAnswer {
    const holder = lockHolder(this.state);
    if (holder === null) return { isStopping: false, message: "no campaign is at work in this project" };
    const { pid, started, command } = holder;
    if (pid !== running) {
      const message = `tangent ${command} is at work, but searches for nothing now; stop it in its own terminal`;
      return { isStopping: false, message };
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
