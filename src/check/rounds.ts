import type { Axiom, Model, Term, TermId, Unsettled } from '../model/term.js';
import { operandsOf } from '../model/term.js';
import type { Answer } from './result.js';
import { UNSETTLED } from './settled.js';
import type { Answers, Asked } from './unclear.js';

/**
 * Where it is not known whether a model is computed to its end, a question is asked of the executions in which it is; and whether there are
 * others, which may do anything that does not hang on it, so that "no execution" is true of all.
 *
 * @param ask answers questions as far as models are computed to their end
 */
export async function askedInRounds<Questions extends Asked>(
  questions: Questions,
  ask: (questions: Questions) => Promise<Answers>,
): Promise<Answers> {
  const found = await ask(questions);
  return Promise.all(
    found.map(async (answers, i) => {
      const queries = answers.filter(isOpen).map(({ query }) => query);
      if (queries.length === 0) return answers;
      const models = apartOf(questions.models[i]);
      const tests = models.map(() => questions.tests[i]);
      const made = await ask({ ...questions, tests, models, queries });
      return answers.map((answer) => {
        if (!isOpen(answer)) return answer;
        const [settled, ...others] = made.map((all) =>
          all.find(({ query }) => query === answer.query)!,
        );
        return together(settled, others);
      });
    }),
  );
}

/** Is there an execution that shows the answer? */
const isShown = ({ verdict }: Answer): boolean => verdict === 'allowed' || verdict === 'fails';

const isOpen = ({ reason }: Answer): boolean => reason === UNSETTLED;

function together(settled: Answer, others: readonly Answer[]): Answer {
  if (isShown(settled)) return settled;
  const undecided = [settled, ...others].find(({ verdict }) => verdict === 'unknown');
  if (undecided !== undefined) return undecided;
  const isVacuous = ({ verdict }: Answer): boolean => verdict === 'vacuous';
  const isSame = isVacuous(settled) ? others.every(isVacuous) : !others.some(isShown);
  const { query, flags, milliseconds } = settled;
  if (!isSame) return { query, flags, milliseconds, verdict: 'unknown', reason: UNSETTLED };
  return { ...settled, upTo: [settled, ...others].find(({ upTo }) => upTo !== undefined)?.upTo };
}

const known = new WeakMap<Model, readonly Model[]>();

/** A model of the executions in which all groups are computed to their end; and for each group, one of those in which it is not. */
function apartOf(model: Model): readonly Model[] {
  const before = known.get(model);
  if (before !== undefined) return before;
  const { unsettled: open = [], axioms, ...rest } = model;
  const bare = { ...rest, unsettled: [] };
  const changing = ({ change }: Unsettled, negated: boolean): Axiom => {
    const { span } = axioms[0];
    return { test: 'empty', negated, flag: false, term: change, name: 'more-rounds', span };
  };
  const values = new Set(open.flatMap((one) => one.values));
  const apart = axioms.filter(({ term }) => !isMadeOf(model, term, values));
  const made = [
    { ...bare, axioms: [...axioms, ...open.map((one) => changing(one, false))] },
    ...open.map((one) => ({ ...bare, axioms: [...apart, changing(one, true)] })),
  ];
  known.set(model, made);
  return made;
}

/** Is a term made of some others? */
function isMadeOf(
  { terms, groups }: Model,
  root: TermId,
  of: ReadonlySet<TermId>,
  seen = new Set<TermId>(),
): boolean {
  if (of.has(root)) return true;
  if (seen.has(root)) return false;
  seen.add(root);
  const parts = (term: Term): readonly TermId[] =>
    term.op === 'fix' ? groups[term.group].bodies : operandsOf(term);
  return parts(terms[root]).some((part) => isMadeOf({ terms, groups } as Model, part, of, seen));
}
