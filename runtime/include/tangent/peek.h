/* What the libc needs to be fast on ordinary data: raw looks at memory, guarded by its states. Defined in trusted code and
   small enough to be inlined everywhere. "Known" bytes may be read and are not symbolic; all others must go through
   ordinary C accesses, which are checked. */
#ifndef TANGENT_PEEK_H
#define TANGENT_PEEK_H

#include <stddef.h>
#include <stdint.h>

#define TANGENT_PURE __attribute__((pure))

/* How many of the first bytes of the granule that the address lies in are known: 0 to 8. */
TANGENT_PURE unsigned __tangent_known(unsigned address);
/* Whether the 8 bytes at an address of any alignment are known; the 64 bytes at a multiple of 8; all of a range. */
TANGENT_PURE int __tangent_known_8(unsigned address);
TANGENT_PURE int __tangent_known_64(unsigned address);
TANGENT_PURE int __tangent_known_range(uint64_t address, uint64_t size);
/* Eight bytes at any address, unchecked: they must exist. */
TANGENT_PURE uint64_t __tangent_peek(unsigned address);
/* Ends the run with a finding unless all of the range may be read, of which a function may then look at less. In a
   symbolic run it is asked for all addresses and sizes. */
void __tangent_read_range(uint64_t address, uint64_t size);
/* The same for a string: up to its end as it is on this run, or so many bytes. */
void __tangent_read_string(uint64_t address, uint64_t limit);
/* Which of the further detectors are on (TANGENT_DETECTS_...). */
TANGENT_PURE unsigned __tangent_detectors(void);
/* The function that a sort was given contradicts itself. */
_Noreturn void __tangent_bad_comparator(int how);
/* Not 0: the value depends on the input of a symbolic run. Tricks with whole words make formulas of it that nobody can read. */
unsigned __tangent_shadow(uint64_t value);
/* Copies and returns 1 if both ranges are allowed and do not overlap; else does nothing and returns 0. */
int __tangent_try_copy(uint64_t destination, uint64_t source, uint64_t size);
int __tangent_try_fill(uint64_t destination, int byte, uint64_t size);

#endif
