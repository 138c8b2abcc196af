// What a patch changes, as far as programs are concerned: files and lines of the new side and of the old one. Plain data, from git
// (git-changes.ts) or from a diff that somebody gives us (parse-diff.ts).

export interface Changes {
  /** For people: `main...HEAD`, `the index`, `fix.diff`. */
  readonly description: string;
  /** Commits of the two sides, or null where a side is no commit (work tree, index). */
  readonly oldRevision: string | null;
  readonly newRevision: string | null;
  readonly files: readonly ChangedFile[];
  /** What could not be used, in words: binary files, submodules, changes of modes only. */
  readonly notes: readonly string[];
}

export interface ChangedFile {
  /** Relative to the repository's root; null: the file is new. Differs from `newPath` for a renamed file. */
  readonly oldPath: string | null;
  /** Null: the file is deleted. */
  readonly newPath: string | null;
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** First lines, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  /** What follows @@. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: "context" | "added" | "removed";
  /** Without the leading character and the line's end. */
  readonly text: string;
}
