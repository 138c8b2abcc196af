// A descriptor is used, or closed again, that the program has closed itself: natively EBADF, or another file that has got the number
// since. Only if the program's environment asks for it: some programs close what may be closed already. One that asks whether a
// descriptor is open (fcntl, fstat, isatty), or closes a row of them, is not told of.

import { ERRNO } from "../errno.js";
import { FURTHER_DETECTORS, furtherDetectors } from "../further-detectors.js";
import type { Kernel } from "../kernel.js";

const USES: ReadonlySet<string> = new Set([
  ...["read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "lseek", "fsync", "fdatasync"],
  ...["ftruncate", "getdents64", "close"],
]);

export class ClosedDescriptors {
  /** The last number that was to be closed. */
  private last = -1;
  private isOn: boolean | null = null;

  /** After each call with a descriptor as its first argument. */
  look(kernel: Kernel, name: string, descriptor: number, result: number): void {
    if (!USES.has(name)) return;
    this.isOn ??= (furtherDetectors(kernel.options.environment) & FURTHER_DETECTORS["closed-descriptors"]) !== 0;
    if (!this.isOn) return;
    const { closedNumbers } = kernel.files;
    const isInRow = name === "close" && Math.abs(descriptor - this.last) === 1;
    if (result === -ERRNO.EBADF && closedNumbers.has(descriptor) && !isInRow) {
      const what = name === "close" ? "closed again" : `used by the system call ${name}`;
      kernel.fault("closed-descriptor", 0, 0, `descriptor ${descriptor} is ${what} after the program has closed it`);
    }
    if (name !== "close") return;
    this.last = descriptor;
    if (result === 0) closedNumbers.add(descriptor);
  }

  restart(): void {
    this.last = -1;
    this.isOn = null;
  }
}
