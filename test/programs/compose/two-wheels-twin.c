// Two wheels that are turned tooth by tooth: "left N" and "right N". What stands between them is a matter of how often two
// loops were run, and so of thousands of paths; on each of them it is a constant. But an input can come nearer and nearer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wheel {
    int tooth;
    int turns;
};

static int slack(const struct wheel *left, const struct wheel *right)
{
    int apart = left->tooth - right->tooth;
    return 5000 / (apart - 1234); // WOULD FAIL
}

static void turn(struct wheel *wheel, int teeth)
{
    for (int n = 0; n < teeth; n++) {
        wheel->tooth++;
        if (wheel->tooth % 60 == 0)
            wheel->turns++;
    }
}

static int order(char *line, struct wheel *left, struct wheel *right)
{
    char *space = strchr(line, ' ');
    int teeth = space == NULL ? 0 : atoi(space);
    if (teeth < 0 || teeth > 4000)
        return 1;
    turn(line[0] == 'l' ? left : right, teeth);
    return 0;
}

static int balance(const struct wheel *left, const struct wheel *right)
{
    if (left->turns == 0 || right->turns == 0 || left->tooth == right->tooth + 1234)
        return 0;
    return slack(left, right);
}

int main(void)
{
    char line[40];
    struct wheel left = {0, 0}, right = {0, 0};
    while (fgets(line, sizeof line, stdin) != NULL)
        if (order(line, &left, &right) != 0)
            return 2;
    printf("%d\n", balance(&left, &right));
    return 0;
}
