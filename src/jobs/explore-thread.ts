// Starts an exploration in its thread, and tells it to stop when the user wants that: the first Ctrl-C lets the current path
// end and everything be written, the second ends the process at once. The thread keeps its time by itself; if it does not, it
// is ended from here, and what it had told by then is the result. Threads that explore together are hired here too, because
// whoever leads them never returns to its event loop and would not hear of their end.

import type { ExploreSummary } from "../report/explore-summary.js";
import { FileWriter } from "../report/file-writer.js";
import { commandMs } from "../support/command-clock.js";
import { GuardedThread, newCell, type ThreadEnd } from "../support/guarded-thread.js";
import { onStopSignal } from "../support/stop-signal.js";
import { BOARD, type CrewSetup, goneWord, tell } from "./crew-board.js";
import type { SessionMessage } from "./explore-session.js";
import type { ExploreTask } from "./explore-worker.js";

/** For new objects V8 would take 20 MB more, which saves 3 % of the time and makes small memory limits hard to keep (measured). */
const YOUNG_MB = 12;
/** Beyond its limit: for a path that ends, and a finding that is confirmed. With the grace less than two seconds, whatever happens. */
const ALLOWANCE_MS = 800;
const GRACE_MS = 400;
/** From the user's wish to stop to force: the solver may be in the middle of a question. */
const USERS_GRACE_MS = 1500;
/**
 * The memory limit is about the whole process. The exploration drops paths long before it is reached; but one run or one question may take
 * more than there was room for. At these shares of the limit it is asked to end, and ended.
 */
const MEMORY_ASKING_SHARE = 1.03;
const MEMORY_ENDING_SHARE = 1.08;
const MEMORY_LOOK_MS = 25;
/** Writing what was found; a disk is given up sooner than this (report/threaded-writer.ts). */
const WRITING_MS = 150_000;

export interface ThreadListener {
  message(message: SessionMessage): void;
  /** The user has asked to stop, for the first time. */
  stopping(): void;
  /** Something that was lost. */
  trouble(text: string): void;
}

export type ExplorationEnd =
  | { readonly kind: "done"; readonly summary: ExploreSummary }
  /** It had to be ended from outside; the summary is of a moment before. */
  | { readonly kind: "ended"; readonly summary: ExploreSummary }
  | { readonly kind: "failed"; readonly message: string };

export async function runExploration(
  task: Omit<ExploreTask, "cell">,
  listener: ThreadListener,
): Promise<ExplorationEnd> {
  const thread = new GuardedThread<ExploreTask, SessionMessage>(new URL("./explore-worker.js", import.meta.url), {
    youngMb: YOUNG_MB,
  });
  const crew = new HiredCrew(listener);
  let isUsersWish = false;
  const removeListeners = onStopSignal(() => {
    isUsersWish = true;
    listener.stopping();
    thread.stop(USERS_GRACE_MS);
  });
  let isMemoryShort = false;
  const { memoryEndBytes = Number.POSITIVE_INFINITY } = task.plan.limits;
  const gauge = setInterval(() => {
    const share = process.memoryUsage.rss() / memoryEndBytes;
    if (share > MEMORY_ENDING_SHARE) thread.discard();
    if (share <= MEMORY_ASKING_SHARE || isMemoryShort) return;
    isMemoryShort = true;
    thread.stop(GRACE_MS);
  }, MEMORY_LOOK_MS);
  let last: ExploreSummary | null = null;
  let seen: Seen | null = null;
  let failure: string | null = null;
  try {
    const limits = { timeMs: task.untilMs - commandMs() + ALLOWANCE_MS, graceMs: GRACE_MS };
    const end = await thread.run({ ...task, cell: newCell() }, limits, (message) => {
      if (message.kind === "seen") seen = message;
      else if (message.kind === "judged") seen = null;
      else if (message.kind === "ending") thread.extend(WRITING_MS);
      else if (message.kind === "hire") crew.hire(message.setup);
      else if (message.kind === "so-far" || message.kind === "done") last = message.summary;
      else if (message.kind === "failed") failure = message.message;
      listener.message(message);
      return message.kind === "done" || message.kind === "failed";
    });
    if (failure !== null) return { kind: "failed", message: failure };
    if (end.kind === "died") return { kind: "failed", message: end.message };
    if (last === null) {
      const why = isUsersWish ? "it was stopped" : isMemoryShort ? "the memory limit was reached" : "its time was over";
      return { kind: "failed", message: `it had not even begun when ${why}` };
    }
    const summary: ExploreSummary = last;
    // It was we who asked, if the user did not.
    const ourReason = isUsersWish ? "aborted" : isMemoryShort ? "memory" : "time";
    if (end.kind === "done") {
      const { reason } = summary;
      return { kind: "done", summary: { ...summary, reason: reason === "aborted" ? ourReason : reason } };
    }
    const cut = cutShort(summary, ourReason);
    if (seen === null) return { kind: "ended", summary: cut };
    keep(seen, task.folder);
    return { kind: "ended", summary: { ...cut, seen: cut.seen + 1 } };
  } finally {
    clearInterval(gauge);
    removeListeners();
    thread.discard();
    crew.discard();
  }
}

type Seen = Extract<SessionMessage, { readonly kind: "seen" }>;

/** The input of a failure whose confirmation had to be ended. */
function keep({ name, bytes }: Seen, folder: string): void {
  const files = new FileWriter(folder);
  files.write(name, bytes);
  files.finish();
}

/** What was told a moment ago, and the run that had to be ended, which is one that met a limit. */
function cutShort(summary: ExploreSummary, reason: ExploreSummary["reason"]): ExploreSummary {
  const { ends } = summary.statistics;
  const statistics = { ...summary.statistics, ends: { ...ends, limit: (ends.limit ?? 0) + 1 } };
  return { ...summary, reason, complete: false, statistics };
}

/** The threads of an exploration by several. */
class HiredCrew {
  private readonly threads: GuardedThread<CrewSetup, "over">[] = [];

  constructor(private readonly listener: ThreadListener) {}

  hire(setup: CrewSetup): void {
    const thread = new GuardedThread<CrewSetup, "over">(new URL("./crew-worker.js", import.meta.url));
    this.threads.push(thread);
    const limits = { timeMs: Number.POSITIVE_INFINITY, graceMs: GRACE_MS };
    void thread.run(setup, limits, () => true, [setup.port]).then((end) => this.ended(setup, end));
  }

  discard(): void {
    for (const thread of this.threads.splice(0)) thread.discard();
  }

  /** Whoever leads must know, or would wait for ever. */
  private ended({ board, index }: CrewSetup, end: ThreadEnd): void {
    if (this.threads.length === 0) return;
    Atomics.store(board, goneWord(board, index), 1);
    tell(board, BOARD.activity);
    if (end.kind === "died" && Atomics.load(board, BOARD.stop) === 0) {
      this.listener.trouble(`one of the threads that explore died, and its part is lost: ${end.message}`);
    }
  }
}
