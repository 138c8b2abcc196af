// What the table of bases (access-base.ts) has in the place of a variable's address or its offset in the frame. A file of its own,
// because a warm start reads the table and must not load the translator for it.

/** Nothing is known. */
export const NO_BASE = 0xffff_ffff;
/** The pointer is in the control block. */
export const POINTER_BASE = 0xffff_fffe;
