// The file of results: one line for the card, one for each test, and one for each final state that was seen. It is written when all tests
// are done: what was ended before leaves none.
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *file; // in memory, until then
static char *lines, draft[4096];
static size_t length;
static int is_plain; // no device or pipe, which are written to as they are
static int tests;

_Noreturn static void no_file(void)
{
    fprintf(stderr, "remora: %s cannot be written: %s\n", options.out, strerror(errno));
    _exit(1);
}

// Whether a file may be replaced: it is empty, or has results.
static int is_of_results(const char *path)
{
    static const char first[] = "{\"remora\":\"results ";
    char line[sizeof first] = "";
    FILE *there = fopen(path, "r");

    if (there == NULL)
        no_file();
    int is_empty = fgets(line, sizeof line, there) == NULL;
    fclose(there);
    return is_empty || strcmp(line, first) == 0;
}

// A file that cannot be written is no surprise at the end.
static void try_file(void)
{
    struct stat there;
    int exists = stat(options.out, &there) == 0;

    is_plain = !exists || S_ISREG(there.st_mode);
    if (exists && is_plain && !is_of_results(options.out))
        remora_fail("--out: this file is there, and has no results");
    int size = snprintf(draft, sizeof draft, is_plain ? "%s.unfinished" : "%s", options.out);
    if (size < 0 || (size_t)size >= sizeof draft)
        remora_fail("--out: this name is too long");
    FILE *tried = fopen(draft, "a");
    if (tried == NULL || fclose(tried) != 0 || (is_plain && remove(draft) != 0))
        no_file();
}

static void write_file(void)
{
    FILE *out = fopen(draft, "w");

    if (out == NULL)
        no_file();
    int is_written = fwrite(lines, 1, length, out) == length && fflush(out) == 0 && (!is_plain || fsync(fileno(out)) == 0);
    if (is_written && fclose(out) == 0 && (!is_plain || rename(draft, options.out) == 0))
        return;
    int problem = errno;
    if (is_plain)
        remove(draft);
    errno = problem;
    no_file();
}

static void text(const char *key, const char *value)
{
    fprintf(file, "\"%s\":\"", key);
    for (const unsigned char *at = (const unsigned char *)value; *at != 0; at++) {
        if (*at == '\n')
            fputs("\\n", file);
        else if (*at < ' ')
            fprintf(file, "\\u%04x", *at);
        else
            fprintf(file, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    }
    fputc('"', file);
}

static void processor(char *name, size_t size)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");

    snprintf(name, size, "unknown");
    while (info != NULL && fgets(line, sizeof line, info) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || value == NULL)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(name, size, "%s", value + 2);
        break;
    }
    if (info != NULL)
        fclose(info);
}

void results_open(void)
{
    char cpu[256];

    if (options.me != 0)
        return;
    try_file();
    file = open_memstream(&lines, &length);
    if (file == NULL)
        remora_fail("there is no memory");
    processor(cpu, sizeof cpu);
    fputs("{\"remora\":\"results 1\",", file);
    text("card", ibv_get_device_name(card.context->device));
    fprintf(file, ",\"vendor\":%" PRIu32 ",\"part\":%" PRIu32 ",", card.attr.vendor_id, card.attr.vendor_part_id);
    text("firmware", card.attr.fw_ver);
    fputc(',', file);
    text("driver", card.driver);
    fputc(',', file);
    text("cpu", cpu);
    fprintf(file, ",\"link\":\"%s\",\"processes\":%d,\"relaxed\":%s,\"pinned\":%s,\"rounds\":%" PRIu64 ",\"seed\":%" PRIu64 "}\n",
        card.port.link_layer == IBV_LINK_LAYER_ETHERNET ? "ethernet" : "infiniband", options.processes,
        options.relaxed ? "true" : "false", options.pinned ? "true" : "false", options.rounds, options.seed);
}

void results_add(const struct remora_test *test, const struct states *states, const char *left_out)
{
    if (options.me != 0)
        return;
    tests++;
    fputc('{', file);
    text("test", test->name);
    fprintf(file, ",\"rounds\":%" PRIu64 ",\"dropped\":%" PRIu64 ",", states->rounds, states->dropped);
    if (left_out != NULL) {
        text("leftOut", left_out);
        fputc(',', file);
    }
    text("program", test->program);
    fputs("}\n", file);
    for (size_t i = 0; i < states->count; i++) {
        fputs("{\"seen\":{", file);
        for (int n = 0; n < test->outcomes_count; n++)
            fprintf(file, "%s\"%s\":%" PRId64, n == 0 ? "" : ",", test->outcomes[n].name, states->values[i][n]);
        fprintf(file, "},\"times\":%" PRIu64 "}\n", states->times[i]);
    }
    if (left_out != NULL)
        printf("%s: left out: %s\n", test->name, left_out);
    else
        printf("%s: %" PRIu64 " rounds, %zu final states%s\n", test->name, states->rounds - states->dropped, states->count,
            states->dropped > 0 ? ", some rounds were given up" : "");
    fflush(stdout);
}

void results_close(void)
{
    if (options.me != 0)
        return;
    fprintf(file, "{\"tests\":%d}\n", tests);
    if (fclose(file) != 0)
        remora_fail("there is no memory");
    write_file();
    free(lines);
}

_Noreturn void remora_fail(const char *what)
{
    fprintf(stderr, "remora: %s: nothing is written\n", what);
    _exit(1);
}
