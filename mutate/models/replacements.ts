import type { Direction } from './mutant.js';

/** What stands in the place of a text of a model's file: mistakes that only this model can have. */
type Replacement = readonly [
  name: string,
  what: string,
  from: string,
  to: string,
  direction: Direction,
];

const CONTRACT = 'let contract(r) = r | atomic ; (r \\ rmw) | (r \\ rmw) ; atomic';

/** The two models for which an atomic is one step. */
const CONTRACTED: readonly Replacement[] = [
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

/** By model. */
export const REPLACEMENTS: Readonly<Record<string, readonly Replacement[]>> = {
  'rdma-tso-4.4': [
    [
      'inst-once',
      'the third axiom without the closure',
      '([Inst] ; ib ; ob)+',
      '([Inst] ; ib ; ob)',
      'weaker',
    ],
    ['inst-all', 'the third axiom from any event', '([Inst] ; ib ; ob)+', '(ib ; ob)+', 'stronger'],
    ['inst-no-ob', 'the third axiom without ob', '([Inst] ; ib ; ob)+', '([Inst] ; ib)+', 'weaker'],
    ['inst-no-ib', 'the third axiom without ib', '([Inst] ; ib ; ob)+', '([Inst] ; ob)+', 'weaker'],
    [
      'inst-maybe-ob',
      'the third axiom with or without ob',
      '([Inst] ; ib ; ob)+',
      '([Inst] ; ib ; ob?)+',
      'stronger',
    ],
    [
      'inst-maybe-ib',
      'the third axiom with or without ib',
      '([Inst] ; ib ; ob)+',
      '([Inst] ; ib? ; ob)+',
      'stronger',
    ],
  ],
  sc: [
    ['sc-drop-po', 'sc without po', 'contract(po) | ', '', 'weaker'],
    ['sc-drop-rf', 'sc without rf', 'contract(rf) | ', '', 'weaker'],
    ['sc-drop-rb', 'sc without rb', 'contract(rb) | ', '', 'weaker'],
    ['sc-drop-mo', 'sc without mo', ' | contract(mo)', '', 'weaker'],
    ['rf-external', 'rf between threads only', 'contract(rf)', 'contract(rf & ext)', 'weaker'],
    ['rb-external', 'rb between threads only', 'contract(rb)', 'contract(rb & ext)', 'weaker'],
    ['mo-external', 'mo between threads only', 'contract(mo)', 'contract(mo & ext)', 'weaker'],
    ['sc-irreflexive', 'no single step of sc to itself', 'acyclic sc', 'irreflexive sc', 'weaker'],
    ['rb-with-id', 'rb not without id', '(rf^-1 ; mo) \\ id', 'rf^-1 ; mo', 'stronger'],
    ['po-tso', 'po without lW to lR', 'contract(po)', 'contract(po \\ (lW * lR))', 'weaker'],
    [
      'response-first',
      'the response of an atomic before its write part',
      'let po = po \\ (resp^-1 ; rmw)\n',
      '',
      'stronger',
    ],
    [
      'parts-apart',
      'the parts of an atomic apart',
      'contract(po) | contract(rf) | contract(rb) | contract(mo)',
      'po | rf | rb | mo',
      'weaker',
    ],
    ['po-coherent', 'po on one location only', 'contract(po)', 'contract(po & loc)', 'weaker'],
    ...CONTRACTED,
  ],
  'rdma-manpage': COMPLETIONS,
  corerma: [
    [
      'cpu-cpu',
      'CPU events in no order',
      '(CPU \\ FL) * (CPU | NIC)',
      '(CPU \\ FL) * NIC',
      'weaker',
    ],
    [
      'cpu-nic',
      'the CPU holds up no operation',
      '(CPU \\ FL) * (CPU | NIC)',
      '(CPU \\ FL) * CPU',
      'weaker',
    ],
    [
      'flush-others',
      'a flush holds up other queue pairs, too',
      '(CPU \\ FL) *',
      'CPU *',
      'stronger',
    ],
    ['flush-cpu', 'a flush does not hold up the CPU', '  | po & (FL * CPU)\n', '', 'weaker'],
    ['flush-later', 'nor its queue pair', '  | qpo & (FL * NIC)\n', '', 'weaker'],
    ['flush-earlier', 'a flush waits for nothing', '  | qpo & (NIC * FL)\n', '', 'weaker'],
    ['flush-puts', 'a flush waits for puts only', 'qpo & (NIC * FL)', 'qpo & (nrW * FL)', 'weaker'],
    ['flush-gets', 'a flush waits for gets only', 'qpo & (NIC * FL)', 'qpo & (nlW * FL)', 'weaker'],
    [
      'flush-all',
      'a flush waits for all queue pairs',
      'qpo & (NIC * FL)',
      'po & (NIC * FL)',
      'stronger',
    ],
    ['put', 'a put may write before it reads', '  | po & same & (nlR * nrW)\n', '', 'weaker'],
    ['get', 'a get may write before it reads', '  | po & same & (nrR * nlW)\n', '', 'weaker'],
    ['far-none', 'remote accesses in any order', '  | qpo & (far * far)\n', '', 'weaker'],
    ['far-put-put', 'puts in any order', '(far * far)', '(far * far \\ nrW * nrW)', 'weaker'],
    ['far-put-get', 'a get overtakes puts', '(far * far)', '(far * far \\ nrW * nrR)', 'weaker'],
    ['far-get-put', 'a put overtakes gets', '(far * far)', '(far * far \\ nrR * nrW)', 'weaker'],
    ['far-get-get', 'gets in any order', '(far * far)', '(far * far \\ nrR * nrR)', 'weaker'],
    ['far-all', 'on all queue pairs', 'qpo & (far * far)', 'po & (far * far)', 'stronger'],
    ['near-reads', 'local reads in order', '(far * far)', '(far * far | nlR * nlR)', 'stronger'],
    ['near-writes', 'local writes in order', '(far * far)', '(far * far | nlW * nlW)', 'stronger'],
    ['order-drop-rf', 'order without rf', 'ppo | rf | rb | mo as', 'ppo | rb | mo as', 'weaker'],
    ['order-drop-rb', 'order without rb', 'ppo | rf | rb | mo as', 'ppo | rf | mo as', 'weaker'],
    ['order-drop-mo', 'order without mo', 'ppo | rf | rb | mo as', 'ppo | rf | rb as', 'weaker'],
    ['order-drop-ppo', 'order without ppo', 'ppo | rf | rb | mo as', 'rf | rb | mo as', 'weaker'],
    ['order-irreflexive', 'no single step to itself', 'acyclic ppo', 'irreflexive ppo', 'weaker'],
    ['rb-with-id', 'rb not without id', '(rf^-1 ; mo) \\ id', 'rf^-1 ; mo', 'stronger'],
    ['poll', 'a poll is no flush', 'poll(peer q) on q : FL', 'poll(peer q) on q : P', 'weaker'],
  ],
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
    ['strict-read', 'a strict read pushes nothing', '(nrR \\ strict)', 'nrR', 'weaker'],
    ['read-pushes', 'a read waits for puts', ' \\ qpo & (nrW * (nrR \\ strict))', '', 'stronger'],
    ANSWERS,
    ['flush-all', 'reads flush, whichever', '(nrR & strict) * nrW', 'nrR * nrW', 'stronger'],
    ['flush-none', 'no read flushes', ' | (nrR & strict) * nrW', '', 'weaker'],
    ['flush-gets', 'sources of puts flush nothing', 'nlR * nlW | ', '', 'weaker'],
    ...RELAXED,
    ...PARTS,
  ],
  'rdma-ro-tagged': [
    ['all-relaxed', 'all is relaxed', ' & relaxed', '', 'weaker'],
    ['relaxed-turned', 'what is not tagged is relaxed', '& relaxed', '\\ relaxed', 'other'],
    ...RELAXED,
    ...PARTS,
  ],
  'rdma-tso-no-nfo': [
    ['gets', 'reads of sources flush nothing', 'nlR * nlW | ', '', 'weaker'],
    ['puts', 'reads of gets flush nothing', ' | nrR * nrW', '', 'weaker'],
  ],
  'rdma-tso-glob': [
    ...CONTRACTED,
    ['part-buffered', 'the write part is buffered', 'Inst | range(rmw)', 'Inst', 'weaker'],
  ],
  'rdma-tso-late': [
    ['ib-early', 'not in ib', 'issued | late', 'issued', 'weaker'],
    ['ob-early', 'not in ob', 'observed | late', 'observed', 'weaker'],
    ['early', 'as rdma-tso', 'atomic ; resp', '0', 'weaker'],
    [
      'polled',
      'only polls wait for the write part',
      'atomic ; resp',
      'atomic ; resp ; pf',
      'weaker',
    ],
  ],
  'rdma-tso-loclock': [
    ['node', 'one unit for a node, as in rdma-tso', ' & loc', ' & sn', 'stronger'],
    ['thread', 'a unit for each thread', ' & loc', ' & loc & sthd', 'weaker'],
    ['others', 'none within a thread', ' & loc', ' & loc \\ sthd', 'weaker'],
  ],
  'rdma-tso-getfirst': [
    ['ippo-overtakes', 'not in ippo', 'ippo | qpo & (nrR * nAR)', 'ippo', 'weaker'],
    ['oppo-overtakes', 'not in oppo', 'oppo | qpo & (nrR * nAR)', 'oppo', 'weaker'],
    [
      'both-overtakes',
      'as rdma-tso',
      'let ippo = ippo | qpo & (nrR * nAR)\nlet oppo = oppo | qpo & (nrR * nAR)\n',
      '',
      'weaker',
    ],
    [
      'any-queue-pair',
      'for gets of any queue pair, too',
      'oppo | qpo & (nrR * nAR)',
      'oppo | po & (nrR * nAR)',
      'stronger',
    ],
  ],
  'rdma-tso-out': [
    [
      'gets-apart',
      'gets against atomics in no order',
      'nrR * naW | nAR * nrW',
      'nAR * nrW',
      'weaker',
    ],
    [
      'puts-apart',
      'puts against atomics in no order',
      'nrR * naW | nAR * nrW',
      'nrR * naW',
      'weaker',
    ],
    ['turn-of-reads', 'no turn of write parts', 'afo | atomic ; afo', 'afo', 'weaker'],
    ['turn-of-writes', 'no turn of read parts', 'afo | atomic ; afo', 'atomic ; afo', 'weaker'],
    [
      'two-moments',
      'gets before the write part, not the read part',
      'rbb | afo) ; atomic',
      'rbb) ; atomic',
      'weaker',
    ],
    [
      'part-at-once',
      'the write part is in memory at once',
      'let Inst = Inst \\ naW\n',
      '',
      'stronger',
    ],
    [
      'raw-reads',
      'the write part before no other atomic',
      'let raw = rao | atomic ; rao',
      'let raw = rao',
      'weaker',
    ],
    [
      'in-order-puts',
      'later puts do not overtake',
      '(nAR * (nrW | nrR | nAR))\nlet oppo',
      '(nAR * (nrR | nAR))\nlet oppo',
      'stronger',
    ],
    [
      'in-order-gets',
      'later gets do not overtake',
      '(nAR * (nrW | nrR | nAR))\nlet oppo',
      '(nAR * (nrW | nAR))\nlet oppo',
      'stronger',
    ],
    [
      'in-order-atomics',
      'later atomics do not overtake',
      '(nAR * (nrW | nrR | nAR))\nlet oppo',
      '(nAR * (nrW | nrR))\nlet oppo',
      'stronger',
    ],
    [
      'part-unordered',
      'the write part comes before or after the read part',
      '| rmw\n\n',
      '\n\n',
      'weaker',
    ],
  ],
  'rdma-tso-failwrite': [
    ['fails-silently', 'as rdma-tso', ' ; if v != old { nrW writes x := v }', '', 'other'],
    [
      'fails-new',
      'a failing rcas writes the new value',
      'writes x := v }',
      'writes x := new }',
      'other',
    ],
    [
      'fails-old',
      'a failing rcas writes what it asked for',
      'writes x := v }',
      'writes x := old }',
      'other',
    ],
    ['fails-always', 'every rcas writes back what it read', 'if v != old {', 'if v = v {', 'other'],
  ],
  'x86-tso-textbook': [
    [
      'tso-drop-ppo',
      'axiom tso without ppo',
      'ppo | rfe | rb | mo as',
      'rfe | rb | mo as',
      'weaker',
    ],
    [
      'tso-drop-rfe',
      'axiom tso without rfe',
      'ppo | rfe | rb | mo as',
      'ppo | rb | mo as',
      'weaker',
    ],
    [
      'tso-drop-rb',
      'axiom tso without rb',
      'ppo | rfe | rb | mo as',
      'ppo | rfe | mo as',
      'weaker',
    ],
    [
      'tso-drop-mo',
      'axiom tso without mo',
      'ppo | rfe | rb | mo as',
      'ppo | rfe | rb as',
      'weaker',
    ],
    [
      'coherence-drop-po',
      'axiom coherence without po',
      '(po & loc) | rf | rb | mo',
      'rf | rb | mo',
      'weaker',
    ],
    [
      'coherence-drop-rf',
      'axiom coherence without rf',
      '(po & loc) | rf | rb | mo',
      '(po & loc) | rb | mo',
      'weaker',
    ],
    [
      'coherence-drop-rb',
      'axiom coherence without rb',
      '(po & loc) | rf | rb | mo',
      '(po & loc) | rf | mo',
      'weaker',
    ],
    [
      'coherence-drop-mo',
      'axiom coherence without mo',
      '(po & loc) | rf | rb | mo',
      '(po & loc) | rf | rb',
      'weaker',
    ],
    [
      'coherence-all',
      'axiom coherence with po between locations',
      '(po & loc) | rf',
      'po | rf',
      'stronger',
    ],
    ['rfe-all', 'rfe within a thread, too', 'rf \\ sthd', 'rf', 'stronger'],
    ['rb-with-id', 'rb not without id', '(rf^-1 ; mo) \\ id', 'rf^-1 ; mo', 'stronger'],
    [
      'tso-irreflexive',
      'no single step of tso to itself',
      'acyclic ppo',
      'irreflexive ppo',
      'weaker',
    ],
    [
      'coherence-irreflexive',
      'no single step of coherence to itself',
      'acyclic (po',
      'irreflexive (po',
      'weaker',
    ],
    ['nic-nlR', 'NIC without nlR', 'nlR | nrW | nrR | nlW | nF', 'nrW | nrR | nlW | nF', 'weaker'],
    ['nic-nrW', 'NIC without nrW', 'nlR | nrW | nrR | nlW | nF', 'nlR | nrR | nlW | nF', 'weaker'],
    ['nic-nrR', 'NIC without nrR', 'nlR | nrW | nrR | nlW | nF', 'nlR | nrW | nlW | nF', 'weaker'],
    ['nic-nlW', 'NIC without nlW', 'nlR | nrW | nrR | nlW | nF', 'nlR | nrW | nrR | nF', 'weaker'],
    ['nic-nF', 'NIC without nF', 'nlR | nrW | nrR | nlW | nF', 'nlR | nrW | nrR | nlW', 'weaker'],
  ],
};
