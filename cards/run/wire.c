// Processes find each other at the first one, and meet there: what each has to say goes to it, and comes back to all.
#include "run.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE = 30 };
static int sockets[REMORA_MOST];

static _Noreturn void lost(int process)
{
    char what[300];
    snprintf(what, sizeof what, "node %s (%d) went away", options.hosts[process], process);
    remora_fail(what);
}

static void all_of(int process, void *bytes, size_t size, int writes)
{
    for (size_t done = 0; done < size;) {
        char *at = (char *)bytes + done;
        ssize_t n = writes ? send(sockets[process], at, size - done, MSG_NOSIGNAL) : recv(sockets[process], at, size - done, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            lost(process);
        done += (size_t)n;
    }
}

static struct addrinfo *address(const char *host, int flags)
{
    char port[8];
    struct addrinfo *found, hints = { .ai_socktype = SOCK_STREAM, .ai_family = AF_UNSPEC, .ai_flags = flags };

    snprintf(port, sizeof port, "%u", options.tcp);
    int error = getaddrinfo(host, port, &hints, &found);
    if (error == 0)
        return found;
    fprintf(stderr, "remora: %s: %s\n", host == NULL ? "this node" : host, gai_strerror(error));
    exit(1);
}

static void at_once(int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

static void listen_for_all(void)
{
    struct addrinfo *own = address(NULL, AI_PASSIVE);
    int yes = 1, fd = socket(own->ai_family, SOCK_STREAM, 0);
    struct timeval wait = { .tv_sec = PATIENCE };

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    if (fd < 0 || bind(fd, own->ai_addr, own->ai_addrlen) != 0 || listen(fd, REMORA_MOST) != 0) {
        fprintf(stderr, "remora: port %u: %s\n", options.tcp, strerror(errno));
        exit(1);
    }
    freeaddrinfo(own);
    for (int come = 1; come < options.processes; come++) {
        int index, one = accept(fd, NULL, NULL);
        if (one < 0) {
            for (int i = 1; i < options.processes; i++)
                if (sockets[i] == 0)
                    fprintf(stderr, "remora: node %s (%d) did not come within %d s: nothing is written\n", options.hosts[i], i, PATIENCE);
            exit(1);
        }
        if (recv(one, &index, sizeof index, MSG_WAITALL) != sizeof index || index < 1 || index >= options.processes || sockets[index] != 0) {
            fprintf(stderr, "remora: who came is no node that is waited for: is --me given twice?\n");
            exit(1);
        }
        at_once(one);
        sockets[index] = one;
    }
    close(fd);
}

static void come(void)
{
    struct addrinfo *first = address(options.hosts[0], 0);

    for (int tries = 0; tries < PATIENCE * 10; tries++) {
        int fd = socket(first->ai_family, SOCK_STREAM, 0);
        if (fd >= 0 && connect(fd, first->ai_addr, first->ai_addrlen) == 0) {
            at_once(fd);
            sockets[0] = fd;
            all_of(0, &options.me, sizeof options.me, 1);
            freeaddrinfo(first);
            return;
        }
        close(fd);
        usleep(100000);
    }
    fprintf(stderr, "remora: node %s (0) is not there: %s\n", options.hosts[0], strerror(errno));
    exit(1);
}

void wire_open(void)
{
    if (options.processes == 1)
        return;
    if (options.me == 0)
        listen_for_all();
    else
        come();
}

void wire_gather(const void *mine, size_t size, void *all)
{
    int n = options.processes;

    memcpy((char *)all + (size_t)options.me * size, mine, size);
    if (options.me != 0) {
        all_of(0, (char *)all + (size_t)options.me * size, size, 1);
        all_of(0, all, (size_t)n * size, 0);
        return;
    }
    for (int i = 1; i < n; i++)
        all_of(i, (char *)all + (size_t)i * size, size, 0);
    for (int i = 1; i < n; i++)
        all_of(i, all, (size_t)n * size, 1);
}
