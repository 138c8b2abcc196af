// What a run is told to find in place of what the disk has, as plain data: the files and directories that a test had made, and that
// are gone or different by now. Contents of files are given apart from this (RunOptions.files), because they may be symbolic.

/** What stat says of an entry; it belongs to the user. Times of last access and of last change are the same as `modified`. */
export interface GivenAttributes {
  /** Permission bits. */
  readonly mode: number;
  /** Whole seconds since 1970; when the program starts, if nothing is said. */
  readonly modified?: number;
  /** What `modified` lacks. */
  readonly nanoseconds?: number;
  /** How many names it has; as many as were given, if nothing is said. */
  readonly links?: number;
  /** Files with the same one are one file with several names. It is not what stat says. */
  readonly inode?: number;
}

/** Absolute paths, one character a byte. Directories above an entry exist. */
export type GivenEntry =
  /** Without content of its own: the disk's, if the disk has a file of that size in its place, and zeros otherwise. */
  | ({ readonly kind: "file"; readonly path: string; readonly size: number } & GivenAttributes)
  | ({
      readonly kind: "directory";
      readonly path: string;
      /** Nothing is in it but what is given; otherwise what the disk has there shows through. */
      readonly isWhole: boolean;
      readonly size?: number;
    } & GivenAttributes)
  | ({ readonly kind: "link"; readonly path: string; readonly to: string } & Omit<GivenAttributes, "mode">)
  | ({ readonly kind: "fifo" | "socket" | "character" | "block"; readonly path: string } & GivenAttributes)
  | { readonly kind: "missing"; readonly path: string };
