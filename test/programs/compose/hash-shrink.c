// A hash table that shrinks by half when it is told to (-), grows by doubling (+), and is asked for keys (letters).
#include <stdio.h>

static unsigned char present[26];

struct table {
    unsigned buckets, keys;
};

static unsigned bucket_of(const struct table *table, char key)
{
    unsigned hash = (unsigned char)key * 2654435761u;
    return (hash >> 7) % table->buckets; // FAILS
}

static int insert(struct table *table, char key)
{
    if (present[key - 'a'])
        return -1;
    present[key - 'a'] = 1;
    table->keys++;
    return (int)bucket_of(table, key);
}

static void resize(struct table *table, int is_growing)
{
    if (is_growing && table->buckets < 64)
        table->buckets = table->buckets == 0 ? 1 : table->buckets * 2;
    else if (!is_growing && table->buckets > table->keys)
        table->buckets /= 2;
}

static int order(struct table *table, char letter)
{
    switch (letter) {
    case '+': resize(table, 1); return 0;
    case '-': resize(table, 0); return 0;
    default:
        if (letter < 'a' || letter > 'z')
            return -1;
        return insert(table, letter);
    }
}

static int serve(struct table *table, const char *text)
{
    int last = 0;
    for (; *text != '\0' && *text != '\n'; text++)
        last = order(table, *text);
    return last;
}

int main(void)
{
    struct table table = {2, 0};
    char line[12];
    while (fgets(line, sizeof line, stdin) != NULL)
        printf("%d\n", serve(&table, line));
    return 0;
}
