// Polls more descriptors than there are in the list: the count is that of the capacity, in bytes.
// stdout: 0
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    struct pollfd *list = calloc(2, sizeof *list);
    if (!list)
        return 1;
    list[0].fd = list[1].fd = -1;
    int ready = poll(list, 2, 0);
    printf("%d\n", ready);
    free(list);
    return 0;
}
