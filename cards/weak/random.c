// Numbers by chance, from the seed (splitmix64), and the habits of a run: how patient the card is, and with which steps. Runs
// with different habits show more than many runs with the same.
#include "card.h"

static uint64_t next(void) {
  uint64_t z = (room->random += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

uint64_t draw(uint64_t below) { return next() % below; }

void draw_habits(void) {
  room->patience = 1U << draw(4);
  for (unsigned k = 0; k < STEP_KINDS; k++) room->weight[k] = 1U << draw(4);
}
