// Runs all tests, one after the other.
#include "run.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options options = { .rounds = 10000, .seed = 1, .pinned = 1, .port = 1, .limit = 100, .processes = 1, .tcp = 17171, .out = "results.jsonl" };

static const char usage[] =
    "usage: ./run [options]: all nodes in this process, on one card\n"
    "       ./run --nodes a,b,c --me 0 [options]: one process a node; this is the first. The others find it by its name\n"
    "  --rounds N    rounds of each test (10000)\n"
    "  --out FILE    the results (results.jsonl)\n"
    "  --only NAME   one test\n"
    "  --relaxed     regions with IBV_ACCESS_RELAXED_ORDERING, but those that are strict\n"
    "  --seed N      where chance begins (1)\n"
    "  --device NAME, --port N, --gid N   the card (the first), its port (1), and the index of its address (0)\n"
    "  --settle US   time at the end of a round, for fabrics on which nothing is in order (0)\n"
    "  --limit MS    how long a round may take (100)\n"
    "  --tcp PORT    where processes meet (17171)\n"
    "  --unpinned    threads stay on no core\n";

static uint64_t number(const char *name, const char *value, uint64_t least, uint64_t most)
{
    char *end;
    unsigned long long n = strtoull(value, &end, 10);
    if (*value >= '0' && *value <= '9' && *end == 0 && n >= least && n <= most)
        return n;
    fprintf(stderr, "remora: --%s %s: a number from %llu to %llu\n", name, value, (unsigned long long)least, (unsigned long long)most);
    exit(2);
}

static void hosts(char *list)
{
    options.processes = 0;
    for (char *host = strtok(list, ","); host != NULL; host = strtok(NULL, ",")) {
        if (options.processes == REMORA_MOST) {
            fprintf(stderr, "remora: --nodes has at most %d\n", REMORA_MOST);
            exit(2);
        }
        options.hosts[options.processes++] = host;
    }
}

static void read_options(int argc, char **argv)
{
    static const struct option all[] = { { "rounds", 1, 0, 'r' }, { "out", 1, 0, 'o' }, { "only", 1, 0, 'y' }, { "relaxed", 0, 0, 'x' },
        { "seed", 1, 0, 's' }, { "device", 1, 0, 'd' }, { "port", 1, 0, 'p' }, { "gid", 1, 0, 'g' }, { "settle", 1, 0, 'w' },
        { "limit", 1, 0, 'l' }, { "nodes", 1, 0, 'n' }, { "me", 1, 0, 'm' }, { "tcp", 1, 0, 't' }, { "unpinned", 0, 0, 'u' },
        { "help", 0, 0, 'h' }, { 0, 0, 0, 0 } };
    int one, has_me = 0;

    while ((one = getopt_long(argc, argv, "o:h", all, NULL)) != -1) {
        switch (one) {
        case 'r': options.rounds = number("rounds", optarg, 1, UINT32_MAX); break;
        case 'o': options.out = optarg; break;
        case 'y': options.only = optarg; break;
        case 'x': options.relaxed = 1; break;
        case 's': options.seed = number("seed", optarg, 0, UINT32_MAX); break;
        case 'd': options.device = optarg; break;
        case 'p': options.port = (int)number("port", optarg, 1, 255); break;
        case 'g': options.gid = (int)number("gid", optarg, 0, 255); break;
        case 'w': options.settle = (int)number("settle", optarg, 0, 1000000); break;
        case 'l': options.limit = (int)number("limit", optarg, 1, 1000000); break;
        case 'n': hosts(optarg); break;
        case 'm': options.me = (int)number("me", optarg, 0, REMORA_MOST - 1); has_me = 1; break;
        case 't': options.tcp = (uint16_t)number("tcp", optarg, 1, 65535); break;
        case 'u': options.pinned = 0; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(2);
        }
    }
    if (optind < argc || options.processes == 0 || options.me >= options.processes || has_me != (options.processes > 1)) {
        fputs(usage, stderr);
        exit(2);
    }
}

static int is_chosen(const struct remora_test *test)
{
    return options.only == NULL || strcmp(options.only, test->name) == 0;
}

// Tests that are the same give the same number (FNV-1a).
static uint64_t number_of(const struct remora_test *const *tests)
{
    uint64_t number = 0xcbf29ce484222325u;

    for (; *tests != NULL; tests++)
        for (const char *at = (*tests)->program; is_chosen(*tests) && *at != 0; at++)
            number = (number ^ (unsigned char)*at) * 0x100000001b3u;
    return number;
}

int main(int argc, char **argv)
{
    struct { uint64_t rounds, seed, tests; int relaxed; } mine, all[REMORA_MOST];
    int found = 0;

    read_options(argc, argv);
    wire_open();
    memset(&mine, 0, sizeof mine);
    mine.tests = number_of(remora_tests);
    mine.rounds = options.rounds;
    mine.seed = options.seed;
    mine.relaxed = options.relaxed;
    wire_gather(&mine, sizeof mine, all);
    for (int i = 0; i < options.processes; i++)
        if (memcmp(&all[i], &mine, sizeof mine) != 0)
            remora_fail("the nodes have other tests or options");
    card_open();
    results_open();
    for (int i = 0; remora_tests[i] != NULL; i++) {
        const struct remora_test *test = remora_tests[i];
        struct states states = { 0 };
        if (!is_chosen(test))
            continue;
        found++;
        const char *lacks = card_lacks(test);
        if (lacks == NULL)
            rounds_of(test, &states);
        results_add(test, &states, lacks);
        free(states.values);
        free(states.times);
    }
    if (found == 0)
        remora_fail("there is no such test");
    results_close();
    card_close();
    return 0;
}
