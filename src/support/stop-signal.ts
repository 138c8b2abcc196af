// The user's wish to stop: the first Ctrl-C (or its like) lets what is under way end and be written, the second ends the process
// at once.

/** SIGHUP: the terminal is closed, or the connection lost. */
const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first of them is told, the second ends the process as it natively would. Gives the function that ends this. */
export function onStopSignal(stop: () => void): () => void {
  let isFirst = true;
  const listener = (signal: NodeJS.Signals): void => {
    if (isFirst) {
      isFirst = false;
      stop();
      return;
    }
    removeListeners();
    // Not by process.exit, which waits for all threads.
    process.kill(process.pid, signal);
  };
  const removeListeners = (): void => {
    for (const name of STOPPING) process.removeListener(name, listener);
  };
  for (const name of STOPPING) process.on(name, listener);
  return removeListeners;
}
