// Functions of libc that work by a format, by their names.

export const FORMATTING = /printf|scanf|strf(time|mon)/;
/** Those of them that are given their values as a list: the format may be that of the calling function's own caller. */
export const FORMATTING_LISTS = /^v\w*(printf|scanf)$/;
