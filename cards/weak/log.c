// The log of a run: a line for each step, in the order in which they were taken, all processes in one file.
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int file = -1;

void open_log(void) {
  if (settings.log == NULL) return;
  file = open(settings.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) give_up("the log %s cannot be written: %s", settings.log, strerror(errno));
}

static void write_line(const char *text, int length) {
  if (write(file, text, (size_t)length) == length) return;
  complain("the log %s ends here: %s", settings.log, errno != 0 ? strerror(errno) : "no space is left");
  close(file);
  file = -1;
}

static const char *const names[] = {[PUT] = "put", [GET] = "get", [CAS] = "cas", [FAA] = "faa", [MESSAGE] = "send", [FLUSH] = "flush"};

void note(const struct queue_pair *q, const struct work *w, const char *format, ...) {
  if (file < 0) return;
  char what[160], line[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  const int length = snprintf(line, sizeof line, "%8" PRIu64 "  process %d  qp %-4u %4s %-5" PRIu64 " %s\n", room->clock, self,
                              q->number, names[w->operation], w->number, what);
  errno = 0;
  write_line(line, length);
}

const char *place(uint64_t address, char *text, size_t size) {
  for (unsigned k = 0; k < REGIONS; k++) {
    const struct region *region = &room->region[k];
    const uint64_t start = (uintptr_t)region->start;
    if (region->used && region->process == self && address >= start && address - start < region->length) {
      snprintf(text, size, "region %u + %" PRIu64, region->key & (REGIONS - 1), address - start);
      return text;
    }
  }
  snprintf(text, size, "0x%" PRIx64, address);
  return text;
}

const char *bytes(const unsigned char *data, size_t length, char *text, size_t size) {
  if (length == 0) {
    snprintf(text, size, "nothing");
  } else if (length <= 8) {
    uint64_t value = 0;
    memcpy(&value, data, length);
    snprintf(text, size, "%" PRIu64, value);
  } else {
    snprintf(text, size, "%zu bytes", length);
  }
  return text;
}
