import type { Replacement } from './replacement.js';

const CONTRACT = 'let contract(r) = r | atomic ; (r \\ rmw) | (r \\ rmw) ; atomic';

/** The two models for which an atomic is one step. */
export const CONTRACTED: readonly Replacement[] = [
  [
    'contract-before',
    'what comes after the read part need not come after the write part',
    CONTRACT,
    'let contract(r) = r | (r \\ rmw) ; atomic',
    'weaker',
  ],
  [
    'contract-after',
    'what comes before the write part need not come before the read part',
    CONTRACT,
    'let contract(r) = r | atomic ; (r \\ rmw)',
    'weaker',
  ],
  [
    'contract-itself',
    'a read part comes before itself',
    CONTRACT,
    'let contract(r) = r | atomic ; r | r ; atomic',
    'stronger',
  ],
];
