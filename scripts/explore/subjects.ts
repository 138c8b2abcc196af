// The real programs that exploration is qualified with: how each is built, what of its input is symbolic, and one seed for
// it. Inputs are of the size that the paper's were (Table 1 of the pending-constraints paper), and the seeds are what a user would
// have at hand. Programs read their input from standard input, or from the file A.

import type { Source } from "../suites/build.js";
import { PROJECTS } from "../suites/projects.js";

export interface Subject {
  readonly name: string;
  readonly source: Source;
  /** Builds the program in the project's folder after the project itself; empty: nothing to do. */
  readonly afterwards: string;
  /** Below the project's folder. */
  readonly program: string;
  readonly symbolic: readonly string[];
  readonly args: readonly string[];
  /** A file beside the program, for its arguments to name. */
  readonly files: { readonly [name: string]: string };
  /** As long as the symbolic input is, or shorter: the paper has two sets of seeds. */
  readonly seed: string;
  readonly otherSeed: string;
}

function project(name: string): Source {
  const found = PROJECTS.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no project ${name}`);
  return found;
}

const SQLITE: Source = {
  name: "sqlite3",
  source: "sqlite3",
  build: `./configure --disable-tcl --disable-readline && make sqlite3.c shell.c &&
$CC -O1 -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION shell.c sqlite3.c -o sqlite3-explore`,
};

export const SUBJECTS: readonly Subject[] = [
  {
    name: "bc",
    source: project("bc"),
    afterwards: "",
    program: "bc/bc",
    symbolic: ["--sym-stdin", "20"],
    args: [],
    files: {},
    seed: "x=3\nsqrt(x)+x^2;9%4\n",
    otherSeed: "for(i=0;i<3;i++)i/2\n",
  },
  {
    name: "m4",
    source: project("m4"),
    afterwards: "",
    program: "src/m4",
    symbolic: ["--sym-stdin", "32"],
    args: ["-G"],
    files: {},
    seed: "define(`m',`$1 is $2')m(a,b)dnl\n",
    otherSeed: "ifdef(`m',ha,nah)len(ab)eval(2*3)",
  },
  {
    name: "sed",
    source: project("sed"),
    afterwards: "",
    program: "sed/sed",
    symbolic: ["--sym-files", "1", "24"],
    args: ["-f", "A", "text"],
    files: { text: "one two\nthree\nfour 4\n" },
    seed: "s/o\\(.\\)/[\\1]/g;2d;$!N\n",
    otherSeed: "y/abc/xyz/;/w/{h;G;p};=\n",
  },
  {
    name: "make",
    source: project("make"),
    afterwards: "",
    program: "make",
    symbolic: ["--sym-files", "1", "28"],
    args: ["-n", "-r", "-f", "A"],
    files: {},
    seed: "a=1\nx:y $(a)\n\techo\ny 1:;@\n",
    otherSeed: "ifeq (,$(X))\n$(info a)\nendif",
  },
  {
    name: "xmlwf",
    source: project("expat"),
    afterwards: "make -C xmlwf",
    program: "xmlwf/.libs/xmlwf",
    symbolic: ["--sym-files", "1", "32"],
    args: ["-r", "A"],
    files: {},
    seed: '<!DOCTYPE a><a b="c">&lt;x</a>\n ',
    otherSeed: '<?xml version="1.0"?><a><b/></a>',
  },
  {
    name: "sqlite3",
    source: SQLITE,
    afterwards: "",
    program: "sqlite3-explore",
    symbolic: ["--sym-stdin", "36"],
    args: ["-batch"],
    files: {},
    seed: "create table t(i);select*from t;\n\n\n\n",
    otherSeed: "select max(1,2),upper('a')||1;\n\n\n\n\n",
  },
];
