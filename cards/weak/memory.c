// Regions, and moving bytes between them and what is under way.
#include "card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias)) word8;
typedef uint32_t __attribute__((may_alias)) word4;
typedef uint16_t __attribute__((may_alias)) word2;

static size_t word_at(const void *memory, size_t length) {
  size_t size = 8;
  while (size > length || (uintptr_t)memory % size != 0) size /= 2;
  return size;
}

// Aligned words of the program are read and written at once: it spins on them.
void load_words(void *to, const void *memory, size_t length) {
  unsigned char *t = to;
  const unsigned char *m = memory;
  for (size_t size; length > 0; t += size, m += size, length -= size) {
    size = word_at(m, length);
    const uint64_t word = size == 8   ? __atomic_load_n((const word8 *)m, __ATOMIC_ACQUIRE)
                          : size == 4 ? __atomic_load_n((const word4 *)m, __ATOMIC_ACQUIRE)
                          : size == 2 ? __atomic_load_n((const word2 *)m, __ATOMIC_ACQUIRE)
                                      : __atomic_load_n(m, __ATOMIC_ACQUIRE);
    memcpy(t, &word, size);
  }
}

void store_words(void *memory, const void *from, size_t length) {
  unsigned char *m = memory;
  const unsigned char *f = from;
  for (size_t size; length > 0; m += size, f += size, length -= size) {
    size = word_at(m, length);
    uint64_t word = 0;
    memcpy(&word, f, size);
    if (size == 8)
      __atomic_store_n((word8 *)m, word, __ATOMIC_RELEASE);
    else if (size == 4)
      __atomic_store_n((word4 *)m, (uint32_t)word, __ATOMIC_RELEASE);
    else if (size == 2)
      __atomic_store_n((word2 *)m, (uint16_t)word, __ATOMIC_RELEASE);
    else
      __atomic_store_n(m, (unsigned char)word, __ATOMIC_RELEASE);
  }
}

// Where byte `offset` of a list lies, and how many of `length` follow it there.
static uint32_t part_at(const struct ibv_sge *sge, unsigned sges, uint32_t offset, uint32_t length, unsigned char **memory) {
  for (unsigned k = 0; k < sges; offset -= sge[k].length, k++) {
    if (offset >= sge[k].length) continue;
    *memory = (unsigned char *)(uintptr_t)sge[k].addr + offset;
    const uint32_t here = sge[k].length - offset;
    return here < length ? here : length;
  }
  return 0;
}

void gather(const struct ibv_sge *sge, unsigned sges, uint32_t offset, unsigned char *to, uint32_t length) {
  unsigned char *memory;
  for (uint32_t size; (size = part_at(sge, sges, offset, length, &memory)) > 0; offset += size, to += size, length -= size)
    load_words(to, memory, size);
}

void scatter(const struct ibv_sge *sge, unsigned sges, uint32_t offset, const unsigned char *from, uint32_t length) {
  unsigned char *memory;
  for (uint32_t size; (size = part_at(sge, sges, offset, length, &memory)) > 0; offset += size, from += size, length -= size)
    store_words(memory, from, size);
}

// ---- regions ----

// A key is the place in the table and, above it, a count, so that keys of regions that are gone are not taken for later ones.
const struct region *region_of(uint32_t key, int process) {
  const struct region *region = &room->region[key & (REGIONS - 1)];
  return region->used && region->key == key && region->process == process ? region : NULL;
}

bool is_relaxed(const struct region *region) {
  if (settings.fabric->tagged) return (region->access & IBV_ACCESS_RELAXED_ORDERING) != 0;
  return settings.fabric->relaxed && (region->access & REMORA_ACCESS_STRICT) == 0;
}

static struct region *unused_region(void) {
  for (uint32_t k = 0; k < REGIONS; k++) {
    struct region *region = &room->region[(room->keys + k) & (REGIONS - 1)];
    if (region->used) continue;
    room->keys += k + 1;
    region->key = (room->keys & ~(uint32_t)(REGIONS - 1)) | (uint32_t)(region - room->region);
    return region;
  }
  return NULL;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access) {
  const bool writes = (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0;
  if (writes && (access & IBV_ACCESS_LOCAL_WRITE) == 0) return errno = EINVAL, NULL;
  struct ibv_mr *mr = calloc(1, sizeof *mr);
  if (mr == NULL) return NULL;
  lock();
  struct region *region = unused_region();
  if (region != NULL) {
    *region = (struct region){true, region->key, pd_number(pd), self, iova, address, length, (int)access};
    *mr = (struct ibv_mr){pd->context, pd, address, length, region->key, region->key, region->key};
  }
  unlock();
  if (region != NULL) return mr;
  free(mr);
  return errno = ENOMEM, NULL;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
  return ibv_reg_mr_iova2(pd, address, length, (uintptr_t)address, (unsigned)access);
}

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, int access) {
  return ibv_reg_mr_iova2(pd, address, length, iova, (unsigned)access);
}

// Afterwards the program may give the memory back, so what is pending there comes into it now.
int ibv_dereg_mr(struct ibv_mr *mr) {
  lock();
  machine_flush(self, mr->addr, mr->length);
  room->region[mr->lkey & (REGIONS - 1)].used = false;
  unlock();
  free(mr);
  return 0;
}
