#pragma once

struct tag {
    int length;
    char first;
};

/** Reads a name, up to a colon. */
int tag_read(const char *text, struct tag *out);
/** Counts the words of a text of so many bytes, behind which a zero must be. */
int tag_words(const char *text, unsigned long size);
