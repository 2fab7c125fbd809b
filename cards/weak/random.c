// Numbers by chance, from the seed (splitmix64), and the habits of a run: how patient the card is, and with which steps. Runs
// with different habits show more than many runs with the same.
#include "card.h"

static const uint64_t STRIDE = 0x9e3779b97f4a7c15U;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

uint64_t draw(uint64_t below) { return mix(room->random += STRIDE) % below; }

void draw_anew(void) { room->random = mix(settings.seed * STRIDE + room->clock); }

bool is_patient(void) { return mix(settings.seed + (room->rounds += STRIDE)) % room->patience != 0; }

void draw_habits(void) {
  draw_anew();
  room->patience = 1U << draw(4);
  for (unsigned k = 0; k < STEP_KINDS; k++) room->weight[k] = 1U << draw(4);
}
