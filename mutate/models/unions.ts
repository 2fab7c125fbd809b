import { dependsOn } from '../../src/model/depends.js';
import type { Model } from '../../src/model/term.js';
import type { Change, Direction, Edit } from './mutant.js';
import type { Union } from './places.js';
import { ISSR, redefine, shortName, unionOf } from './places.js';

/** Mutants of `ib` and `ob`: every member dropped, changed, and others added; one step for `+`. */

export function unionChanges(model: Model): readonly Change[] {
  return (['ib', 'ob'] as const).flatMap((union) => [
    ...dropped(model.name, union),
    ...replaced(model.name, union),
    ...added(model.name, union),
    {
      name: `${union}-once`,
      what: `${union} not closed`,
      edits: [redefine(model.name, union, unionOf(model.name, union).members, '')],
      direction: 'weaker',
    } as const,
  ]);
}

function dropped(model: string, union: Union): readonly Change[] {
  const { members } = unionOf(model, union);
  return members.map((member) => ({
    name: `${union}-drop-${shortName(member)}`,
    what: `${union} without ${member}`,
    edits: [
      redefine(
        model,
        union,
        members.filter((m) => m !== member),
      ),
    ],
    direction: 'weaker',
  }));
}

/** What else could stand in the place of a member, and whether that is less or more. */
const INSTEAD: readonly (readonly [string, string, string, Direction])[] = [
  ['(rf \\ rfb)', 'rf', 'rf-all', 'stronger'],
  ['(rf \\ rfb)', 'rfb', 'rf-only-own', 'other'],
  ['(rf \\ rfb)', '(rf \\ sthd)', 'rf-external', 'weaker'],
  ['rf', '(rf \\ ([lW] ; (rf & sthd) ; [lR]))', 'rf-not-own', 'weaker'],
  ['rf', '(rf \\ sthd)', 'rf-external', 'weaker'],
  ['[nlW] ; pf', 'pf', 'pf-all', 'stronger'],
  ['[nlW] ; pf', '[nrW] ; pf', 'pf-puts', 'other'],
  ['[nlW] ; wf', 'wf', 'wf-all', 'stronger'],
  ['[nlW] ; wf', '[nrW] ; wf', 'wf-puts', 'other'],
  ['[Inst] ; ib', 'ib', 'ib-all', 'stronger'],
  ['ob ; [Inst]', 'ob', 'ob-all', 'stronger'],
  ['mo', '(mo & ext)', 'mo-external', 'weaker'],
  ['rb', '(rb & ext)', 'rb-external', 'weaker'],
  ['rbb', 'rb', 'rb-all', 'stronger'],
  ['rao', 'raw', 'rao-both-parts', 'stronger'],
  ['rao', 'atomic ; rao', 'rao-write-part', 'other'],
  ['raw', 'rao', 'raw-read-part', 'weaker'],
  ['raw', 'atomic ; rao', 'raw-write-part', 'weaker'],
];

/** What else could be issued before the read part of an atomic, as before its write part. */
const ISSUED: readonly (readonly [string, string, string, Direction])[] = [
  ['nfo | rbb', 'nfo', 'issr-nfo', 'weaker'],
  ['nfo | rbb', 'rbb', 'issr-rbb', 'weaker'],
  ['rbb', '(rbb \\ (nAR * _))', 'issr-not-atomics', 'weaker'],
  ['rbb', '(rbb \\ (nrR * _))', 'issr-not-gets', 'weaker'],
];

function replaced(model: string, union: Union): readonly Change[] {
  const { members } = unionOf(model, union);
  return insteadOf(members)
    .filter(([from]) => from !== 'rf' || union === 'ob')
    .map(([from, to, name, direction]) => ({
      name: `${union}-${name}`,
      what: `${union} with ${to} in the place of ${from}`,
      edits: [
        redefine(
          model,
          union,
          members.map((m) => (m === from ? to : m)),
        ),
      ],
      direction,
    }));
}

function insteadOf(members: readonly string[]): typeof INSTEAD {
  const issr = members.find((m) => ISSR.test(m));
  const of = issr === undefined ? undefined : ISSR.exec(issr)![1];
  return [
    ...INSTEAD.filter(([from]) => members.includes(from)),
    ...ISSUED.filter(([from]) => from === of).map(
      ([, to, name, direction]) => [issr!, `issr(${to})`, name, direction] as const,
    ),
    ...(of === undefined ? [] : [[issr!, `(${of}) ; atomic`, 'issr-with-id', 'stronger'] as const]),
  ];
}

/** Members that a union does not have. */
const MORE: Readonly<Record<Union, readonly (readonly [string, string])[]>> = {
  ib: [
    ['mo', 'mo'],
    ['rb', 'rb'],
    ['nfo', 'nfo'],
    ['rbb', '([lR] ; (rb & sthd) ; [lW])'],
  ],
  ob: [
    ['nfo', 'nfo'],
    ['ippo', 'ippo'],
    ['po-loc', '(po & loc)'],
  ],
};

function added(model: string, union: Union): readonly Change[] {
  const { members } = unionOf(model, union);
  return MORE[union]
    .filter(([name]) => !members.includes(name))
    .map(([name, member]) => ({
      name: `${union}-add-${name}`,
      what: `${union} with ${member}, too`,
      edits: [redefine(model, union, [...members, member])],
      direction: 'stronger',
    }));
}

/** The four kinds of pairs that NIC flush order has, each as it is directed. */
const FLUSHES = ['nlR * nlW', 'nlW * nlR', 'nrR * nrW', 'nrW * nrR'] as const;

/** Mutants of NIC flush order: of one kind of pairs, of one union or both. */
export function flushChanges(model: Model): readonly Change[] {
  const places: readonly (readonly [string, readonly Union[]])[] = [
    ['ib', ['ib']],
    ['ob', ['ob']],
    ['both', ['ib', 'ob']],
  ];
  if (!dependsOn(model, 'nfo')) {
    const edits = places[2][1].map((union) =>
      redefine(model.name, union, [...unionOf(model.name, union).members, 'nfo']),
    );
    return [{ name: 'nfo-add-both', what: 'nfo in ib and ob', edits, direction: 'stronger' }];
  }
  const inPlace = (unions: readonly Union[], to: string): readonly Edit[] =>
    unions.map((union) => {
      const { members } = unionOf(model.name, union);
      return redefine(
        model.name,
        union,
        members.map((m) => (m === 'nfo' ? to : ISSR.test(m) ? m.replace('nfo', to) : m)),
      );
    });
  return places.flatMap(([place, unions]): Change[] => [
    ...FLUSHES.map((pairs): Change => ({
      name: `nfo-${place}-without-${pairs.replace(' * ', '-')}`,
      what: `nfo without ${pairs}, in ${unions.join(' and ')}`,
      edits: inPlace(unions, `(nfo \\ (${pairs}))`),
      direction: 'weaker',
    })),
    {
      name: `nfo-${place}-reversed`,
      what: `nfo reversed, in ${unions.join(' and ')}`,
      edits: inPlace(unions, 'nfo^-1'),
      direction: 'other',
    },
    {
      name: `nfo-${place}-po`,
      what: `nfo where it follows program order, in ${unions.join(' and ')}`,
      edits: inPlace(unions, '(nfo & po)'),
      direction: 'weaker',
    },
  ]);
}

/**
 * Mutants of the order of atomics where both unions matter: none at all, part of it, and what
 * `ib` has in `ob`, too.
 */
export function atomicsChanges({ name: model }: Model): readonly Change[] {
  const edits = (raw: readonly string[], rao: readonly string[] = []): readonly Edit[] =>
    (['ib', 'ob'] as const).map((union) =>
      redefine(
        model,
        union,
        unionOf(model, union).members.flatMap((m) => (m === 'rao' ? rao : m === 'raw' ? raw : [m])),
      ),
    );
  const written = '[domain(rmw)] ; rao ; [domain(rmw)]';
  return [
    {
      name: 'ob-add-issr',
      what: 'issr in ob, too',
      edits: [
        redefine(model, 'ob', [
          ...unionOf(model, 'ob').members,
          ...unionOf(model, 'ib').members.filter((m) => ISSR.test(m)),
        ]),
      ],
      direction: 'stronger',
    },
    {
      name: 'rao-both-of-writes',
      what: 'atomics that fail need no atomic unit',
      edits: edits([written, 'atomic ; rao'], [written]),
      direction: 'weaker',
    },
    { name: 'rao-drop-both', what: 'no rao', edits: edits([]), direction: 'weaker' },
    {
      name: 'rao-both-write-part',
      what: 'rao from write parts only',
      edits: edits(['atomic ; rao']),
      direction: 'weaker',
    },
  ];
}

/** Mutants of the whole flush order, which `ib` and `ob` both have. */
export function noFlushes(model: Model): readonly Change[] {
  if (!dependsOn(model, 'nfo')) return [];
  const edits = (['ib', 'ob'] as const).map((union) =>
    redefine(
      model.name,
      union,
      unionOf(model.name, union).members.filter((m) => m !== 'nfo'),
    ),
  );
  return [{ name: 'nfo-drop-both', what: 'no nfo', edits, direction: 'weaker' }];
}
