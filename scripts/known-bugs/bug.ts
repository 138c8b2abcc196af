// What a known bug is: a documented defect of a program in Debian, brought back by reverting its fix. The alternative, crafted bugs, says
// little about real ones. Several bugs of one package share a build and a campaign, as they would have in the project's own history.

/** A text that stands once in the file is replaced; for fixes that are part of a release and thus no patch of Debian's. */
export interface Edit {
  readonly file: string;
  readonly find: RegExp;
  readonly replace: string;
}

/** Which of a program's reversals bring a bug back by themselves. */
export interface Reversal {
  readonly reverse?: readonly string[];
  /** Indices into the program's edits. */
  readonly edits?: readonly number[];
  /** Instead of a whole patch, where that brings more than one bug back. */
  readonly own?: readonly Edit[];
}

export interface Bug {
  /** CVE number or bug report. */
  readonly reference: string;
  readonly what: string;
  /** Finding kinds that count. */
  readonly kinds: RegExp;
  /** A finding counts only with one of its innermost frames in this function, */
  readonly function: RegExp;
  /** at a line like this (some functions have several bugs). */
  readonly line?: RegExp;
  /** Only with this program or these arguments. */
  readonly command?: RegExp;
  /** What a patch that introduces it would be; none for bugs that are not mended yet. */
  readonly by?: Reversal;
  /** Why it is not found, where that is known. */
  readonly miss?: string;
}

export interface KnownProgram {
  readonly name: string;
  /** Debian's source package, with a version where the newest is not on the mirror. */
  readonly source: string;
  /** Patches in debian/patches that are taken back, in this order. */
  readonly reverse: readonly string[];
  readonly edits?: readonly Edit[];
  /** Files put into the source: a driver for a library, say. */
  readonly files?: Readonly<Record<string, string>>;
  /** Once a tree: makes what `build` needs. */
  readonly configure?: string;
  readonly build: string;
  /** Run before recording: makes the files which the seeds read. */
  readonly prepare?: string;
  /** The tests to record; ordinary inputs, none of which shows a bug. */
  readonly seeds: string;
  readonly seconds: number;
  readonly bugs: readonly Bug[];
}
