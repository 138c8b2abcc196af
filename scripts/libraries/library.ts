// What the bed of libraries is made of: a source package of Debian's, how it is built, and its own tests. Inputs are never ours: a test is a
// program of the package, with the literals in its source or with files of the package.

export interface Library {
  /** Its folder in the bed. */
  readonly name: string;
  /** Debian's source package; with =VERSION where the mirror has only that one. */
  readonly source: string;
  /** Not one of the twelve. */
  readonly isApart?: boolean;
  /** Run in the tree once, with CC and CFLAGS. */
  readonly configure?: string;
  /** Run in the tree, with the same CC; makes the tests' programs too. */
  readonly build: string;
  /**
   * Run in the tree by `sh`, recorded. What it ends with does not matter. `smallest N FILE...` is there for it: the N smallest of the files,
   * the smallest first.
   */
  readonly test: string;
  /** Built by this system's compiler: `tangent cc` by itself, with musl, cannot. */
  readonly needsGlibc?: boolean;
}
