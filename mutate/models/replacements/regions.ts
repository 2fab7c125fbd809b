import type { Replacement, Replacements } from './replacement.js';

/** What both models of relaxed ordering have. */
const RELAXED: readonly Replacement[] = (['nrW', 'nlW'] as const).flatMap((label) => {
  const line =
    label === 'nrW'
      ? '  \\ qpo & ((nrW \\ part) * ((nrW & rel) \\ part))'
      : '  \\ qpo & (nlW * (nlW & rel))';
  return [
    [`${label}-in-order`, `${label} as in rdma-tso`, `${line}\n`, '', 'stronger'],
    [
      `${label}-earlier`,
      `the earlier ${label} decides`,
      line,
      `  \\ qpo & ((${label} & rel) * ${label})`,
      'other',
    ],
    [
      `${label}-both`,
      `both ${label} have to be relaxed`,
      line,
      `  \\ qpo & ((${label} & rel) * (${label} & rel))`,
      'stronger',
    ],
  ] as const;
});

/** Both models of relaxed ordering: the write parts of atomics. */
const PARTS: readonly Replacement[] = [
  [
    'part-passes',
    'the write part of an atomic passes puts',
    '((nrW & rel) \\ part)',
    '(nrW & rel)',
    'weaker',
  ],
  ['part-passed', 'puts pass the write part of an atomic', '((nrW \\ part) *', '(nrW *', 'weaker'],
];

/** Which locations are relaxed where the default is that they are. */
const STRICT: Replacement = ['strict-ignored', 'all is relaxed', ' \\ strict', '', 'weaker'];

/** What may be in memory when it is polled. */
const COMPLETIONS: readonly Replacement[] = [
  ['pf-gets', 'a poll is for gets only', '[nW] ; covered', '[nlW] ; covered', 'weaker'],
  ['pf-puts', 'a poll is for puts only', '[nW] ; covered', '[nrW] ; covered', 'weaker'],
  ['pf-part', 'not for the write part of an atomic', ' | atomic ; resp ; pf', '', 'weaker'],
  ['pf-sends', 'not for messages', 'pf | filled^-1 ; pf |', 'pf |', 'weaker'],
  ['pf-none', 'a poll is for nothing', ' | [nW] ; covered', '', 'weaker'],
];

/** Where not each read of the other end pushes, an answer does not wait for puts by itself. */
const ANSWERS: Replacement = [
  'answers',
  'an answer waits for puts',
  ' \\ (qpo & (nrW * nlW) \\ same)',
  '',
  'stronger',
];

/** Relaxed ordering, the manual page, and inlined constants. */
export const REGIONS: Replacements = {
  'rdma-manpage': COMPLETIONS,
  'rdma-inline': [
    ['inlined-none', 'as rdma-tso', ' \\ (inlined * nlW | nlW * inlined)', '', 'stronger'],
    ['inlined-all', 'puts from memory are inlined, too', ' & literal', '', 'weaker'],
    [
      'inlined-others',
      'puts from memory are inlined, and no others',
      '& literal',
      '\\ literal',
      'other',
    ],
  ],
  'rdma-ro': [STRICT, ...RELAXED, ...PARTS],
  'rdma-ro-either': [
    STRICT,
    ['later', 'the later write decides', '(rel * _ | _ * rel)', '(_ * rel)', 'stronger'],
    ['earlier', 'the earlier write decides', '(rel * _ | _ * rel)', '(rel * _)', 'stronger'],
    ['puts', 'answers of gets are in order', ' | nlW * nlW', '', 'stronger'],
    ['gets', 'puts are in order', '(plain * plain | nlW * nlW)', '(nlW * nlW)', 'stronger'],
    ['part', 'the write parts of atomics, too', ' \\ range(rmw)', '', 'weaker'],
  ],
  'rdma-ro-atomic': [
    STRICT,
    ['puts', 'puts are in order', '((nrW | nAR) & rel)', '(nAR & rel)', 'stronger'],
    ['atomics', 'an atomic pushes', '((nrW | nAR) & rel)', '(nrW & rel)', 'stronger'],
    ['gets', 'answers of gets are in order', ' | nlW * (nlW & rel)', '', 'stronger'],
    ANSWERS,
  ],
  'rdma-ro-manpage': [STRICT, ...COMPLETIONS, ...RELAXED, ...PARTS],
  'rdma-unordered': [
    ['strict-write', 'all is relaxed', 'W) \\ strict', 'W)', 'weaker'],
    ['strict-read', 'a strict read pushes nothing', '(nrR \\ pushing)', 'nrR', 'weaker'],
    ['flush', 'a flush pushes nothing', 'nrR \\ (R \\ strict)', 'nrR & strict', 'weaker'],
    ['read-pushes', 'a read waits for puts', ' \\ qpo & (nrW * (nrR \\ pushing))', '', 'stronger'],
    ANSWERS,
    ['flush-all', 'reads flush, whichever', 'pushing * nrW', 'nrR * nrW', 'stronger'],
    ['flush-none', 'no read flushes', ' | pushing * nrW', '', 'weaker'],
    ['flush-gets', 'sources of puts flush nothing', 'nlR * nlW | ', '', 'weaker'],
    ['flush-messages', 'no read flushes messages', ' | (pushing * nRW) & ends', '', 'weaker'],
    ...RELAXED,
    ...PARTS,
  ],
  'rdma-ro-tagged': [
    ['all-relaxed', 'all is relaxed', ' & relaxed', '', 'weaker'],
    ['relaxed-turned', 'what is not tagged is relaxed', '& relaxed', '\\ relaxed', 'other'],
    ...RELAXED,
    ...PARTS,
  ],
  'rdma-ro-recvown': [
    STRICT,
    ['all', 'and for all data before', ' \\ ([nrW] ; qpo ; pfr)', '', 'stronger'],
    ...RELAXED,
    ...PARTS,
  ],
};
