// `tangent worker --queue redis://HOST`: does items of campaigns that run on other machines, until Ctrl-C.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MOST_WORKERS } from "../campaign/crew.js";
import { Scratch } from "../queue/scratch.js";
import { NO_KEY } from "../queue/seal.js";
import { type WorkerEvent, WorkerService } from "../queue/worker-service.js";
import { counted } from "../report/finding-view.js";
import { defaultJobs } from "../support/default-jobs.js";
import { NODE_ALONE, wallsHere, wallsInWords } from "../support/sandbox/confinement.js";
import { onStopSignal } from "../support/stop-signal.js";
import { visible } from "../support/visible-text.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { KEY_OPTION, openQueue, STORE_OPTION, WORKER_QUEUE_OPTION, wrongQueue } from "./queue-option.js";
import { rootsOf } from "./roots.js";

const OPEN = "there is no key (--queue-key): whoever on this machine can write to that Redis can send it work";
const LEASE_MS = 15_000;
const LEAST_LEASE_MS = 1000;

export const command = defineCommand({
  name: "worker",
  summary: "Do the work of campaigns that run on other machines",
  description: `Takes work items of \`tangent test --queue\` and \`tangent amplify --queue\` from a queue in Redis, does them, and sends back what came of
them. Start as many as you like, on any number of machines, with the same build of tangent; neither a compiler nor the project is
needed. Ctrl-C gives back what it is doing, and another worker does it; so it is if a worker is killed or cut off.

It writes to its scratch folder only. Programs under test run in the virtual machine and see nothing of this machine's disk, unless --root
names directories. See docs/workers.md.

The exit status is 0 after Ctrl-C, 2 for a usage error, 3 if the queue cannot be reached at the start.`,
  options: {
    queue: WORKER_QUEUE_OPTION,
    jobs: {
      kind: "number",
      integer: true,
      least: 1,
      short: "j",
      value: "N",
      help: `items at the same time (default: one for each core, as far as memory goes; at most ${MOST_WORKERS})`,
    },
    scratch: {
      kind: "value",
      value: "DIR",
      help: "keep there what was sent, for the next time (default: a new folder, removed at the end)",
    },
    store: STORE_OPTION,
    queueKey: KEY_OPTION,
    root: {
      kind: "list",
      value: "DIR",
      help: "let programs under test see this directory of this machine (default: none); may be given several times",
    },
    lease: {
      kind: "duration",
      value: "TIME",
      help: `how long it may be silent before another worker gets what it does (default ${LEASE_MS / 1000}s)`,
    },
    walls: {
      kind: "choice",
      choices: ["auto", "node", "all"],
      help: "what items are done behind: all that works here (auto), Node's permission model alone (node), or not without more (all)",
    },
    json: { kind: "flag", help: "tell what happens as lines of JSON on standard output" },
    quiet: { kind: "flag", short: "q", help: "tell of trouble only" },
  },
  operands: {},
  async run(options, _operands, context) {
    const { queue, jobs = defaultJobs(), lease = LEASE_MS } = options;
    const roots = rootsOf(options.root);
    const wrong = wrongChoice(options) ?? (roots.kind === "wrong" ? roots.problem : null);
    if (queue === undefined || wrong !== null) {
      context.error(`tangent worker: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const open = await openQueue(options, context.env);
    if (typeof open === "string") {
      context.error(`tangent worker: ${open}\n`);
      return 3;
    }
    const isOwn = options.scratch === undefined;
    const folder = isOwn ? mkdtempSync(join(tmpdir(), "tangent-worker-")) : resolve(options.scratch ?? "");
    const tell = telling(options, context);
    const walls = options.walls === "node" ? NODE_ALONE : wallsHere(context.env);
    if (options.walls === "all" && walls.length < 2) {
      context.error("tangent worker: --walls all: neither bubblewrap nor systemd-run works on this machine\n");
      open.redis.disconnect();
      return 3;
    }
    const chosen = { jobs, leaseMs: lease, roots: roots.kind === "roots" ? (roots.roots ?? []) : [], walls };
    const { library, address, blobs, seal } = open;
    const service = new WorkerService(library, address, blobs, seal, new Scratch(folder), chosen, tell);
    if (options.json) context.out(`${JSON.stringify({ kind: "ready", queue: address.shown, jobs, walls })}\n`);
    else if (!options.quiet) {
      context.error(
        `tangent: works for ${visible(address.shown)}, ${counted(jobs, "job")} at a time; Ctrl-C ends it\n`,
      );
      context.error(`tangent: items are done in processes of their own, behind: ${wallsInWords(walls)}\n`);
      if (seal.keyName === NO_KEY) context.error(`tangent: ${OPEN}\n`);
    }
    await new Promise<void>((done) => {
      const removeListeners = onStopSignal(() => {
        void service.stop().then(() => {
          removeListeners();
          done();
        });
      });
    });
    open.redis.disconnect();
    if (isOwn) rmSync(folder, { recursive: true, force: true });
    if (!options.quiet && !options.json) context.error(`tangent: ${counted(service.done, "item")} done\n`);
    return 0;
  },
});

/** In words, or null. */
function wrongChoice({
  queue,
  jobs = 1,
  lease = LEASE_MS,
}: {
  readonly queue: string | undefined;
  readonly jobs: number | undefined;
  readonly lease: number | undefined;
}): string | null {
  if (queue === undefined) return "--queue URL is missing: where is the work?";
  if (jobs > MOST_WORKERS) return `--jobs: at most ${MOST_WORKERS}`;
  return lease < LEAST_LEASE_MS ? "--lease: at least 1s" : wrongQueue({ queue });
}

function telling(
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
  context: CommandContext,
): (event: WorkerEvent) => void {
  if (json) return (event) => context.out(`${JSON.stringify(event)}\n`);
  return (event) => {
    const isTrouble = event.kind === "connection" || event.kind === "refused";
    if (quiet && !isTrouble) return;
    const text = inWords(event);
    if (text !== null) context.error(`tangent: ${visible(text)}\n`);
  };
}

/** Null: nobody needs a line for it. */
function inWords(event: WorkerEvent): string | null {
  switch (event.kind) {
    case "begins":
      return null;
    case "ended": {
      const found = event.findings === 0 ? "" : `, ${counted(event.findings, "finding")}`;
      return `${event.label}: ${(event.ms / 1000).toFixed(2)} s${found}`;
    }
    case "refused":
      return event.why;
    case "given-back":
      return `given back: ${event.label}`;
    case "connection":
      return event.isUp ? "the queue is there again" : "the queue cannot be reached; it is tried again";
  }
}
