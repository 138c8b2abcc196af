/* What the system says of itself: glibc's figures. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "glibc.h"

/* By the number of the name; figures that depend on the machine are left to our libc. */
static const struct {
    short name;
    long value;
} FIGURES[] = {
    {0, 2097152},   {3, 65536},      {5, 16},         {6, -1},          {10, 200809},     {13, 200809},
    {14, 200809},   {25, 20},        {31, 32},        {32, -1},         {40, 255},        {42, 32},
    {43, 2048},     {44, 32767},     {45, 2048},      {48, 200809},     {51, 200809},     {52, 200809},
    {69, 1024},     {70, 1024},      {74, 1024},      {75, 16384},      {80, 200809},     {81, 200809},
    {87, 2147483647}, {88, 8192},    {90, 4},         {95, 200809},     {96, 200809},     {98, 1},
    {99, 1},        {100, 1},        {101, 8},        {102, 127},       {103, -128},      {104, 2147483647},
    {105, -2147483648L}, {106, 64},  {107, 32},       {108, 16},        {110, 32767},     {111, 127},
    {112, -128},    {113, 32767},    {114, -32768},   {115, 255},       {116, 4294967295L}, {118, 65535},
    {119, 4096},    {120, 2048},     {121, 2147483647}, {122, 2147483647}, {123, 2147483647}, {124, 2147483647},
    {129, 1},       {130, 1},        {131, 1},        {173, -1},        {174, -1},        {180, 64},
    {246, -1},
};

long glibc_sysconf(int name) {
    for (size_t k = 0; k < sizeof FIGURES / sizeof *FIGURES; k++)
        if (FIGURES[k].name == name) return FIGURES[k].value;
    return sysconf(name);
}

size_t glibc_confstr(int name, char *buffer, size_t size) {
    static const char *const texts[] = {"/bin:/usr/bin",   "POSIX_V6_LP64_OFF64", "glibc 2.36", "NPTL 2.36",
                                        "XBS5_LP64_OFF64", "POSIX_V7_LP64_OFF64"};
    if (name < 0 || name >= (int)(sizeof texts / sizeof *texts)) return confstr(name, buffer, size);
    size_t length = strlen(texts[name]) + 1;
    if (size) {
        size_t copied = length < size ? length : size;
        memcpy(buffer, texts[name], copied);
        buffer[copied - 1] = 0;
    }
    return length;
}
