import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Model } from '../../src/model/term.js';
import type { FinalState } from '../../src/program/final.js';
import type { Program, Test } from '../../src/program/program.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { OPERATIONAL_MODELS } from '../../src/rdma/machines/index.js';
import { adapt } from '../../src/rdma/translate.js';
import { cat, modelOf } from '../support/checker.js';
import { litmus } from '../support/litmus.js';
import { QUICK, cases, fewOf, some } from '../support/random.js';
import type { Found, Setting, Way, WayName } from './ways.js';
import { WAYS } from './ways.js';

/**
 * Ways from a program to its final states, compared with each other. A row says on which programs and under which models; each
 * program is drawn once, and every way is asked about it.
 */

/** A program, and what it is decided under if that is drawn with it. */
export interface Drawn {
  readonly text: string;
  readonly models?: readonly string[];
}

export interface Row {
  readonly name: string;
  /** Drawn at random, or all of a list. `npm test` takes 5 at most; test/support/random.ts has the shares of the others. */
  readonly programs: fc.Arbitrary<Drawn> | readonly Drawn[];
  /** How a program is read. Default: in the instructions that come with Remora. */
  readonly read?: (text: string) => Test;
  /**
   * What programs are decided under, unless it is drawn with them, or they are clients of libraries. Models of a list have
   * the same final states.
   */
  readonly under?: readonly (Under | readonly Under[])[];
  /** How many of the programs each way is asked about; all are compared with the first. */
  readonly ways: Readonly<Partial<Record<WayName, number>>>;
  /** After how many executions or states ways give up that go through them. */
  readonly limit?: number;
  /** Ways that may give up, and how often they must not. All others have to decide whatever they are asked. */
  readonly decided?: Readonly<Partial<Record<WayName, number>>>;
  /** How many of the comparisons must say something: by default, of more than one final state. */
  readonly telling: number;
  readonly tells?: (states: readonly FinalState[], of: Test) => boolean;
  /** No value of the programs comes out of thin air: the naive way must be sure of all states. */
  readonly isGrounded?: boolean;
  /** Models of which each allows what the one before allows, and for how many programs the last allows more than the first. */
  readonly weaker?: { readonly models: readonly string[]; readonly apart: number };
  readonly seed?: number;
  /** Whether it is too dear for `npm test`: the long tests have it. */
  readonly dear?: boolean;
}

/** A model by its name or its text; or a machine. */
export type Under = string | Setting;

export type Ways = Readonly<Record<string, Way>>;

/** More executions and states than the programs have that are for all ways. */
const LIMIT = 200_000;

/** Programs that are drawn with another seed. */
const { REMORA_SEED } = process.env;
const SEED = REMORA_SEED === undefined ? undefined : Number(REMORA_SEED);

/** A test for each row. */
export function compareOn(rows: readonly Row[]): void {
  for (const row of rows) {
    if (!(QUICK && row.dear === true)) test(row.name, () => compareRow(row));
  }
}

/** Throws where two ways differ, or where too little was compared. */
export async function compareRow(row: Row, ways: Ways = WAYS): Promise<void> {
  const counts = new Counts();
  const numbers = Object.entries(row.ways).map(([name, all]) => [name, number(all)] as const);
  const askedAt = (index: number) =>
    numbers.flatMap(([name, most]) => (index < most ? [name] : []));
  let index = 0;
  let failing: readonly string[] | undefined;
  const compare = async (drawn: Drawn): Promise<void> => {
    // While a program is made smaller, the same ways are asked.
    const asked = failing ?? askedAt(index++);
    try {
      await compareOne(row, drawn, asked, ways, counts);
    } catch (error) {
      failing = asked;
      throw error;
    }
  };
  let share: number;
  if (isList(row.programs)) {
    const tried = some(row.programs);
    for (const drawn of tried) await compare(drawn);
    share = tried.length / row.programs.length;
  } else {
    const numRuns = Math.max(...numbers.map(([, most]) => most));
    await fc.assert(fc.asyncProperty(row.programs, compare), {
      numRuns,
      seed: SEED ?? row.seed ?? 1,
    });
    share = numRuns / Math.max(...Object.values(row.ways));
  }
  // Other programs may say less.
  if (SEED === undefined) counts.expectEnough(row, share);
}

const isList = (programs: Row['programs']): programs is readonly Drawn[] => Array.isArray(programs);

/** Of how many programs a way is asked. The dearest ways have a small number for all cases: the quick tests take a third of it. */
const number = (all: number): number =>
  QUICK ? Math.min(5, cases(all), Math.ceil(all / 3)) : cases(all);

/** What is counted over the programs of a row. */
class Counts {
  readonly asked = new Map<string, number>();
  readonly decided = new Map<string, number>();
  telling = 0;
  apart = 0;

  note(counter: 'asked' | 'decided', way: string): void {
    this[counter].set(way, (this[counter].get(way) ?? 0) + 1);
  }

  /** @param share of all programs of the row, how many were tried */
  expectEnough({ decided, telling, weaker }: Row, share: number): void {
    const few = (ofAll: number): number => fewOf(ofAll, share);
    for (const [way, asked] of this.asked) {
      const least = decided?.[way as WayName];
      const label = `what ${way} decides`;
      const found = this.decided.get(way) ?? 0;
      if (least === undefined) expect(found, label).toBe(asked);
      else expect(found, label).toBeGreaterThanOrEqual(few(least));
    }
    expect(this.telling, 'comparisons that say something').toBeGreaterThanOrEqual(few(telling));
    if (weaker === undefined) return;
    expect(this.apart, 'programs on which models differ').toBeGreaterThanOrEqual(few(weaker.apart));
  }
}

/** What one way says under one model or machine. */
interface Answer {
  readonly name: string;
  readonly setting: Setting;
  readonly way: Way;
  readonly found: Found;
  readonly program: Program;
}

/** Compares the ways on one program, under everything that it is decided under. */
async function compareOne(
  row: Row,
  drawn: Drawn,
  asked: readonly string[],
  ways: Ways,
  counts: Counts,
): Promise<void> {
  const subject = (row.read ?? litmus)(drawn.text);
  const reference = new Map<string, Answer>();
  for (const under of drawn.models ?? row.under ?? (subject.models ?? []).map(named)) {
    const settings = (Array.isArray(under) ? under : [under]).map(settingOf);
    const answers = await answersOf(subject, settings, asked, ways, row.limit ?? LIMIT);
    const first = answers.find(isComplete) ?? answers[0];
    if (first === undefined) continue;
    for (const answer of answers) {
      counts.note('asked', answer.name);
      if (isDecided(answer, answers)) counts.note('decided', answer.name);
      report(drawn, [first, answer], differenceOf(first, answer));
      if (row.isGrounded === true) expect(answer.found.perhaps ?? [], drawn.text).toEqual([]);
      reference.set(
        answer.setting.name,
        answers.find((a) => a.setting === answer.setting)!,
      );
    }
    if ((row.tells ?? hasSeveral)(first.found.states, subject)) counts.telling += 1;
  }
  if (row.weaker === undefined) return;
  const chain = row.weaker.models.map((name) => reference.get(name)!);
  chain.slice(1).forEach((weaker, i) => report(drawn, [chain[i], weaker], lost(chain[i], weaker)));
  if (chain[0].found.states.length < chain.at(-1)!.found.states.length) counts.apart += 1;
}

const hasSeveral = (states: readonly FinalState[]): boolean => states.length > 1;
const isComplete = ({ found }: Answer): boolean => found.incomplete === undefined;

/** Are all states there, or does another way have the same reason why they are not? Then it is the program's. */
const isDecided = (answer: Answer, answers: readonly Answer[]): boolean =>
  isComplete(answer) ||
  answers.some((a) => a !== answer && a.found.incomplete === answer.found.incomplete);

/** What all ways say under models that agree; nothing if one of these has no translation of the program. */
async function answersOf(
  subject: Test,
  settings: readonly Setting[],
  asked: readonly string[],
  ways: Ways,
  limit: number,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const setting of settings) {
    const adapted = adapt(subject.program, setting.model ?? modelOf('rdma-tso'));
    if (!adapted.ok) return [];
    const { program } = adapted.value;
    for (const name of asked) {
      const way = ways[name];
      if (!way.takes(setting, program)) continue;
      const found = await way.list({ ...subject, program, filter: undefined }, setting, limit);
      answers.push({ name, setting, way, found, program });
    }
  }
  return answers;
}

const named = (model: Model): Setting => ({ name: model.name, model });

const settings = new Map<string, Setting>();

/** A model with its machine. */
function settingOf(under: Under): Setting {
  if (typeof under !== 'string') return under;
  const known = settings.get(under);
  if (known !== undefined) return known;
  const model = /\s/.test(under) ? cat(under) : modelOf(under);
  const hardware = model.shipped ? OPERATIONAL_MODELS.get(under) : undefined;
  const made = { name: under, model, ...(hardware && { hardware }) };
  settings.set(under, made);
  return made;
}

/** How two answers differ, in words. */
function differenceOf(a: Answer, b: Answer): string | undefined {
  const more = lost(a, b) ?? lost(b, a);
  if (more !== undefined || !isComplete(a) || !isComplete(b)) return more;
  const [one, other] = [stated(a, b), stated(b, a)];
  const hasSame = new Set(one).size === new Set(other).size;
  const isWhole = ({ way, found }: Answer): boolean => !way.subjects && !found.perhaps;
  if (isWhole(a) && isWhole(b) && hasSame && one.join('\n') !== other.join('\n')) {
    return 'the states are in another order, or some are there twice';
  }
  const bounds = [a, b].map(({ found }) => found.upTo ?? 'no bound');
  return bounds[0] === bounds[1] || !mustAgreeOnBound(a, b)
    ? undefined
    : `the bounds are ${bounds.join(' and ')}`;
}

/** Does it contradict one of two ways that they have other bounds? */
function mustAgreeOnBound(a: Answer, b: Answer): boolean {
  if (a.way.upTo === undefined || b.way.upTo === undefined) return false;
  if ([a, b].some((answer) => isLibrary(answer) && answer.found.upTo === undefined)) return false;
  if (a.way.upTo === b.way.upTo) return true;
  const sure = a.way.upTo === 'does' ? a : b;
  return sure.found.upTo !== undefined;
}

/** Under a library, more loops need no bound. */
const isLibrary = ({ setting: { model } }: Answer): boolean =>
  (model?.instructions.libraries.length ?? 0) > 0;

/** What the first has, and the second certainly lacks. */
function lost(a: Answer, b: Answer): string | undefined {
  if (b.found.incomplete !== undefined) return undefined;
  // Without a bound, it has what more iterations lead to, too.
  if (isLibrary(a) && a.found.upTo === undefined && b.found.upTo !== undefined) return undefined;
  const all = new Set([...stated(b, a), ...stated(b, a, b.found.perhaps)]);
  const missing = stated(a, b).filter((state) => !all.has(state));
  return missing.length === 0
    ? undefined
    : `only ${called(a)} has\n${missing.map((state) => `  ${state}`).join('\n')}`;
}

/** The states of one way as texts, each once, by what both list. */
function stated(a: Answer, b: Answer, states = a.found.states): readonly string[] {
  const subjects = b.way.subjects?.(b.program) ?? a.way.subjects?.(a.program);
  const names = (subjects ?? allSubjects(a.program)).map((s) => subjectName(a.program, s));
  const texts = states.map((state) => names.map((name) => `${name}=${state[name]}`).join(' '));
  return subjects === undefined ? texts : [...new Set(texts)];
}

const called = ({ name, setting }: Answer): string => `${name} under ${setting.name}`;

function report(drawn: Drawn, [a, b]: readonly [Answer, Answer], difference?: string): void {
  if (difference === undefined) return;
  const answers = [called(a), called(b)].join(' and ');
  throw new Error(`${answers} differ: ${difference}\n${drawn.text}`);
}
