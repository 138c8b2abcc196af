// Wide strings.
#ifndef WIDE_H
#define WIDE_H

#include <uchar.h>
#include <wchar.h>

int wide_class(const wchar_t *text);
int wide_units(const char16_t *text);

#endif
