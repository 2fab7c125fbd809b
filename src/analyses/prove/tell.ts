import type { TermNames } from '../../model/print.js';
import { termNames } from '../../model/print.js';
import { valueText } from '../../parse/values.js';
import type { OpenChoices } from '../../program/events/open.js';
import { modelOver } from '../../program/events/narrow.js';
import type { EventStructure } from '../../program/events/structure.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Proposition, Subject } from '../../program/program.js';
import { collect } from '../../program/subjects.js';
import type { Case } from '../../proof/case.js';
import { caseOf } from '../../proof/case.js';
import type { Claim, CaseBounds } from '../../proof/contradiction.js';
import { caseBoundsOf } from '../../proof/contradiction.js';
import type { Decision, Proof, ProofQuestion, Reason } from '../../proof/proof.js';
import type { AxiomViolation } from '../explain/explanation.js';
import { eventLabel, sourceOf } from '../explain/labels.js';
import { derivationPath } from '../explain/steps.js';
import { checkSteps } from '../explain/violation.js';
import { derivationsIn } from './reasons.js';

/** A proof in words: events are told by their numbers in the proof, and by what is known of them in each case. */
export interface ToldProof {
  /** The threads with their events, and the instructions that these belong to. */
  readonly threads: readonly ToldThread[];
  readonly told: ToldCase;
}

export interface ToldThread {
  readonly name: string;
  readonly node: string;
  readonly events: readonly { readonly event: string; readonly source?: string }[];
}

/** A question with its answers; or what a case contradicts: an axiom by some steps, or something that a sentence says. */
export type ToldCase =
  | {
      readonly kind: 'question';
      readonly question: string;
      readonly answers: readonly { readonly answer: string; readonly told: ToldCase }[];
    }
  | {
      readonly kind: 'axiom';
      readonly violation: AxiomViolation;
      /** How each event is called in this case, by its number. */
      readonly events: readonly string[];
    }
  | { readonly kind: 'other'; readonly sentence: string };

/**
 * Tells a proof that holds.
 *
 * @throws Error if a step of a cycle is not in the relations that it names: a bug
 */
export function tellProof(given: Claim, proof: Proof): ToldProof {
  // A proof says nothing of what the program does not have.
  const claim = { ...given, model: modelOver(given.open.structure, given.model) };
  const telling: ProofTelling = {
    claim,
    relations: caseBoundsOf(claim),
    names: termNames(claim.model),
  };
  return { threads: threadsOf(claim), told: tellPart(telling, proof, []) };
}

/** What is needed to tell the parts of a proof. */
interface ProofTelling {
  readonly claim: Claim;
  /** What is sure in a case. */
  readonly relations: (one: Case) => CaseBounds;
  readonly names: TermNames;
}

/** What is known in a case, and the program that it is a case of. */
interface TellingCase extends Case {
  readonly structure: EventStructure;
}

const caseIn = (open: OpenChoices, decisions: readonly Decision[]): TellingCase => ({
  ...caseOf(open, decisions),
  structure: open.structure,
});

function threadsOf({ open }: Claim): readonly ToldThread[] {
  const { program, events } = open.structure;
  const one = caseIn(open, []);
  return program.threads.map(({ name, node }, t) => {
    const own = events.filter(({ thread }) => thread === t);
    const rows = own.map((e, i) => {
      const source = sourceOf(program, e);
      const isFurther = i > 0 && source === sourceOf(program, own[i - 1]);
      return { event: called(one, e.id), ...(!isFurther && { source }) };
    });
    return { name, node, events: rows };
  });
}

/** @param decisions the answers that lead to this part */
function tellPart(telling: ProofTelling, part: Proof, decisions: readonly Decision[]): ToldCase {
  const { open } = telling.claim;
  const one = caseIn(open, decisions);
  if (part.kind === 'leaf') return contradiction(telling, one, part.reason);
  const { question, parts } = part;
  const answers = parts.map(({ answer, proof: inner }) => {
    const further = [...decisions, { ...question, answer }];
    const text = answerIn(caseIn(open, further), question, answer);
    return { answer: text, told: tellPart(telling, inner, further) };
  });
  return { kind: 'question', question: questionIn(one, question), answers };
}

/** An event with its number in the proof, and what it reads and writes as far as that is known. */
function called(one: TellingCase, event: number): string {
  const { program, events, values } = one.structure;
  const e = events[event];
  const value = values.findIndex((v) => v.op === 'read' && v.event === event);
  const read = value < 0 ? undefined : one.number(value);
  const written = e.value === undefined ? undefined : one.number(e.value);
  const label = eventLabel(program, e, { read, written });
  const isInitial = e.thread === INITIAL && e.label !== 'init';
  return `${event} ${isInitial ? 'init ' : ''}${label}`;
}

function questionIn(one: TellingCase, { name, about: [a, b] }: ProofQuestion): string {
  if (name === 'choice') return `How does the free choice c${a} fall?`;
  if (name === 'rf') return `What does ${called(one, a)} read from?`;
  return b === undefined
    ? `Which event is before ${called(one, a)} in ${name}?`
    : `Which comes first in ${name}, ${called(one, a)} or ${called(one, b)}?`;
}

const answerIn = (one: TellingCase, { name }: ProofQuestion, answer: number): string =>
  name === 'choice' ? String(answer) : called(one, answer);

function contradiction(telling: ProofTelling, one: TellingCase, reason: Reason): ToldCase {
  if (reason.kind !== 'axiom') return { kind: 'other', sentence: sentenceOf(telling, one, reason) };
  const violation = violationIn(telling, one, reason);
  const events = one.structure.events.map(({ id }) => called(one, id));
  return { kind: 'axiom', violation, events };
}

/** What a case contradicts, if that is no axiom. */
function sentenceOf({ claim }: ProofTelling, one: TellingCase, { kind, name, at }: Reason): string {
  const { program, constraints, divisions, cuts } = one.structure;
  const thread = (t: number): string => program.threads[t].name;
  switch (kind) {
    case 'axiom':
      throw new Error('a broken axiom is told by steps');
    case 'asked': {
      const known = finalsIn(one, claim.condition);
      return `It does not end as asked${known === '' ? '' : `: ${known}`}.`;
    }
    case 'guard':
      return `${called(one, at[0])} would be executed, and a branch before it goes another way.`;
    case 'assume':
      return `What ${thread(constraints[at[0]].thread)} assumes (${at[0]}) is false.`;
    case 'division':
      return `${thread(divisions[at[0]].thread)} divides by 0.`;
    case 'bound':
      return `${thread(cuts[at[0]].thread)} goes round a loop more often than the bound.`;
    case 'partner':
      return `There is no event that could be before ${called(one, at[0])} in ${name}.`;
    case 'order':
      return `${called(one, at[0])} would come before itself in ${name}.`;
  }
}

/** The final values of the registers that a condition is about, where they are known. */
function finalsIn(one: TellingCase, about: Proposition): string {
  const { program, registers: finals } = one.structure;
  const subjects: Subject[] = [];
  collect(about, subjects);
  const texts = subjects.flatMap((subject) => {
    if (subject.kind !== 'register') return [];
    const { name, registers } = program.threads[subject.thread];
    const value = one.number(finals[subject.thread][subject.register]);
    return value === undefined
      ? []
      : [`${registers[subject.register]} = ${valueText(value)} in ${name}`];
  });
  return [...new Set(texts)].join(', ');
}

function violationIn(
  { claim, names, relations }: ProofTelling,
  one: TellingCase,
  reason: Reason,
): AxiomViolation {
  const { model } = claim;
  const known = relations(one);
  const { events } = claim.open.structure;
  const axiom = model.axioms.find(({ name }) => name === reason.name)!;
  const { test, negated, term } = axiom;
  const isSet = model.terms[term].kind === 'set';
  const steps = (derivationsIn(claim, reason, one, known) ?? []).flatMap((d) =>
    derivationPath({ model, names, events }, d),
  );
  const violation: AxiomViolation = {
    axiom: axiom.name,
    test,
    relation: `${negated ? '~' : ''}${test} ${names.text(term)}`,
    kind: negated ? 'absence' : isSet ? 'event' : test === 'empty' ? 'pair' : 'cycle',
    steps,
    ...(isSet && !negated && { event: reason.at[0] }),
  };
  checkSteps(violation, [...events.keys()], { rel: (id) => known.rel(id).low() });
  return violation;
}
