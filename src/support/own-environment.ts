// The environment variables of ours, and what becomes of them. Settings go on to whatever we start: a build calls `tangent cc`. Secrets are for
// this process alone: they are taken out of its environment before anything else happens (main.ts), and no child gets them whoever has
// called us (child-process.ts).

/** `start`: bin/tangent and main.ts say it to each other. test/tidy looks for others. */
const OWN_VARIABLES = {
  TANGENT_CACHE: "setting",
  TANGENT_CACHE_SIZE: "setting",
  TANGENT_CC: "setting",
  TANGENT_CC_INSIDE: "setting",
  TANGENT_CC_NODE: "setting",
  TANGENT_CLANG: "setting",
  TANGENT_CXX: "setting",
  TANGENT_DETECTORS: "setting",
  TANGENT_FIELDS: "setting",
  TANGENT_LIBRARIES: "setting",
  TANGENT_RECORDING: "setting",
  TANGENT_SANITIZER_MACROS: "setting",
  TANGENT_STATE: "setting",
  TANGENT_UBSAN: "setting",
  TANGENT_UNPACKED: "setting",
  TANGENT_MALLOC: "start",
  TANGENT_QUEUE_KEY: "secret",
  TANGENT_QUEUE_PASSWORD: "secret",
} as const satisfies Record<string, "setting" | "start" | "secret">;
type OwnVariable = keyof typeof OWN_VARIABLES;
type SecretName = { [name in OwnVariable]: (typeof OWN_VARIABLES)[name] extends "secret" ? name : never }[OwnVariable];

const NAMES = Object.keys(OWN_VARIABLES) as OwnVariable[];
const PASSED = NAMES.filter((name) => OWN_VARIABLES[name] === "setting");
const NOT_PASSED = NAMES.filter((name) => OWN_VARIABLES[name] !== "setting");

const secrets = new Map<string, string>();

/** From here on only `secretOf` knows them. */
export function withdrawSecrets(env: NodeJS.ProcessEnv): void {
  for (const name of NAMES) {
    const value = env[name];
    if (OWN_VARIABLES[name] !== "secret" || value === undefined) continue;
    secrets.set(name, value);
    delete env[name];
  }
}

export function secretOf(name: SecretName, env: NodeJS.ProcessEnv): string | null {
  return secrets.get(name) ?? env[name] ?? null;
}

/** What whoever is started by us finds in its environment. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = { ...env };
  for (const name of NOT_PASSED) delete passed[name];
  return passed;
}

/** For tests: by what becomes of them. */
export const KNOWN_VARIABLES = { passed: PASSED, notPassed: NOT_PASSED } as const;
