/** Results of many files, side by side: a column for each card, a row for each program. */
import { groupBy } from '../../model/relation/groups.js';
import { stateKey } from '../../program/final.js';
import type { Location, Test } from '../../program/program.js';
import type { Card, Results, SeenState, TestResults } from './read.js';

/** What was measured on one card in the same circumstances, however many files it is in. */
export interface MeasuredCard {
  readonly card: Card;
  readonly files: readonly string[];
  readonly rounds: number;
  readonly dropped: number;
  readonly leftOut: readonly { readonly test: string; readonly why: string }[];
}

/** A program, and what was seen of it. */
export interface MeasuredTest {
  /** Its name, unlike those of all others. */
  readonly name: string;
  readonly test: Test;
  /** By card; undefined: it did not run there. */
  readonly on: readonly (Counts | undefined)[];
}

export interface Counts {
  readonly rounds: number;
  readonly seen: readonly SeenState[];
}

export interface Measured {
  readonly cards: readonly MeasuredCard[];
  readonly tests: readonly MeasuredTest[];
}

/** Results of the same card are added up: seeds and numbers of rounds may differ. */
export function addUp(all: readonly Results[]): Measured {
  const cards = [...groupBy(all, ({ card }) => circumstances(card)).values()];
  const ran = cards.flatMap((those, column) =>
    those.flatMap(({ card, tests }) =>
      tests
        .filter(({ leftOut }) => leftOut === undefined)
        .map((one) => ({ ...one, column, relaxed: card.relaxed })),
    ),
  );
  const names = new Map<string, number>();
  const unlike = (name: string): string => {
    const before = names.get(name) ?? 0;
    names.set(name, before + 1);
    return before === 0 ? name : `${name}.${before + 1}`;
  };
  const programs = groupBy(ran, ({ program, relaxed }) => `${relaxed}\n${program}`);
  return {
    cards: cards.map(cardOf),
    tests: [...programs.values()].map((those) => {
      const [{ test, relaxed }] = those;
      return {
        name: unlike(relaxed ? `${test.name} --relaxed` : test.name),
        test: relaxed ? asRelaxed(test) : test,
        on: cards.map((_, column) => countsOf(those.filter((one) => one.column === column))),
      };
    }),
  };
}

/** What tells cards apart. Whether threads were pinned, and for how many rounds, is no property of a card. */
const circumstances = (c: Card): string =>
  [
    ...[c.card, c.vendor, c.part, c.firmware, c.driver, c.cpu, c.link, c.relaxed],
    c.processes > 1,
  ].join('\n');

function cardOf(those: readonly Results[]): MeasuredCard {
  const tests = those.flatMap((one) => one.tests);
  const leftOut = tests.flatMap(({ test, leftOut: why }) =>
    why === undefined ? [] : [{ test: test.name, why }],
  );
  return {
    card: those[0].card,
    files: those.map(({ file }) => file),
    rounds: sum(tests.map(({ rounds }) => rounds)),
    dropped: sum(tests.map(({ dropped }) => dropped)),
    leftOut: [...new Map(leftOut.map((one) => [one.test, one])).values()],
  };
}

function countsOf(those: readonly TestResults[]): Counts | undefined {
  if (those.length === 0) return undefined;
  const seen = groupBy(
    those.flatMap((one) => one.seen),
    ({ state }) => stateKey(state),
  );
  return {
    rounds: sum(those.map(({ rounds }) => rounds)),
    seen: [...seen.values()].map((same) => ({
      state: same[0].state,
      times: sum(same.map(({ times }) => times)),
    })),
  };
}

/** The program with the tags that its locations have under `--relaxed`: all are relaxed but those that are strict. */
function asRelaxed(test: Test): Test {
  const { program } = test;
  const relaxed = (one: Location): Location => {
    const { tags = [], hidden } = one;
    const stays = hidden === true || tags.includes('strict') || tags.includes('relaxed');
    return stays ? one : { ...one, tags: [...tags, 'relaxed'] };
  };
  return { ...test, program: { ...program, locations: program.locations.map(relaxed) } };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
