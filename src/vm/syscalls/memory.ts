// Memory that the program asks the kernel for. Files are read when mapped; a shared mapping is written back when it is
// unmapped or synchronised and at the end, which one process cannot tell from the real thing except through read().

import { GUEST_BASE } from "../../jit/memory-layout.js";
import { ERRNO } from "../errno.js";
import type { Kernel } from "../kernel.js";
import { PAGE_SIZE, PROTECTION, pages } from "../mappings.js";
import type { Call, Family } from "./call.js";

const MAP = { shared: 1, fixed: 0x10, anonymous: 0x20, fixedNoReplace: 0x10_0000 } as const;
const REMAP = { mayMove: 1, fixed: 2 } as const;

function map(kernel: Kernel, call: Call): number {
  const { memory, mappings } = kernel;
  const hint = call.pointer(0);
  const size = call.pointer(1);
  const protection = call.u32(2);
  const flags = call.u32(3);
  const offset = call.i64(5);
  if (size === 0 || offset % PAGE_SIZE !== 0) return -ERRNO.EINVAL;
  if (size > 0xf000_0000) return -ERRNO.ENOMEM;
  const file = (flags & MAP.anonymous) !== 0 ? null : kernel.files.get(call.i32(4));
  if (file === null && (flags & MAP.anonymous) === 0) return -ERRNO.EBADF;
  if (file !== null && !file.readable) return -ERRNO.EACCES;
  let address: number;
  if ((flags & (MAP.fixed | MAP.fixedNoReplace)) !== 0) {
    // Only over what was mapped before; anywhere else lie our own things.
    if (hint % PAGE_SIZE !== 0) return -ERRNO.EINVAL;
    if (!mappings.covers(hint, pages(size))) return -ERRNO.ENOMEM;
    if ((flags & MAP.fixedNoReplace) !== 0) return -ERRNO.EEXIST;
    address = hint;
    mappings.writeBack(address, pages(size));
    memory.u8.fill(0, address, address + pages(size));
    mappings.protect(address, pages(size), protection);
  } else {
    address = mappings.map(size, protection);
    if (address === 0) return -ERRNO.ENOMEM;
  }
  if (file === null && (flags & MAP.shared) !== 0) mappings.shareAnonymous(address, pages(size));
  if (file !== null) {
    kernel.life.cannotRepeat("it has a file in its memory");
    let done = 0;
    while (done < size) {
      const count = file.readAt(memory.u8.subarray(address + done, address + size), offset + done);
      if (count < 0) {
        mappings.unmap(address, pages(size));
        return count === -ERRNO.ESPIPE ? -ERRNO.ENODEV : count;
      }
      if (count === 0) break;
      done += count;
    }
    if (done > 0) kernel.delivered(file, offset, address, done);
    // Beyond the file's last page the kernel sends SIGBUS.
    if (pages(done) < pages(size)) {
      mappings.protect(address + pages(done), pages(size) - pages(done), PROTECTION.none);
    }
    if ((flags & MAP.shared) !== 0 && (protection & PROTECTION.write) !== 0) {
      mappings.share(address, pages(size), file, offset);
    }
  }
  return address;
}

function remap(kernel: Kernel, call: Call): number {
  const { memory, mappings } = kernel;
  const address = call.pointer(0);
  const oldSize = pages(call.pointer(1));
  const size = call.pointer(2);
  const flags = call.u32(3);
  if (size === 0 || (flags & REMAP.fixed) !== 0) return -ERRNO.EINVAL;
  if (!mappings.covers(address, oldSize)) return -ERRNO.EFAULT;
  if (pages(size) <= oldSize) {
    if (pages(size) < oldSize) mappings.unmap(address + pages(size), oldSize - pages(size));
    return address;
  }
  if ((flags & REMAP.mayMove) === 0 || size > 0xf000_0000) return -ERRNO.ENOMEM;
  const moved = mappings.map(size, PROTECTION.read | PROTECTION.write);
  if (moved === 0) return -ERRNO.ENOMEM;
  memory.move(moved, address, oldSize);
  mappings.unmap(address, oldSize);
  return moved;
}

/** All there is is in memory. */
function inCore(kernel: Kernel, call: Call): number {
  const { memory } = kernel;
  const address = call.pointer(0);
  const size = pages(call.pointer(1));
  const answers = call.pointer(2);
  if (address % PAGE_SIZE !== 0) return -ERRNO.EINVAL;
  if (address < GUEST_BASE || address + size > memory.heapStart + memory.heapBytes) return -ERRNO.ENOMEM;
  const count = size / PAGE_SIZE;
  if (!kernel.pointers.mayWrite(answers, count)) return -ERRNO.EFAULT;
  memory.u8.fill(1, answers, answers + count);
  return 0;
}

export const MEMORY: Family = {
  9: { name: "mmap", handler: map },
  10: {
    name: "mprotect",
    handler: (k, c) => {
      const size = pages(c.pointer(1));
      // On anything else (the heap, globals) the states are the allocator's business.
      if (k.mappings.covers(c.pointer(0), size)) k.mappings.protect(c.pointer(0), size, c.u32(2));
      return 0;
    },
  },
  11: {
    name: "munmap",
    handler: (k, c) => {
      if (c.pointer(1) === 0 || c.pointer(0) % PAGE_SIZE !== 0) return -ERRNO.EINVAL;
      k.mappings.unmap(c.pointer(0), pages(c.pointer(1)));
      return 0;
    },
  },
  // musl's own sbrk grows nothing, so nobody needs a break: it never moves.
  12: { name: "brk", handler: (k) => k.memory.heapStart },
  25: { name: "mremap", handler: remap },
  26: {
    name: "msync",
    handler: (k, c) => {
      k.mappings.writeBack(c.pointer(0), c.pointer(1));
      return 0;
    },
  },
  27: { name: "mincore", handler: inCore },
  28: { name: "madvise", handler: () => 0 },
  149: { name: "mlock", handler: () => 0 },
  150: { name: "munlock", handler: () => 0 },
  151: { name: "mlockall", handler: () => 0 },
  152: { name: "munlockall", handler: () => 0 },
};
