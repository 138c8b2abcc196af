// What all processes of one run have together besides files: locks, and System V's objects. A child has its parent's.

import { FileLocks } from "./files/file-locks.js";
import { SystemV } from "./system-v.js";

export class SharedObjects {
  readonly locks = new FileLocks();
  readonly systemV = new SystemV();
}
