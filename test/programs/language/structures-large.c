// Structures above 16 bytes: by value they are copies; returned through hidden pointers; nested and in expressions.
// stdout: 832040
// stdout: 1
// stdout: left-right 10
// stdout: root boot boot
// stdout: cccbbd 3
#include <stdio.h>
#include <string.h>

struct matrix { double m[3][3]; };
struct name { char text[40]; int length; };
struct tree { struct tree *left, *right; struct name name; };

static struct matrix identity(void)
{
    struct matrix r = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    return r;
}

static struct matrix multiply(struct matrix a, struct matrix b)
{
    struct matrix r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r.m[i][j] = 0;
            for (int k = 0; k < 3; k++)
                r.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    a.m[0][0] = 1e9;
    return r;
}

static struct matrix power(struct matrix base, int exponent)
{
    return exponent == 0 ? identity() : multiply(base, power(base, exponent - 1));
}

static struct name name(const char *text)
{
    struct name n = { .length = (int)strlen(text) };
    strcpy(n.text, text);
    return n;
}

static struct name join(struct name a, struct name b)
{
    strcat(a.text, b.text);
    a.length += b.length;
    return a;
}

int main(void)
{
    struct matrix fibonacci = { { { 1, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } } };
    printf("%g\n", power(fibonacci, 30).m[0][1]);
    printf("%g\n", fibonacci.m[0][0]);
    struct name n = join(join(name("left"), name("-")), name("right"));
    printf("%s %d\n", n.text, n.length);
    struct tree leaf = { .name = n }, root = { &leaf, NULL, name("root") };
    struct tree copy = root;
    copy.name.text[0] = 'b';
    *copy.left = copy;
    printf("%s %s %s\n", root.name.text, leaf.name.text, copy.left->name.text);
    struct name names[3] = { name("a"), name("bb"), name("ccc") };
    names[0] = names[2];
    names[2] = name("d");
    printf("%s%s%s %d\n", names[0].text, names[1].text, names[2].text, (names[1].length > 1 ? names[0] : names[2]).length);
    return 0;
}
