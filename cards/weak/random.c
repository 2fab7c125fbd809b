// Numbers by chance, from the seed (splitmix64), and the habits of the card: how patient it is, and with which steps. It changes them from
// time to time, since different habits show more than a long run with the same.
#include "card.h"

// So long it keeps its habits, in steps.
enum { HABITS = 512 };

static const uint64_t STRIDE = 0x9e3779b97f4a7c15U;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

uint64_t draw(uint64_t below) { return mix(room->random += STRIDE) % below; }

void draw_habits(void) {
  room->habits = room->clock / HABITS;
  room->random = mix(settings.seed * STRIDE + ~room->habits);
  room->patience = 1U << draw(4);
  room->zeal = 32U << draw(3);
  for (unsigned k = 0; k < STEP_KINDS; k++) room->weight[k] = 1U << draw(8);
}

void draw_anew(void) {
  if (room->clock / HABITS != room->habits) draw_habits();
  room->random = mix(settings.seed * STRIDE + room->clock);
}

void draw_for_call(void) {
  if (room->asked_since != room->clock) room->asked = 0, room->asked_since = room->clock;
  room->random = mix(mix(settings.seed * STRIDE + room->clock) + ++room->asked);
}

bool is_eager(void) { return draw(256) < room->zeal; }

bool is_patient(void) { return mix(settings.seed + (room->rounds += STRIDE)) % room->patience != 0; }
