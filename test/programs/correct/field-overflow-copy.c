// Names that fit their field with the end of the text, however they get there.
// options: --fields
// stdout: abc1234 1234567 much lo 0
#include <stdio.h>
#include <string.h>

struct user {
    int id;
    char name[8];
    int is_admin;
};

static void rename_user(struct user *user, const char *name)
{
    if (strlen(name) < sizeof user->name)
        strcpy(user->name, name);
    else
        snprintf(user->name, sizeof user->name, "%s", name);
}

int main(void)
{
    static struct user users[3];
    rename_user(&users[1], "1234567");
    rename_user(&users[2], "much longer");
    sprintf(users[0].name + 3, "%d", 1234);
    strncpy(users[0].name, "abc", 3);
    memset(users[0].name + 8, 0, 0);
    printf("%s %s %s %d\n", users[0].name, users[1].name, users[2].name, users[1].is_admin);
    return 0;
}
