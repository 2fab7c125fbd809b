import { ALLOCATIONS } from './allocations.js';
import { ATOMICS } from './atomics.js';
import { BARRIERS } from './barriers.js';
import { BUILDERS } from './builders.js';
import type { Call } from './calls.js';
import { LOCKS } from './locks.js';
import { POLLS } from './completions.js';
import { CPU } from './cpu.js';
import { EXTENDED } from './extended.js';
import { POSTS } from './requests.js';
import { SETUP } from './setup.js';

/** The calls whose meaning is known, by name. */
export const BUILTINS: ReadonlyMap<string, Call> = new Map([
  ...POSTS,
  ...POLLS,
  ...EXTENDED,
  ...BUILDERS,
  ...ATOMICS,
  ...BARRIERS,
  ...CPU,
  ...LOCKS,
  ...SETUP,
  ...ALLOCATIONS,
]);
