import { isAbout } from '../../model/depends.js';
import { labelsIn, operationsOf, saysItsWay } from '../../model/instructions/operations.js';
import type {
  Body,
  InstructionSet,
  Operation,
  Parameter,
  ValueOf,
  WireEnd,
} from '../../model/instructions/set.js';
import { instructionUnion } from '../../model/instructions/union.js';
import type { Model } from '../../model/term.js';
import type { Form } from '../random/vocabulary.js';
import { isTakenBy, isTaker, vocabularyOf } from '../random/vocabulary.js';

/** What one call of a program can be, but for the places and numbers in it. */
export interface Letter {
  /** As `--operations` names it: `put`, `put[inline]`. */
  readonly name: string;
  readonly operation: Operation;
  readonly tags: readonly string[];
  /** Its arguments in order, and last the place that the call itself writes. */
  readonly slots: readonly Slot[];
  /** Whether it names a queue pair. */
  readonly onPair: boolean;
  /** Whether each call takes what an earlier one on the same queue pair left, and the letters whose calls leave something. */
  readonly takes: boolean;
  readonly leaves: readonly string[];
  /** What it is at an end of a connection. */
  readonly wire?: Wire;
  /** Whether its value goes to a register. */
  readonly gives: boolean;
  /** Whether an assignment stands for it. */
  readonly isShort: boolean;
  /** Whether it has no tag and nothing to do with messages. */
  readonly isPlain: boolean;
  /**
   * Whether programs have it if nobody says what they are made of: it is plain, no atomic, and not an access without a
   * value that another letter makes with one, as a flush is a get of nothing.
   */
  readonly isUsual: boolean;
}

/** An end of a connection, which one thread has. */
export interface Wire {
  readonly end: WireEnd;
  /** The guesses by which each call waits for one at either end, and those by which one waits for it. */
  readonly needs: readonly string[];
  readonly meets: readonly string[];
}

/** What programs are made of. */
export interface Alphabet {
  readonly letters: readonly Letter[];
  /** The tags that a location may have, of which each has one at most. */
  readonly marks: readonly string[];
  /** Whether a thread may have several queue pairs to one node: one without a name, and others with names. */
  readonly hasNamedPairs: boolean;
}

/** An argument: a location here or at the other end, the queue pair itself, a new number, or one to compare with. */
export interface Slot {
  readonly kind: 'here' | 'there' | 'pair' | 'number' | 'compared';
  readonly reads: boolean;
  readonly writes: boolean;
}

/** Is an argument a location? */
export const isPlace = ({ kind }: Slot): boolean => kind === 'here' || kind === 'there';

/**
 * What programs can be made of that several models can decide: every operation that all of them declare alike, plain and
 * with each tag; and the tags of locations that one of the models looks at.
 *
 * @param base what models have that declare nothing
 */
export function alphabetOf(models: readonly Model[], base: InstructionSet): Alphabet {
  const { forms, tags } = vocabularyOf(models, base);
  const union = instructionUnion([...models.map(({ instructions }) => instructions), base]);
  const { read, write } = operationsOf(union);
  const takers = forms.filter(isTaker);
  const cpu = [read, write].map((operation) => letterOf(operation, []));
  const drawn = forms.flatMap((form) => {
    const { operation, byNic } = form;
    const own = operation.tag === undefined ? [] : [operation.tag];
    const isPlain = own.length === 0 && form.ends.length === 0;
    const more = byNic ? tags.operation.map((tag) => [...own, tag]) : [];
    return [own, ...more].map((marks) => ({
      ...letterOf(operation, marks),
      isPlain: isPlain && marks.length === 0,
      ...gives(operation, form.isShort),
      takes: isTaker(form),
      leaves: marks.some((tag) => form.without.includes(tag))
        ? []
        : takers.filter((taker) => isTakenBy(form, taker)).map((taker) => taker.operation.name),
      ...wireOf(form),
    }));
  });
  const isUsed = (tag: string): boolean => models.some((model) => isAbout(model, tag));
  const constants = union.tags.flatMap(({ name, on }) =>
    on === 'constant' && isUsed(name) ? [name] : [],
  );
  const ofConstants = constants.flatMap((tag) =>
    drawn.flatMap((letter) => ofConstant(letter, tag)),
  );
  const all = [...cpu, ...drawn, ...ofConstants];
  const letters = all.map((one) => ({ ...one, isUsual: isUsual(one, all) }));
  return { letters, marks: tags.location.filter(isUsed), hasNamedPairs: true };
}

function wireOf({ ends, needs, gives }: Form): Pick<Letter, 'wire'> {
  const [end] = ends;
  return end === undefined ? {} : { wire: { end, needs, meets: gives } };
}

/** The same with a number in the place of what a NIC reads here, for models that look at the tag of such constants. */
function ofConstant(letter: Letter, tag: string): readonly Letter[] {
  const isSource = ({ kind, reads, writes }: Slot): boolean => kind === 'here' && reads && !writes;
  if (!letter.onPair || !letter.slots.some(isSource)) return [];
  const number = { kind: 'number', reads: false, writes: false } as const;
  const slots = letter.slots.map((slot) => (isSource(slot) ? number : slot));
  return [{ ...letter, name: `${letter.name}[${tag}]`, slots }];
}

function letterOf(operation: Operation, tags: readonly string[]): Letter {
  const { name, parameters, into } = operation;
  const slots = [...parameters, ...(into === undefined ? [] : [into])];
  return {
    name: [name, ...tags.map((tag) => `[${tag}]`)].join(''),
    operation,
    tags,
    slots: slots.map((one) => slotOf(one, operation)),
    onPair: slots.some(({ kind }) => kind === 'remote' || kind === 'peer'),
    takes: false,
    leaves: [],
    ...gives(operation, true),
    isPlain: true,
    isUsual: true,
  };
}

/** An assignment of one place is to a register. */
function gives(operation: Operation, isShort: boolean): Pick<Letter, 'isShort' | 'gives'> {
  const { into, result, parameters } = operation;
  const isValue = isShort
    ? parameters.length === 1
    : result !== undefined && !saysItsWay(operation);
  return { isShort, gives: into === undefined && isValue };
}

function isUsual({ isPlain, slots, operation }: Letter, all: readonly Letter[]): boolean {
  if (!isPlain || slots.some(({ reads, writes }) => reads && writes)) return false;
  const places = slots.filter(isPlace);
  if (places.length === 0 || places.some(({ reads, writes }) => reads || writes)) return true;
  return !all.some((other) => other.operation !== operation && isOf(other.operation, operation));
}

/** Do two operations make events with the same labels? */
const isOf = (a: Operation, b: Operation): boolean =>
  JSON.stringify(a.alternatives.map(({ body }) => labelsIn(body))) ===
  JSON.stringify(b.alternatives.map(({ body }) => labelsIn(body)));

function slotOf({ kind, name }: Parameter, operation: Operation): Slot {
  const all = operation.alternatives.flatMap(({ body }) => eventsOf(body));
  const reads = all.some((event) => event.reads?.place === name);
  const writes = all.some((event) => event.writes?.place === name);
  switch (kind) {
    case 'own':
    case 'any':
      return { kind: 'here', reads, writes };
    case 'remote':
      return { kind: 'there', reads, writes };
    case 'peer':
      return { kind: 'pair', reads: false, writes: false };
    case 'value': {
      const compared = conditionsOf(operation).includes(`"name":"${name}"`);
      return { kind: compared ? 'compared' : 'number', reads: false, writes: false };
    }
    case 'node':
    case 'nodes':
    case 'work':
    case 'object':
      throw new Error(`no arguments of the kind ${kind} are drawn`);
  }
}

/** What an operation asks, when it is called or within its body, as text. */
const conditionsOf = ({ alternatives }: Operation): string =>
  JSON.stringify(alternatives.map(({ when, body }) => [when, conditionsIn(body)]));

function conditionsIn(body: Body): readonly ValueOf[] {
  if (body.kind === 'event') return [];
  const own = body.kind === 'if' ? [body.condition] : [];
  return [...own, ...('parts' in body ? body.parts : [body.body]).flatMap(conditionsIn)];
}

type Event = Extract<Body, { kind: 'event' }>;

function eventsOf(body: Body): readonly Event[] {
  if (body.kind === 'event') return [body];
  return ('parts' in body ? body.parts : [body.body]).flatMap(eventsOf);
}
