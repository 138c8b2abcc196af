// The process in which a worker does items of campaigns elsewhere, behind walls (support/sandbox/). It is given translated programs, and files with
// what was made of them; so it needs neither a compiler nor the project. Which programs a run may start is said with each item. It has one
// thread, started with a stack large enough for generated code.

import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ItemOutcome, ItemRunner } from "../campaign/technique.js";
import type { StartableProgram, WorkMessage, WorkTask } from "../campaign/work-messages.js";
import { type ReadyProgram, serveWork, type WorkPort, type WorkServer } from "../campaign/work-server.js";
import { loadModule } from "../jit/load-module.js";
import { parsedWords } from "../program/graph/load-words.js";
import { decodeImage } from "../program/image-file.js";
import { FOLDER_NAME } from "../project/project-folder.js";
import { newCell } from "../support/guarded-thread.js";
import { listenForTasks, ownFolder, say, stopPoll } from "../support/sandbox/confined-side.js";
import { useV8FlagsForShortRuns } from "../support/v8-flags.js";
import { AMPLIFY_RUNNER } from "../techniques/amplify-item.js";
import { scrapMachines } from "../techniques/scrap-machines.js";
import { DEFINEDNESS_NEED } from "../techniques/unset-uses.js";
import { type InstalledProgram, installPrograms } from "../vm/processes/installed-programs.js";
import { decodeText, encodeText, MOST_MESSAGE_BYTES } from "./wire.js";

const RUNNER = AMPLIFY_RUNNER as ItemRunner<unknown, unknown, unknown>;
const NOT_OURS = { problem: "what was sent as its translation is none of this version of tangent" };

/** By the file of the image. */
const started = new Map<string, InstalledProgram>();
const MOST_STARTED = 16;

function readImage(path: string): Omit<ReadyProgram, "warnings"> | null {
  const image = decodeImage(readFileSync(path));
  return image === null ? null : { image, module: loadModule(image) };
}

/** `path` is empty if the program is not translated yet: then `want` is told its name. */
function usePrograms(
  startable: readonly StartableProgram[],
  absent: readonly string[],
  want: (path: string) => void,
): void {
  const places = new Map(startable.map(({ name, path }) => [name, path]));
  installPrograms((given) => {
    const name = resolve(given);
    const path = places.get(name);
    if (path === undefined || (path === "" && absent.includes(name))) return null;
    if (path === "") {
      want(name);
      throw new Error(`${name} is not translated yet`);
    }
    const program = started.get(path) ?? readImage(path);
    if (program === null) return null;
    started.set(path, program);
    for (const old of started.keys()) if (started.size > MOST_STARTED) started.delete(old);
    return program;
  });
}

const PORT: WorkPort = {
  on: (_name, listener) =>
    listenForTasks(MOST_MESSAGE_BYTES, (bytes) => {
      // A task finds nothing of what the one before it has written. It is removed on this side of the walls: whoever goes through a folder
      // in which another process changes names may be led out of it.
      rmSync(join(ownFolder(), FOLDER_NAME), { recursive: true, force: true });
      listener({ ...(decodeText(bytes)?.value as WorkTask), cell: newCell() });
    }),
  postMessage: (message) => say(asBytes(message)),
};

/** What is too large to be told ends its item. */
function asBytes(message: WorkMessage): Uint8Array {
  try {
    return encodeText(message);
  } catch (error) {
    return encodeText({ kind: "failed", message: (error as Error).message } satisfies WorkMessage);
  }
}

const SERVER: WorkServer = {
  load({ path }) {
    const program = readImage(path);
    return Promise.resolve(program === null ? NOT_OURS : { ...program, warnings: [] });
  },
  prepare(need, { made = {} }) {
    const path = Object.hasOwn(made, need) ? made[need] : null;
    if (path === null) return Promise.resolve({ problem: `nothing was sent that is called ${need}` });
    if (need !== DEFINEDNESS_NEED) return Promise.resolve({ made: parsedWords(readFileSync(path)) ?? [] });
    const program = readImage(path);
    return Promise.resolve(program === null ? NOT_OURS : { made: program });
  },
  drop: ({ image }) => scrapMachines(image),
  describe: () => null,
  run(work, { setup, startable }, context, absent) {
    let wanted: string | null = null;
    usePrograms(startable, absent, (name) => {
      wanted = name;
    });
    let outcome: ItemOutcome<unknown> | null = null;
    let thrown: unknown = null;
    try {
      outcome = RUNNER.run(work, setup, context);
    } catch (error) {
      thrown = error;
    }
    // A run may have swallowed the error, but not this.
    if (wanted !== null) return { kind: "wanted", path: wanted };
    if (outcome === null) throw thrown;
    return outcome;
  },
};

useV8FlagsForShortRuns();
serveWork(PORT, SERVER, stopPoll());
