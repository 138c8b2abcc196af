// One system call with one byte of input in the way (test/end-to-end/feasible-paths.test.ts): as an argument, or in what an
// argument points to. What comes of it is told in ones and zeros, a branch each, so that what differs is another path.
//
// words: number, six arguments (a number, "x", or "p0" to "p5" for a buffer), four values of x, the buffer that has the byte
// (-1: none) and where, the buffers' content
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static union { char bytes[4096]; uint64_t words[512]; } buffers[6];
static char told[4096];
static int length;

__attribute__((noinline)) static void zero(void) { told[length++] = '0'; }
__attribute__((noinline)) static void one(void) { told[length++] = '1'; }

static void tell(uint64_t value)
{
    value ^= value >> 32;
    value ^= value >> 16;
    for (int bit = 0; bit < 16; bit++)
        if (value >> bit & 1)
            one();
        else
            zero();
    told[length++] = ' ';
}

static uint64_t sum(const void *from, size_t size)
{
    const unsigned char *bytes = from;
    uint64_t all = 0;
    for (size_t at = 0; at < size; at++) all ^= (uint64_t)bytes[at] << (at % 23);
    return all;
}

/* What the call may have left behind, as far as other calls show it. */
static void look(int plain, int empty)
{
    struct stat status;
    char text[64] = { 0 };
    tell(lseek(plain, 0, SEEK_CUR));
    tell(fcntl(plain, F_GETFL) + 16 * fcntl(plain, F_GETFD));
    if (fstat(plain, &status) == 0) tell(status.st_size * 8 + status.st_mode + status.st_mtime);
    tell(pread(plain, text, 16, 0));
    tell(sum(text, 16));
    if (stat("plain", &status) == 0) tell(status.st_size * 8 + status.st_mode + status.st_mtime);
    if (stat("qlain", &status) == 0) tell(status.st_size * 8 + status.st_mode);
    memset(text, 0, sizeof text);
    tell(readlink("link", text, 16));
    tell(sum(text, 16));
    memset(text, 0, sizeof text);
    tell(read(empty, text, 16));
    tell(sum(text, 16));
    tell(umask(022));
    struct itimerval timer;
    if (getitimer(ITIMER_REAL, &timer) == 0) tell(timer.it_value.tv_sec);
    sigset_t mask;
    sigemptyset(&mask);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    tell(sum(&mask, 8));
    memset(text, 0, sizeof text);
    tell(getcwd(text, sizeof text) != NULL ? sum(text, sizeof text) : 1);
    struct pollfd other = { .fd = 6, .events = POLLOUT };
    tell(poll(&other, 1, 0) * 64 + other.revents);
}

static void handler(int signal) { tell(signal); }

int main(int argc, char **argv)
{
    if (argc < 17) return 9;
    unsigned char in = 0;
    if (read(0, &in, 1) != 1) return 8;
    long values[4];
    for (int n = 0; n < 4; n++) values[n] = strtol(argv[8 + n], NULL, 0);
    long x = values[in & 3];
    int plain = open("plain", O_RDWR | O_CREAT | O_TRUNC, 0644);
    int ends[2];
    if (plain != 3 || write(plain, "0123456789", 10) != 10 || pipe2(ends, O_NONBLOCK) != 0) return 7;
    lseek(plain, 2, SEEK_SET);
    symlink("plain", "link");
    signal(SIGUSR1, handler);
    for (int n = 0; n < 6; n++) strcpy(buffers[n].bytes, argv[14 + (n < argc - 14 ? n : 0)]);
    int place = atoi(argv[12]);
    if (place >= 0) buffers[place].bytes[atoi(argv[13])] = x;
    long words[6];
    for (int n = 0; n < 6; n++) {
        const char *word = argv[2 + n];
        words[n] = word[0] == 'x'   ? x
                   : word[0] == 'p' ? (long)&buffers[word[1] - '0']
                                    : strtol(word, NULL, 0);
    }
    long result = syscall(atoi(argv[1]), words[0], words[1], words[2], words[3], words[4], words[5]);
    tell(result < 0 ? 1000 + errno : result);
    for (int n = 0; n < 6; n++) tell(sum(&buffers[n], 200));
    look(plain, ends[0]);
    told[length++] = '\n';
    write(1, told, length);
    _exit(0);
}
