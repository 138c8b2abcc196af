// What the bed is made of: a package of Debian's, how it is built, and the bugs that are put back in it, each alone. Inputs are texts of
// our own or files of the package, named by their path; a proof of concept shows that the bug is there, and no tool is ever given it.

export interface BedPackage {
  /** Debian's source package. */
  readonly source: string;
  /** Files put into the tree before it is built: a driver for a library, or what the package's own build would make. */
  readonly files?: Readonly<Record<string, string>>;
  /** Run in the tree once, with CC and CFLAGS; for all native builds CC is gcc. */
  readonly configure?: string;
  /** Run in the tree, and again when a patch was taken back; CC is what compiles. */
  readonly build: string;
  /** Below the tree. */
  readonly program: string;
  /** Built by this system's gcc, with glibc's headers, because the bug is not there without: what `tangent cc` does by itself. */
  readonly needsGlibc?: boolean;
  readonly bugs: readonly BedBug[];
}

/** Text, one byte a character. */
export type Inputs = Readonly<Record<string, string>>;

export interface BedBug {
  readonly name: string;
  readonly reference: string;
  readonly kind: string;
  readonly what: string;
  /** Patches of debian/patches, taken back in this order. */
  readonly reverse: readonly string[];
  /** Lines of the tree with the bug (see DeepBug). */
  readonly places: readonly string[];
  readonly isShared?: boolean;
  readonly arguments: readonly string[];
  readonly seeds: Inputs;
  /** The package's own files among the seeds, below the tree. */
  readonly ownSeeds?: readonly string[];
  /** What lies in the folder where the program runs. */
  readonly beside?: Inputs;
  /** Must fail at a place, and not with the fix. */
  readonly proof: string;
}
