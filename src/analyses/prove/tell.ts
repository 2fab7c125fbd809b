import { termNames } from '../../model/print.js';
import { valueText } from '../../parse/values.js';
import { INITIAL } from '../../program/events/structure.js';
import type { Proposition, Subject } from '../../program/program.js';
import { collect } from '../../program/subjects.js';
import type { Case } from '../../proof/case.js';
import { caseOf } from '../../proof/case.js';
import type { Claim, Relations } from '../../proof/contradiction.js';
import { relationsOf } from '../../proof/contradiction.js';
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
export function tellProof(claim: Claim, proof: Proof): ToldProof {
  const { open, model, condition } = claim;
  const { structure } = open;
  const { program, events } = structure;
  const relations = relationsOf(claim);
  const names = termNames(model);
  const threads = program.threads.map(({ name, node }, t): ToldThread => {
    const one = caseOf(open, []);
    const own = events.filter(({ thread }) => thread === t);
    const rows = own.map((e, i) => {
      const source = sourceOf(program, e);
      const isFurther = i > 0 && source === sourceOf(program, own[i - 1]);
      return { event: called(one, e.id), ...(!isFurther && { source }) };
    });
    return { name, node, events: rows };
  });
  return { threads, told: tell(proof, []) };

  function tell(part: Proof, decisions: readonly Decision[]): ToldCase {
    const one = caseOf(open, decisions);
    if (part.kind === 'leaf') return contradiction(one, part.reason);
    const { question, parts } = part;
    const answers = parts.map(({ answer, proof: inner }) => {
      const further = [...decisions, { ...question, answer }];
      const text = answerIn(caseOf(open, further), question, answer);
      return { answer: text, told: tell(inner, further) };
    });
    return { kind: 'question', question: questionIn(one, question), answers };
  }

  /** An event with its number in the proof, and what it reads and writes as far as that is known. */
  function called(one: Case, event: number): string {
    const e = events[event];
    const value = structure.values.findIndex((v) => v.op === 'read' && v.event === event);
    const read = value < 0 ? undefined : one.number(value);
    const written = e.value === undefined ? undefined : one.number(e.value);
    const label = eventLabel(program, e, { read, written });
    const isInitial = e.thread === INITIAL && e.label !== 'init';
    return `${event} ${isInitial ? 'init ' : ''}${label}`;
  }

  function questionIn(one: Case, { name, about: [a, b] }: ProofQuestion): string {
    if (name === 'choice') return `How does the free choice c${a} fall?`;
    if (name === 'rf') return `What does ${called(one, a)} read from?`;
    return b === undefined
      ? `Which event is before ${called(one, a)} in ${name}?`
      : `Which comes first in ${name}, ${called(one, a)} or ${called(one, b)}?`;
  }

  function answerIn(one: Case, { name }: ProofQuestion, answer: number): string {
    return name === 'choice' ? String(answer) : called(one, answer);
  }

  function contradiction(one: Case, reason: Reason): ToldCase {
    const { kind, name, at } = reason;
    const other = (sentence: string): ToldCase => ({ kind: 'other', sentence });
    const thread = (t: number): string => program.threads[t].name;
    switch (kind) {
      case 'axiom': {
        const violation = violationIn(relations(one), reason);
        return { kind, violation, events: events.map(({ id }) => called(one, id)) };
      }
      case 'asked': {
        const known = finalsIn(one, condition);
        return other(`It does not end as asked${known === '' ? '' : `: ${known}`}.`);
      }
      case 'guard':
        return other(
          `${called(one, at[0])} would be executed, and a branch before it goes another way.`,
        );
      case 'assume':
        return other(
          `What ${thread(structure.constraints[at[0]].thread)} assumes (${at[0]}) is false.`,
        );
      case 'division':
        return other(`${thread(structure.divisions[at[0]].thread)} divides by 0.`);
      case 'bound':
        return other(
          `${thread(structure.cuts[at[0]].thread)} goes round a loop more often than the bound.`,
        );
      case 'partner':
        return other(`There is no event that could be before ${called(one, at[0])} in ${name}.`);
      case 'order':
        return other(`${called(one, at[0])} would come before itself in ${name}.`);
    }
  }

  /** The final values of the registers that a condition is about, where they are known. */
  function finalsIn(one: Case, about: Proposition): string {
    const subjects: Subject[] = [];
    collect(about, subjects);
    const texts = subjects.flatMap((subject) => {
      if (subject.kind !== 'register') return [];
      const { name, registers } = program.threads[subject.thread];
      const value = one.number(structure.registers[subject.thread][subject.register]);
      return value === undefined
        ? []
        : [`${registers[subject.register]} = ${valueText(value)} in ${name}`];
    });
    return [...new Set(texts)].join(', ');
  }

  function violationIn(known: Relations, reason: Reason): AxiomViolation {
    const axiom = model.axioms.find(({ name }) => name === reason.name)!;
    const { test, negated, term } = axiom;
    const isSet = model.terms[term].kind === 'set';
    const telling = { model, names, events };
    const steps = (derivationsIn(claim, reason, known) ?? []).flatMap((d) =>
      derivationPath(telling, d),
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
}
