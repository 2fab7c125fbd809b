import * as m from '../model/relation/matrix.js';
import type { OpenChoices } from '../program/events/open.js';
import type { Case } from './case.js';
import { caseOf } from './case.js';
import type { Claim } from './contradiction.js';
import { contradicts } from './contradiction.js';
import { contradictionIn, isContradictory } from './find.js';
import type { NearbyBounds } from './nearby.js';
import { nearbyRelationsOf } from './nearby.js';
import type { Decision, Part, Proof, ProofQuestion, Reason } from './proof.js';
import { questionText } from './proof.js';
import { answersTo, proofVerifier } from './verify.js';

/** How many cases are tried before a proof is given up. */
const MOST = 20_000;

/** Why there is no tree: it takes too many cases, or there is an execution against the claim. */
export interface NoTree {
  readonly reason: string;
  /** Is there such an execution? Then the claim is wrong. */
  readonly execution: boolean;
}

/** A contradiction that was found, and answers that are enough for it. */
interface Lesson {
  readonly reason: Reason;
  readonly needs: readonly Decision[];
}

/** A proof, with the lessons of its leaves. */
interface Refuted {
  readonly proof: Proof;
  readonly leaves: readonly Leaf[];
}

interface Leaf {
  readonly decisions: readonly Decision[];
  readonly lesson: Lesson;
}

/**
 * Makes a proof of a claim, by the checker's own means: a case without a contradiction is divided by the question that
 * leaves the fewest cases open. If the proof of a part does not need the question, it is a proof of the whole. A
 * contradiction that was found once is used in every case with its answers.
 *
 * Nearly all time goes into computing cases, so a case is not computed if an earlier one already decides it.
 *
 * @returns the proof, or why there is none
 */
export function makeProof(claim: Claim, most = MOST): { readonly proof: Proof } | NoTree {
  try {
    return { proof: new ProofMaker(claim, most).refute([], new Set()).proof };
  } catch (error) {
    if (!(error instanceof NoProof)) throw error;
    return error.why;
  }
}

class ProofMaker {
  private readonly open: OpenChoices;
  private readonly relations: (one: Case, near?: NearbyBounds) => NearbyBounds;
  private readonly verify: ReturnType<typeof proofVerifier>;
  private readonly lessons: Lesson[] = [];
  private cases = 0;

  constructor(
    private readonly claim: Claim,
    private readonly most: number,
  ) {
    this.open = claim.open;
    this.relations = nearbyRelationsOf(claim);
    this.verify = proofVerifier(claim);
  }

  /**
   * @param closed answers that are known to be contradicted
   * @param around the sets and relations of the case that this one is a part of
   */
  refute(
    decisions: readonly Decision[],
    closed: ReadonlySet<string>,
    around?: NearbyBounds,
  ): Refuted {
    const one = caseOf(this.open, decisions);
    const relations = this.relations(one, around);
    const known = this.lessonFor(decisions);
    if (known !== undefined && contradicts(this.claim, one, known.reason, relations)) {
      return leafOf(decisions, known);
    }
    const reason = contradictionIn(this.claim, one, relations);
    if (reason !== undefined) {
      const learnt = this.lesson(decisions, relations, reason);
      this.lessons.unshift(learnt);
      return leafOf(decisions, { ...learnt, reason });
    }
    if (++this.cases > this.most) throw new NoProof(`it takes more than ${this.most} cases`, false);
    const closedHere = new Set(closed);
    const question = this.bestQuestion(decisions, relations, closedHere);
    if (question === undefined) {
      if (!this.isExecution(one)) throw new NoProof('values go in a circle', false);
      throw new NoProof('a case is left that is an execution as it is asked for', true);
    }
    const parts: Part[] = [];
    const leaves: Leaf[] = [];
    for (const answer of answersTo(this.open, one, question)!) {
      const part = this.refute([...decisions, { ...question, answer }], closedHere, relations);
      if (this.holdsWithout(part, question, decisions, relations)) return without(part, question);
      parts.push({ answer, proof: part.proof });
      leaves.push(...part.leaves);
    }
    return { proof: { kind: 'split', question, parts }, leaves };
  }

  /** Is the proof of a part a proof of the whole case, too? If not, a leaf that needs the question mostly shows it. */
  private holdsWithout(
    { proof, leaves }: Refuted,
    question: ProofQuestion,
    decisions: readonly Decision[],
    around: NearbyBounds,
  ): boolean {
    const leaf = leaves.find(({ lesson: { needs } }) => needs.some(isTo(question)));
    if (leaf !== undefined) {
      const one = caseOf(this.open, allBut(leaf.decisions, question));
      const relations = this.relations(one, around);
      if (!contradicts(this.claim, one, leaf.lesson.reason, relations)) return false;
    }
    return this.verify(proof, decisions) === undefined;
  }

  /** Is a case an execution in which everything is decided? Not if a value that is read depends on itself. */
  private isExecution(one: Case): boolean {
    return this.open.structure.values.every(
      (value, id) =>
        value.op !== 'read' ||
        one.executed(value.event) === false ||
        (one.executed(value.event) === true && one.number(id) !== undefined),
    );
  }

  private lessonFor(decisions: readonly Decision[]): Lesson | undefined {
    const answers = new Map(decisions.map((one) => [questionText(one), one.answer]));
    return this.lessons.find(({ needs }) =>
      needs.every((one) => answers.get(questionText(one)) === one.answer),
    );
  }

  /**
   * A contradiction with only the answers that it needs; it may be another contradiction then. Answers are left out
   * from the last to the first, many at once: more of them while the rest is contradictory, otherwise fewer.
   */
  private lesson(decisions: readonly Decision[], whole: NearbyBounds, first: Reason): Lesson {
    let [needs, near, reason] = [decisions, whole, first];
    let [end, many] = [needs.length, 1];
    while (end > 0) {
      const start = Math.max(0, end - many);
      const fewer = needs.toSpliced(start, end - start);
      const one = caseOf(this.open, fewer);
      const relations = this.relations(one, near);
      const still = contradictionIn(this.claim, one, relations);
      if (still !== undefined) {
        [needs, near, reason, end] = [fewer, relations, still, start];
        many *= 2;
      } else if (end - start > 1) many = Math.ceil((end - start) / 2);
      else [end, many] = [start, 1];
    }
    return { reason, needs };
  }

  /** The question that leaves the fewest cases open, the first of these. Answers that are found to be contradicted go to `closed`. */
  private bestQuestion(
    decisions: readonly Decision[],
    around: NearbyBounds,
    closed: Set<string>,
  ): ProofQuestion | undefined {
    const { one } = around;
    let best: { readonly question: ProofQuestion; readonly left: number } | undefined;
    for (const question of questionsIn(this.open, one, decisions)) {
      let left = 0;
      for (const answer of answersTo(this.open, one, question)!) {
        const text = `${questionText(question)}: ${answer}`;
        if (closed.has(text)) continue;
        if (this.isOpen([...decisions, { ...question, answer }], around)) left += 1;
        else closed.add(text);
        if (best !== undefined && left >= best.left) break;
      }
      if (best === undefined || left < best.left) best = { question, left };
      if (left === 0) break;
    }
    return best?.question;
  }

  private isOpen(decisions: readonly Decision[], around: NearbyBounds): boolean {
    if (this.lessonFor(decisions) !== undefined) return false;
    const one = caseOf(this.open, decisions);
    return !isContradictory(this.claim, one, this.relations(one, around));
  }
}

const leafOf = (decisions: readonly Decision[], lesson: Lesson): Refuted => ({
  proof: { kind: 'leaf', reason: lesson.reason },
  leaves: [{ decisions, lesson }],
});

/** A proof without a question. */
const without = ({ proof, leaves }: Refuted, question: ProofQuestion): Refuted => ({
  proof,
  leaves: leaves.map((leaf) => ({ ...leaf, decisions: allBut(leaf.decisions, question) })),
});

const isTo =
  (question: ProofQuestion) =>
  (one: Decision): boolean =>
    questionText(one) === questionText(question);

const allBut = (decisions: readonly Decision[], question: ProofQuestion): readonly Decision[] =>
  decisions.filter((one) => !isTo(question)(one));

class NoProof extends Error {
  readonly why: NoTree;
  constructor(reason: string, execution: boolean) {
    super(reason);
    this.why = { reason, execution };
  }
}

/** The questions that are still open in a case. */
function* questionsIn(
  { sources, orders, structure }: OpenChoices,
  one: Case,
  decisions: readonly Decision[],
): Generator<ProofQuestion> {
  const asked = new Set(decisions.map(questionText));
  for (const [name, all] of sources) {
    for (const of of all.keys()) {
      if (one.executed(of) === true && one.sources(name, of).length > 1) {
        yield { name, about: [of] };
      }
    }
  }
  for (let choice = 0; choice < structure.choices; choice++) {
    const question = { name: 'choice', about: [choice] };
    if (!asked.has(questionText(question))) yield question;
  }
  for (const [name, { pairs }] of orders) {
    const low = one.relations.get(name)!.low();
    for (const [a, b] of pairs) {
      if (one.executed(a) !== true || one.executed(b) !== true) continue;
      if (!m.related(low, a, b) && !m.related(low, b, a)) yield { name, about: [a, b] };
    }
  }
}
