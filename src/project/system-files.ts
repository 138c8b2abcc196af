// Which files are the system's: locale data, terminal descriptions and the like. They are a test's surroundings, not its input, and are
// there wherever the test runs again. A project may itself lie below such a directory (/opt/work, /var/lib/jenkins/workspace): what
// lies in it is its own.

const SYSTEM = /^\/(usr|etc|lib|lib64|bin|sbin|opt|var\/lib|proc|sys|dev)\//;

/** `own`: directories whose files are no surroundings. One that holds the system itself, such as /, says nothing. */
export function isSystemFile(path: string, own: readonly string[]): boolean {
  return (
    SYSTEM.test(path) && !own.some((directory) => SYSTEM.test(`${directory}/`) && path.startsWith(`${directory}/`))
  );
}
