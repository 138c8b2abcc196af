// Messages, semaphores and shared memory of System V between a process and its children, and memory mapped as shared.
// stdout: asked: 6 words!
// stdout: lowest type: 2 bb
// stdout: too long 1, cut 3, none 1
// stdout: queue: 1 messages, 2 bytes
// stdout: removed: 1
// stdout: semaphore 3, after the child 5, undone 3
// stdout: not ready: 1, together: 1 4
// stdout: segment: from the child, 2 attached, 1 after
// stdout: counter 30
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
    long type;
    char text[32];
};

static void send(int queue, long type, const char *text)
{
    struct message message = {.type = type};
    strcpy(message.text, text);
    msgsnd(queue, &message, strlen(text), 0);
}

static void messages(void)
{
    int queue = msgget(IPC_PRIVATE, 0600);
    struct message got = {0};
    pid_t child = fork();
    if (child == 0) {
        send(queue, 7, "words!");
        _exit(0);
    }
    long size = msgrcv(queue, &got, sizeof got.text, 7, 0);
    printf("asked: %ld %.*s\n", size, (int)size, got.text);
    waitpid(child, NULL, 0);
    send(queue, 5, "aaaa");
    send(queue, 2, "bb");
    send(queue, 3, "cc");
    size = msgrcv(queue, &got, sizeof got.text, -4, 0);
    printf("lowest type: %ld %.*s\n", got.type, (int)size, got.text);
    int too_long = msgrcv(queue, &got, 3, 5, 0) < 0 && errno == E2BIG;
    long cut = msgrcv(queue, &got, 3, 5, MSG_NOERROR);
    int none = msgrcv(queue, &got, 3, 99, IPC_NOWAIT) < 0 && errno == ENOMSG;
    printf("too long %d, cut %ld, none %d\n", too_long, cut, none);
    struct msqid_ds status;
    msgctl(queue, IPC_STAT, &status);
    printf("queue: %d messages, %d bytes\n", (int)status.msg_qnum, (int)status.__msg_cbytes);
    msgctl(queue, IPC_RMID, NULL);
    printf("removed: %d\n", msgsnd(queue, &got, 1, 0) < 0 && (errno == EINVAL || errno == EIDRM));
}

static void semaphores(void)
{
    int set = semget(IPC_PRIVATE, 2, 0600), before, after;
    struct sembuf up = {0, 3, 0}, kept = {0, 2, 0}, undone = {0, 2, SEM_UNDO};
    semop(set, &up, 1);
    before = semctl(set, 0, GETVAL);
    if (fork() == 0) {
        semop(set, &kept, 1);
        _exit(0);
    }
    wait(NULL);
    after = semctl(set, 0, GETVAL);
    semctl(set, 0, SETVAL, 3);
    if (fork() == 0) {
        semop(set, &undone, 1);
        _exit(0);
    }
    wait(NULL);
    printf("semaphore %d, after the child %d, undone %d\n", before, after, semctl(set, 0, GETVAL));
    struct sembuf both[] = {{0, -1, IPC_NOWAIT}, {1, -1, IPC_NOWAIT}}, moved[] = {{0, 1, 0}, {1, 1, 0}};
    int refused = semop(set, both, 2) < 0 && errno == EAGAIN && semctl(set, 0, GETVAL) == 3;
    semop(set, moved, 2);
    printf("not ready: %d, together: %d %d\n", refused, semctl(set, 1, GETVAL), semctl(set, 0, GETVAL));
    semctl(set, 0, IPC_RMID);
}

static void memory(void)
{
    int segment = shmget(0x1234, 100, IPC_CREAT | 0600);
    char *here = shmat(segment, NULL, 0);
    struct shmid_ds status;
    int *counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    strcpy(here, "from the parent");
    if (fork() == 0) {
        char *there = shmat(shmget(0x1234, 0, 0), NULL, 0);
        if (strcmp(there, "from the parent") == 0)
            strcpy(there + 5, "the child");
        shmctl(segment, IPC_STAT, &status);
        sprintf(there + 50, "%d attached", (int)status.shm_nattch - 1);
        *counter = 10;
        _exit(0);
    }
    wait(NULL);
    shmctl(segment, IPC_STAT, &status);
    printf("segment: %s, %s, %d after\n", here, here + 50, (int)status.shm_nattch);
    shmdt(here);
    shmctl(segment, IPC_RMID, NULL);
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            *counter += 10;
            _exit(0);
        }
        wait(NULL);
    }
    printf("counter %d\n", *counter);
}

int main(void)
{
    setbuf(stdout, NULL);
    messages();
    semaphores();
    memory();
    return 0;
}
