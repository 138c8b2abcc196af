// A name of the length of its field leaves no room for the end of the text, which overwrites what follows in the structure.
// options: --fields
// native: none (within one object)
#include <stdio.h>
#include <string.h>

struct user {
    int id;
    char name[8];
    int is_admin;
};

static void rename_user(struct user *user, const char *name)
{
    strcpy(user->name, name); // expect: field-overflow write
}

int main(void)
{
    static struct user users[3];
    rename_user(&users[1], "short");
    rename_user(&users[1], "much longer");
    printf("%d\n", users[1].is_admin);
    return 0;
}
