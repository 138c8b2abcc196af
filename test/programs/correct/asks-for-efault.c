// Finds out whether memory is there by asking the kernel, which answers EFAULT: that is no error.
// stdout: 1 1
// stdout: 0 0
// stdout: 0
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int is_there(const void *address)
{
    return access(address, F_OK) == 0 || errno != EFAULT;
}

int main(void)
{
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    printf("%d %d\n", is_there("text"), is_there(page));
    mprotect(page, 4096, PROT_NONE);
    printf("%d %d\n", is_there((void *)8), is_there(page));
    munmap(page, 4096);
    printf("%d\n", is_there(page));
    return 0;
}
