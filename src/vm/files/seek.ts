// Where a seek leads in a file of which we keep the offset ourselves.

import { ERRNO } from "../errno.js";
import { SEEK } from "./open-file.js";

/** The new offset, or a negated error number. */
export function seekTarget(offset: number, whence: number, current: number, size: number): number {
  switch (whence) {
    case SEEK.set:
      return offset < 0 ? -ERRNO.EINVAL : offset;
    case SEEK.current:
      return current + offset < 0 ? -ERRNO.EINVAL : current + offset;
    case SEEK.end:
      return size + offset < 0 ? -ERRNO.EINVAL : size + offset;
    // A file system without holes: all is data, and the only hole is at the end.
    case SEEK.data:
      return offset < 0 || offset >= size ? -ERRNO.ENXIO : offset;
    case SEEK.hole:
      return offset < 0 || offset >= size ? -ERRNO.ENXIO : size;
    default:
      return -ERRNO.EINVAL;
  }
}
