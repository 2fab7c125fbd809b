import { dependsOn } from '../../src/model/depends.js';
import type { Model } from '../../src/model/term.js';
import type { Change, Direction } from './mutant.js';
import { beforeIb } from './places.js';
import { labelsOf } from './tables.js';

/**
 * Mutants of the conditions of what `ib` and `ob` are made of: `pf`, `wf`, `rfb`, `rbb`, `rb` and
 * `Inst`, and of the sets and relations that the tables share. The definition as it should be is
 * followed by one that hides it.
 */

type Condition = readonly [name: string, what: string, definition: string, Direction];

export function conditionChanges(model: Model): readonly Change[] {
  const conditions = [
    ...(dependsOn(model, 'pf') ? POLLS : []),
    ...(dependsOn(model, 'wf') ? WAITS : []),
    ...buffers(model),
    ...issued(model),
    ['rb-with-id', 'rb not without id', 'let rb = rf^-1 ; mo', 'stronger'] as const,
    ['mo-with-id', 'mo of a write to itself', 'let mo = mo | [range(mo)]', 'stronger'] as const,
  ];
  return [
    ...conditions.map(([name, what, definition, direction]) => ({
      name,
      what,
      edits: [beforeIb(model.name, definition)],
      direction,
    })),
    ...shared(model),
  ];
}

const POLLS: readonly Condition[] = [
  ['pf-no-puts', 'pf without puts', 'let pf = [nlW] ; pf', 'weaker'],
  ['pf-no-gets', 'pf without gets', 'let pf = [nrW] ; pf', 'weaker'],
  [
    'pf-older',
    'a poll is for all older operations, too',
    'let pf = (qpo & (nW * nW))? ; pf',
    'stronger',
  ],
  [
    'pf-older-gets',
    'a poll is for all older gets, too',
    'let pf = pf | (qpo & (nlW * nW)) ; pf',
    'stronger',
  ],
  ['pf-every', 'a poll is for every earlier operation', 'let pf = qpo & (nW * P)', 'stronger'],
  [
    'pf-any-queue-pair',
    'a poll is for every earlier operation of the thread',
    'let pf = po & (nW * P)',
    'stronger',
  ],
  [
    'pf-newest',
    'a poll is for the operation just before it',
    'let pf = (qpo & (nW * P)) \\ ((qpo & (nW * nW)) ; qpo)',
    'other',
  ],
  [
    'pf-later',
    'every later poll is for the operation, too',
    'let pf = pf ; (qpo & (P * P))?',
    'stronger',
  ],
];

const WAITS: readonly Condition[] = [
  ['wf-no-puts', 'wf without puts', 'let wf = [nlW] ; wf', 'weaker'],
  ['wf-no-gets', 'wf without gets', 'let wf = [nrW] ; wf', 'weaker'],
  ['wf-any-work', 'a wait is for all identifiers', 'let wf = po & (nW * WT)', 'stronger'],
  [
    'wf-older',
    'a wait is for older operations of the queue pair, too',
    'let wf = (qpo & (nW * nW))? ; wf',
    'stronger',
  ],
  ['wf-first', 'only the first wait waits', 'let wf = wf \\ (wf ; (po & (WT * WT)))', 'weaker'],
  [
    'wf-newest',
    'a wait is for the last operation only',
    'let wf = wf \\ ((po & (nW * nW)) ; wf)',
    'weaker',
  ],
  [
    'wf-one-queue-pair',
    'a wait is for the queue pair of the last operation only',
    'let wf = wf \\ (((po \\ sqp) & (nW * nW)) ; wf)',
    'weaker',
  ],
];

/** Reading from, and before, a write of the own store buffer; without PCIe, of the own queue pair. */
function buffers(model: Model): readonly Condition[] {
  if (!model.definitions.some((d) => d.name === 'rfb')) return [];
  const cpu: readonly Condition[] = [
    ['rfb-any-write', 'rfb from any write', 'let rfb = rfb | ((rf & sthd) ; [lR])', 'weaker'],
    ['rfb-any-read', 'rfb to any read', 'let rfb = rfb | ([lW] ; (rf & sthd))', 'weaker'],
    ['rfb-any-thread', 'rfb of any thread', 'let rfb = rfb | ([lW] ; rf ; [lR])', 'weaker'],
    ['rbb-any-read', 'rbb from any read', 'let rbb = rbb | ((rb & sthd) ; [lW])', 'stronger'],
    ['rbb-any-write', 'rbb to any write', 'let rbb = rbb | ([lR] ; (rb & sthd))', 'stronger'],
    ['rbb-any-thread', 'rbb of any thread', 'let rbb = rbb | ([lR] ; rb ; [lW])', 'stronger'],
  ];
  if (dependsOn(model, 'nfo')) return cpu;
  const sqp = (name: 'rfb' | 'rbb', base: string, without: string, direction: Direction) => {
    const pairs = name === 'rfb' ? `(rf & sqp)` : `(rb & sqp)`;
    return [
      `${name}-without-${without}`,
      `${name} without ${pairs} ${base}`,
      `let ${name} = ${name} \\ (${base.length === 0 ? pairs : `${pairs} & ${base}`})`,
      direction,
    ] as const;
  };
  return [
    ...cpu,
    sqp('rfb', '', 'sqp', 'stronger'),
    sqp('rfb', '(nlW * nlR)', 'nlW-nlR', 'stronger'),
    sqp('rfb', '(nrW * nrR)', 'nrW-nrR', 'stronger'),
    sqp('rfb', '(nrW * nAR)', 'nrW-nAR', 'stronger'),
    sqp('rbb', '', 'sqp', 'weaker'),
    sqp('rbb', '(nlR * nlW)', 'nlR-nlW', 'weaker'),
    sqp('rbb', '(nrR * nrW)', 'nrR-nrW', 'weaker'),
    sqp('rbb', '(nAR * nrW)', 'nAR-nrW', 'weaker'),
    ['rfb-sthd', 'rfb of the whole thread', 'let rfb = rfb | (rf & sthd)', 'weaker'],
    ['rbb-sthd', 'rbb of the whole thread', 'let rbb = rbb | (rb & sthd)', 'stronger'],
  ];
}

/** `Inst` with one label more or less: more events in it make `ob` larger. */
function issued(model: Model): readonly Condition[] {
  const outside = ['nlW', 'nrW', ...(model.name.includes('sc') ? [] : ['lW'])];
  return labelsOf(model).map((label) =>
    outside.includes(label)
      ? ([`inst-${label}`, `${label} in Inst`, `let Inst = Inst | ${label}`, 'stronger'] as const)
      : ([
          `inst-${label}`,
          `${label} not in Inst`,
          `let Inst = Inst \\ ${label}`,
          'weaker',
        ] as const),
  );
}

/** The sets and relations that the tables share: `CPU` with a label less, `qpo` wider. */
function shared(model: Model): readonly Change[] {
  const qpo = 'let qpo = po & sqp';
  const cpu = 'let CPU = CPU \\ idle';
  return [
    ...[...labelsOf(model).slice(0, 5), 'FAA', 'XCHG'].map((label): Change => ({
      name: `cpu-${label}`,
      what: `${label} not in CPU`,
      edits: [{ file: 'x86.cat', from: cpu, to: `${cpu} \\ ${label}` }],
      direction: 'weaker',
    })),
    {
      name: 'qpo-wide',
      what: 'qpo of the whole thread',
      edits: [{ file: 'rdma.cat', from: qpo, to: 'let qpo = po & sthd' }],
      direction: model.name === 'rdma-tso-nopcie' ? 'other' : 'stronger',
    },
  ];
}
