// What the environment asks for: REMORA_CARD_FABRIC, _SEED, _LOG, _ROOM, _BREAK.
#include "card.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings settings;

static const struct fabric fabrics[] = {
    {.name = "tso"},
    {.name = "nopcie", .no_pcie = true},
    {.name = "manpage", .manpage = true},
    {.name = "ro", .relaxed = true},
    {.name = "ro-tagged", .tagged = true},
    {.name = "ro-either", .relaxed = true, .either = true},
    {.name = "ro-atomic", .relaxed = true, .atomic = true},
    {.name = "ro-manpage", .relaxed = true, .manpage = true},
    {.name = "ro-recvown", .relaxed = true, .receive_own = true},
    {.name = "unordered", .relaxed = true, .unordered = true},
    {.name = "ooo-rw", .out_of_order = true},
    {.name = "srd", .bag = true},
};

static const char *const rules[] = {
    [PUT_ORDER] = "put-order",
    [MEMORY_ORDER] = "memory-order",
    [READ_PUSHES] = "read-pushes",
    [READ_AFTER_PUT] = "read-after-put",
    [ANSWER_ORDER] = "answer-order",
    [ANSWER_COMPLETION] = "answer-completion",
    [SOURCE_COMPLETION] = "source-completion",
    [FENCE] = "fence",
    [ATOMIC_UNIT] = "atomic-unit",
    [RECEIVE_COMPLETION] = "receive-completion",
};

static void say(const char *format, va_list arguments) {
  char text[512];
  vsnprintf(text, sizeof text, format, arguments);
  // One call, so that lines of several processes are not mixed.
  dprintf(STDERR_FILENO, "remora card: %s\n", text);
}

void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

void give_up(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  _exit(3);
}

static const struct fabric *fabric_named(const char *name) {
  for (size_t k = 0; k < sizeof fabrics / sizeof *fabrics; k++)
    if (strcmp(fabrics[k].name, name) == 0) return &fabrics[k];
  char all[256] = "";
  for (size_t k = 0; k < sizeof fabrics / sizeof *fabrics; k++) {
    if (k > 0) strcat(all, ", ");
    strcat(all, fabrics[k].name);
  }
  give_up("REMORA_CARD_FABRIC: there is no fabric %s, only %s", name, all);
}

static enum rule rule_named(const char *name) {
  for (size_t k = 1; k < sizeof rules / sizeof *rules; k++)
    if (strcmp(rules[k], name) == 0) return (enum rule)k;
  give_up("REMORA_CARD_BREAK: there is no rule %s", name);
}

static uint64_t number_in(const char *text) {
  char *end;
  errno = 0;
  const uint64_t seed = strtoull(text, &end, 10);
  if (errno != 0 || *end != '\0' || end == text) give_up("REMORA_CARD_SEED: %s is no number", text);
  return seed;
}

static const char *given(const char *name) {
  const char *value = getenv(name);
  return value != NULL && *value != '\0' ? value : NULL;
}

void read_settings(void) {
  const char *fabric = given("REMORA_CARD_FABRIC"), *seed = given("REMORA_CARD_SEED"), *rule = given("REMORA_CARD_BREAK");
  settings = (struct settings){
      .fabric = fabric_named(fabric != NULL ? fabric : "tso"),
      .seed = seed != NULL ? number_in(seed) : 1,
      .log = given("REMORA_CARD_LOG"),
      .room = given("REMORA_CARD_ROOM"),
      .broken = rule != NULL ? rule_named(rule) : NO_RULE,
      .broken_name = rule,
  };
}
