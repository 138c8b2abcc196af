// What a file holds that the run was given: under which name it was, whether it still is what was given. It belongs to the file and not to
// a path: renamed, linked or opened by a descriptor it is the same, and another file in its place is not.

export interface GivenContent {
  /** Absolute, as the run was given it. */
  readonly path: string;
  isChanged: boolean;
}
