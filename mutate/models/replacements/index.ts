import { ATOMICS } from './atomics.js';
import { DELIVERY } from './delivery.js';
import { PUBLISHED } from './published.js';
import { REGIONS } from './regions.js';
import type { Replacements } from './replacement.js';

/** What stands in the place of texts of one model's file. */
export const REPLACEMENTS: Replacements = { ...PUBLISHED, ...ATOMICS, ...REGIONS, ...DELIVERY };
