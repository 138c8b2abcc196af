// The projects whose whole test suites must not notice that they are recorded: how each is built with `tangent cc`, tested by its own
// `make check` (the tests of the portability library included, which try everything a kernel can answer), and how its verdicts are read.
// The test programs are built beforehand, so that a run of the tests is a run of the tests.

import { PROJECTS, type Project } from "./projects.js";
import { autotestVerdicts, dejagnuVerdicts, exactAutomakeVerdicts, m4Verdicts, statusVerdicts } from "./verdicts.js";

export interface TransparentProject extends Pick<Project, "name" | "source" | "patched" | "build" | "test"> {
  /** By name of the test: the word that its suite has for how it went. */
  readonly verdicts: (output: string, folder: string) => ReadonlyMap<string, string>;
}

const CONFIGURE = "./configure --disable-dependency-tracking --disable-nls";
const automake = {
  build: `${CONFIGURE} && make && make check TESTS=`,
  test: "make -k check",
  verdicts: (_: string, folder: string) => exactAutomakeVerdicts(folder),
};

export const TRANSPARENT_PROJECTS: readonly TransparentProject[] = [
  { name: "diffutils", source: "diffutils", ...automake },
  { name: "sed", source: "sed", ...automake },
  { name: "grep", source: "grep", ...automake },
  { name: "gzip", source: "gzip", ...automake },
  {
    name: "m4",
    source: "m4",
    ...automake,
    // Its examples are no automake tests and run (and one fails) whatever TESTS says.
    build: `${CONFIGURE} && make && { make -k check TESTS= || true; }`,
    verdicts: (output, folder) => new Map<string, string>([...m4Verdicts(output), ...exactAutomakeVerdicts(folder)]),
  },
  // Its tests are its own commands' outputs, compared with those of the plain run; make's driver tells each case.
  known("bc", statusVerdicts),
  known("make", statusVerdicts),
  {
    name: "tar",
    source: "tar",
    build: `${CONFIGURE} && make && make check TESTSUITEFLAGS=--list`,
    test: "make -k check",
    verdicts: autotestVerdicts,
  },
  {
    name: "findutils",
    source: "findutils",
    build: `${CONFIGURE} && make && make check TESTS= RUNTEST=true`,
    test: "make -k check",
    verdicts: (_, folder) => new Map([...exactAutomakeVerdicts(folder), ...dejagnuVerdicts(folder)]),
  },
];

/** As qualify:suites has it. */
function known(name: string, verdicts: TransparentProject["verdicts"]): TransparentProject {
  const project = PROJECTS.find((each) => each.name === name);
  if (project === undefined) throw new Error(`projects.ts has no ${name}`);
  return { ...project, verdicts };
}
