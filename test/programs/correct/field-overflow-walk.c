// What correct programs do with fields: all of this must stay silent.
// options: --fields
// stdout: 10 xxxxxxx a longer text 9
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int key;
    char label[4];
};

struct record {
    char first[8];
    char second[8];
    int numbers[4];
    struct item items[3];
    union {
        char bytes[4];
        long whole;
    } any;
    char tail[1];
};

struct trailing {
    int count;
    char text[];
};

static struct record record;

static struct record *record_of(char *second)
{
    return (struct record *)(second - offsetof(struct record, second));
}

static int sum(const int *from, const int *end)
{
    int all = 0;
    while (from < end)
        all += *from++;
    return all;
}

int main(int argc, char **argv)
{
    (void)argv;
    /* The whole structure, through its first field. */
    memset(record.first, 0, sizeof record);
    struct record *copy = malloc(sizeof *copy);
    memcpy(copy->first, record.first, sizeof *copy);
    /* Up to the last byte, and the address behind it. */
    for (char *at = copy->second; at < copy->second + sizeof copy->second; at++)
        *at = 'x';
    copy->second[sizeof copy->second - argc] = 0;
    for (int i = 0; i < 4; i++)
        copy->numbers[i] = i;
    /* From a field back to what holds it. */
    char *second = copy->second;
    record_of(second)->numbers[argc] = 5;
    ((struct record *)((char *)copy->numbers - offsetof(struct record, numbers)))->items[2].key = 9;
    /* Structures in a field, unions, last fields. */
    for (int i = 0; i < 3; i++)
        strcpy(copy->items[i].label, "abc");
    for (size_t i = 0; i < sizeof copy->any; i++)
        copy->any.bytes[i] = (char)i;
    struct trailing *trailing = malloc(sizeof *trailing + 20);
    strcpy(trailing->text, "a longer text");
    trailing->text[argc + 15] = 0;
    /* Nothing is written. */
    snprintf(copy->first, 0, "%s", "much too long for it");
    fread(copy->first, 1, 0, stdin);
    printf("%d %s %s %d\n", sum(copy->numbers, copy->numbers + 4), copy->second, trailing->text, copy->items[2].key);
    free(copy);
    free(trailing);
    return 0;
}
