import type { InstructionSet, Operation, Parameter, Tag } from '../model/instructions/set.js';
import type { Model } from '../model/term.js';
import type { Event } from '../program/events/structure.js';
import type { FlowArgument } from '../program/flow/graph.js';
import { setWith } from '../program/occasions.js';
import type { Location, Program, Thread } from '../program/program.js';
import { refusalFor } from './accept.js';
import type { Refusal } from './layers.js';
import { isUncommon, readLayers } from './layers.js';
import type { CallSite } from './calls.js';
import { callSiteOf } from './calls.js';
import { alternativesOf } from './classes.js';
import { Orders } from './orders.js';
import { ModelRelations } from './relations.js';
import type { EventMask } from './relations.js';
import { Threads } from './threads.js';

/** How an earlier event stands to one of the same thread. */
export const CIRCUMSTANCES = [
  'call',
  'thread',
  'queue pair',
  'place',
  'queue pair and place',
] as const;
export type Circumstance = (typeof CIRCUMSTANCES)[number];

/** Events that come first: those with a label, in a circumstance, and what has to be done of them. */
export interface WaitRule {
  readonly label: string;
  readonly circumstance: Circumstance;
  readonly until: OrderLayer;
}

export type OrderLayer = 'issued' | 'observed';

/** What the machine that a model is does with the events of a label. */
export interface LabelRules {
  readonly label: string;
  /** The tag with which this is so; none: without tags. */
  readonly tag?: Pick<Tag, 'name' | 'on'>;
  /** Is it issued and observed at one moment? */
  readonly isOneStep: boolean;
  /** Labels of events of its call in whose step it is taken, if its call has one: nothing can come between the two. */
  readonly takenWith: readonly string[];
  /** Are there calls in which it has a step of its own? What follows is about these. */
  readonly hasSteps: boolean;
  readonly beforeIssue: readonly WaitRule[];
  /** Besides what comes before its issue. */
  readonly beforeObservation: readonly WaitRule[];
  /** Labels of writes of the own thread that it may read as soon as they are issued. */
  readonly readsEarly: readonly string[];
  /** Labels of writes of the own thread before whose observation it reads none that they overwrite. */
  readonly covers: readonly string[];
  /** Guesses that put it before or after others, and the labels of these. */
  readonly either: readonly { readonly guess: string; readonly label: string }[];
  /** Guesses that give it a partner by rank, and the labels of these. */
  readonly partners: readonly { readonly guess: string; readonly label: string }[];
}

/** A model, and the rules of the machine that it is. */
export interface ModelRules {
  readonly model: Model;
  readonly rules: readonly LabelRules[];
}

/**
 * The rules of the machine that a model is: what each event waits for, by the model's operations in pairs of calls of one thread. What a call waits for is decided by
 * two calls alone (`readLayers`), so that these pairs show all of it. Where a tag that the model uses changes the rules of a label, these follow the ones without.
 */
export function machineRules(model: Model): readonly LabelRules[] | Refusal {
  const layers = readLayers(model);
  if ('message' in layers) return layers;
  const instructions = setWith(model.instructions, []);
  const relations = new ModelRelations(model, layers, instructions);
  const plain = rulesOf(instructions, relations, undefined);
  if ('message' in plain) return plain;
  const used = model.instructions.tags.filter(({ name }) => model.bases.includes(name));
  const variants: LabelRules[] = [];
  for (const tag of used) {
    const tagged = rulesOf(instructions, relations, tag);
    if ('message' in tagged) return tagged;
    const { name, on } = tag;
    variants.push(
      ...tagged
        .filter((rule) => !plain.some((one) => JSON.stringify(one) === JSON.stringify(rule)))
        .map(({ label, ...rule }) => ({ label, tag: { name, on }, ...rule })),
    );
  }
  return plain.flatMap((rule) => [rule, ...variants.filter(({ label }) => label === rule.label)]);
}

/** @param tag that all that can have it has */
function rulesOf(
  instructions: InstructionSet,
  relations: ModelRelations,
  tag: Tag | undefined,
): readonly LabelRules[] | Refusal {
  const samples = instructions.operations
    .filter((o) => o.library === undefined && !isUncommon(o, instructions.labels))
    .flatMap((o) => sampleCalls(o, instructions, tag));
  const sites = samples.map(({ site }) => site);
  const threads = new Threads(sites, relations, [], new Orders(sites, relations));
  const refusal = refusalFor(sites, relations, threads, []);
  if (refusal !== undefined) return refusal;
  const rules = new Rules(relations);
  for (const first of samples) {
    for (const second of samples) if (second.isFirst) rules.add(first, second);
  }
  return rules.finished(instructions.labels.map(({ name }) => name));
}

/** A call as an example: its events that are executed on one of its ways. */
interface Sample {
  readonly site: CallSite;
  readonly executed: EventMask;
  /** Is it the one of its operation that others are compared with? */
  readonly isFirst: boolean;
}

const OWN = '1';
const LOCATIONS: readonly Location[] = [
  ...['1', '1', '2', '2', '3'].map((node, i) => ({ name: `x${i}`, node, initial: 0 })),
];
const THREAD: Thread = { name: 'T', node: OWN, registers: [], body: [] };

const QUEUE_PAIRS = [{ name: 'other', node: '2' }];

/** Places that a parameter may get: of the own node, of two others, and the own node by loop-back. */
const PLACES_OF = { own: [0, 1], remote: [2, 3, 4, 0], any: [0, 1] } as const;

function sampleCalls(
  operation: Operation,
  instructions: InstructionSet,
  tag: Tag | undefined,
): readonly Sample[] {
  const tagsOn = (what: Tag['on']): readonly string[] => (tag?.on === what ? [tag.name] : []);
  const program: Program = {
    nodes: ['1', '2', '3'],
    locations: LOCATIONS.map((location) => ({
      ...location,
      tags: [...tagsOn('location'), ...tagsOn('constant')],
    })),
    threads: [{ ...THREAD, queuePairs: QUEUE_PAIRS.map((qp) => ({ ...qp, tags: tagsOn('qp') })) }],
    instructions,
  };
  const wanted: readonly Parameter[] = [
    ...operation.parameters,
    ...(operation.into === undefined ? [] : [operation.into]),
  ];
  const ways = wanted.reduce<readonly (readonly FlowArgument[])[]>(
    (all, parameter) =>
      all.flatMap((before) => argumentsFor(parameter).map((one) => [...before, one])),
    [[]],
  );
  return ways.flatMap((given, way) => {
    const use = { operation, given, tags: tagsOn('operation'), span: NOWHERE };
    const site = callSiteOf(program, 0, use);
    return alternativesOf(site).map(({ events }) => ({
      site,
      executed: events.reduce((mask, e) => mask | (1 << e), 0),
      isFirst: way === 0,
    }));
  });
}

const NOWHERE = { file: '', start: 0, end: 0 };

function argumentsFor({ kind }: Parameter): readonly FlowArgument[] {
  switch (kind) {
    case 'own':
    case 'any':
      return PLACES_OF[kind].map((location) => ({ kind: 'place', location }));
    case 'remote': {
      const places = PLACES_OF.remote.map(
        (location) => ({ kind: 'place', location, node: LOCATIONS[location].node }) as const,
      );
      return [...places, { ...places[0], queuePair: 'other' }];
    }
    case 'value':
      return [{ kind: 'value', value: { kind: 'int', value: 1 } }];
    case 'peer':
    case 'node':
      return ['2', '3'].map((node) => ({ kind: 'peer', node }));
    case 'nodes':
      return [{ kind: 'nodes', nodes: ['2', '3'] }];
    case 'work':
      return [{ kind: 'work', work: 'd' }];
    case 'object':
      return [];
  }
}

/** What is found of the events of one label. */
interface Found {
  isOneStep: boolean;
  hasSteps: boolean;
  readonly takenWith: Set<string>;
  /** By `label until`, and by how they stand to each other: whether that is so. */
  readonly issue: Map<string, Standings>;
  readonly observation: Map<string, Standings>;
  readonly early: Set<string>;
  readonly covers: Set<string>;
  readonly either: Set<string>;
  readonly partners: Set<string>;
}

/** For two events: same queue pair or not, same place or not; `call`: of one call. */
type Standing = 'call' | `${boolean} ${boolean}`;
type Standings = Map<Standing, boolean>;

class Rules {
  private readonly found = new Map<string, Found>();

  constructor(private readonly relations: ModelRelations) {}

  /** Takes in what a call waits for when another is before it. */
  add(first: Sample, second: Sample): void {
    const calls = [first.site, second.site];
    const all = this.relations.of(calls, [first.executed, second.executed]);
    const events = [...first.site.events, ...second.site.events];
    const size = first.site.events.length;
    const isIn = (e: number): boolean =>
      e < size ? (first.executed & (1 << e)) !== 0 : (second.executed & (1 << (e - size))) !== 0;
    const list = [...events.keys()].filter(isIn);
    for (const b of list.filter((e) => e >= size)) {
      const own = this.of(events[b].label);
      if (all.taken[b] !== b) {
        own.takenWith.add(events[all.taken[b]].label);
        continue;
      }
      own.hasSteps = true;
      own.isOneStep &&= all.inst[b];
      for (const a of list.filter((e) => e !== b && all.taken[e] === e)) {
        const standing: Standing = a >= size ? 'call' : standingOf(events[a], events[b]);
        for (const moment of ['issued', 'observed'] as const) {
          const mask = 1 << (2 * a + (moment === 'observed' && !all.inst[a] ? 1 : 0));
          if (moment === 'observed' && all.inst[a]) continue;
          const key = `${events[a].label} ${moment}`;
          note(own.issue, key, standing, (all.needs[2 * b] & mask) !== 0);
          if (!all.inst[b])
            note(own.observation, key, standing, (all.needs[2 * b + 1] & mask) !== 0);
        }
      }
    }
    for (const { write, read } of all.early) {
      if (write < size && read >= size) this.of(events[read].label).early.add(events[write].label);
    }
    for (const { write, read } of all.covering) {
      if (write < size && read >= size) this.of(events[read].label).covers.add(events[write].label);
    }
    for (const { guess, from, to } of all.partners) {
      if (to >= size) this.of(events[to].label).partners.add(`${guess} ${events[from].label}`);
    }
    for (const {
      guess,
      between: [a, b],
    } of all.either) {
      const pair = [events[a].label, events[b].label];
      this.of(pair[0]).either.add(`${guess} ${pair[1]}`);
      this.of(pair[1]).either.add(`${guess} ${pair[0]}`);
    }
  }

  finished(labels: readonly string[]): readonly LabelRules[] {
    return labels.flatMap((label): readonly LabelRules[] => {
      const found = this.found.get(label);
      if (found === undefined) return [];
      const byLabel = (keys: ReadonlySet<string>) =>
        [...keys].sort().map((key) => {
          const [guess, other] = key.split(' ');
          return { guess, label: other };
        });
      return [
        {
          ...{ label, isOneStep: found.isOneStep, hasSteps: found.hasSteps },
          takenWith: labels.filter((one) => found.takenWith.has(one)),
          beforeIssue: waitsIn(found.issue, labels),
          beforeObservation: waitsIn(found.observation, labels),
          readsEarly: labels.filter((one) => found.early.has(one)),
          covers: labels.filter((one) => found.covers.has(one)),
          either: byLabel(found.either),
          partners: byLabel(found.partners),
        },
      ];
    });
  }

  private of(label: string): Found {
    const known = this.found.get(label);
    if (known !== undefined) return known;
    const made: Found = {
      ...{ isOneStep: true, hasSteps: false, takenWith: new Set() },
      ...{ issue: new Map(), observation: new Map(), early: new Set(), covers: new Set() },
      ...{ either: new Set(), partners: new Set() },
    };
    this.found.set(label, made);
    return made;
  }
}

function standingOf(a: Event, b: Event): Standing {
  const onSame = a.node !== undefined && a.node === b.node && a.queuePair === b.queuePair;
  return `${onSame} ${a.location !== undefined && a.location === b.location}`;
}

function note(to: Map<string, Standings>, key: string, standing: Standing, holds: boolean): void {
  const known = to.get(key) ?? new Map<Standing, boolean>();
  to.set(key, known);
  // Where some event of the label need not come first, the label does not.
  known.set(standing, (known.get(standing) ?? true) && holds);
}

/** The circumstances in which something holds, told by the widest. */
function waitsIn(
  found: ReadonlyMap<string, Standings>,
  labels: readonly string[],
): readonly WaitRule[] {
  return labels.flatMap((label) =>
    (['issued', 'observed'] as const).flatMap((until) => {
      const standings = found.get(`${label} ${until}`) ?? new Map<Standing, boolean>();
      const holds = (standing: Standing): boolean => standings.get(standing) !== false;
      const isSaid = (standing: Standing): boolean => standings.get(standing) === true;
      const rule = (circumstance: Circumstance): WaitRule => ({ label, circumstance, until });
      const own = isSaid('call') ? [rule('call')] : [];
      const others = [...standings.keys()].filter((one) => one !== 'call');
      if (!others.some(isSaid)) return own;
      if (others.every(holds)) return [...own, rule('thread')];
      const onPair = others.filter((one) => one.startsWith('true'));
      const atPlace = others.filter((one) => one.endsWith('true'));
      const isRule = (some: readonly Standing[], besides: readonly Standing[]): boolean =>
        some.every(holds) && some.some((one) => isSaid(one) && !besides.includes(one));
      const isOfPair = isRule(onPair, []);
      const wide = [
        ...(isOfPair ? [rule('queue pair')] : []),
        ...(isRule(atPlace, isOfPair ? onPair : []) ? [rule('place')] : []),
      ];
      return [...own, ...(wide.length > 0 ? wide : [rule('queue pair and place')])];
    }),
  );
}
