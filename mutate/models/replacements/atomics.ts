import { CONTRACTED } from './contract.js';
import type { Replacements } from './replacement.js';

/** Other readings of what remote atomics are. */
export const ATOMICS: Replacements = {
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
};
