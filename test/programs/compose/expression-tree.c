// Arithmetic on one line of standard input: text to tokens, tokens to a tree, the tree to a number.
#include <stdio.h>
#include <stdlib.h>

struct node {
    char operator; // or 'n', a number
    int value;
    struct node *left, *right;
};

static const char *at;
static struct node pool[16];
static int used;

static struct node *make(char operator, int value, struct node *left, struct node *right)
{
    if (used == 16) {
        printf("too long\n");
        exit(1);
    }
    pool[used] = (struct node){operator, value, left, right};
    return &pool[used++];
}

static struct node *sum(void);

static struct node *atom(void)
{
    if (*at == '(') {
        at++;
        struct node *inner = sum();
        if (inner == NULL || *at != ')')
            return NULL;
        at++;
        return inner;
    }
    if (*at < '0' || *at > '9')
        return NULL;
    return make('n', *at++ - '0', NULL, NULL);
}

static struct node *product(void)
{
    struct node *left = atom();
    while (left != NULL && (*at == '*' || *at == '/')) {
        char operator = *at++;
        struct node *right = atom();
        left = right == NULL ? NULL : make(operator, 0, left, right);
    }
    return left;
}

static struct node *sum(void)
{
    struct node *left = product();
    while (left != NULL && (*at == '+' || *at == '-')) {
        char operator = *at++;
        struct node *right = product();
        left = right == NULL ? NULL : make(operator, 0, left, right);
    }
    return left;
}

static int apply(char operator, int a, int b)
{
    switch (operator) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return (int)((long long)a * b % 10000);
    default: return a / b; // FAILS
    }
}

static int evaluate(const struct node *node)
{
    if (node->operator == 'n')
        return node->value;
    int left = evaluate(node->left), right = evaluate(node->right);
    return apply(node->operator, left, right);
}

int main(void)
{
    char line[16];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    at = line;
    struct node *tree = sum();
    if (tree == NULL || (*at != '\n' && *at != '\0'))
        return 1;
    printf("%d\n", evaluate(tree));
    return 0;
}
