// Memory that the program maps itself. Placeholder of the allocator to come.

import type { GuestMemory } from "./guest-memory.js";

export class Mappings {
  readonly memory: GuestMemory;

  constructor(memory: GuestMemory) {
    this.memory = memory;
  }
}
