// Proofs of all that is forbidden or holds in the corpus: how large they are, and what it takes to make and to check them.
import { met, ms, seconds, table } from './markdown.js';
import type { MeasuredProof, ProofsGiven } from './proofs-run.js';
import type { Spread } from './process.js';
import { runScript, spread } from './process.js';

/** By what they are called here. */
const FORMATS = { trees: 'tree', clauses: 'clauses' } as const;

/** How many times as long as deciding a verdict it may take to check its proof. */
const GOAL = 2;

/** How many of the verdicts are named whose proofs took longest. */
const NAMED = 3;

export interface FormatProofs {
  readonly format: string;
  readonly proofs: number;
  readonly trees: number;
  readonly deciding: number;
  readonly making: number;
  readonly checking: number;
  readonly longer: number;
  readonly bytes: Spread;
  readonly size: Spread;
  readonly slowest: number;
  readonly longest: readonly Pick<MeasuredProof, 'name' | 'making'>[];
}

/** Each verdict once, in a new process for each format. */
export function measureProofs(): readonly FormatProofs[] {
  return Object.entries(FORMATS).map(([name, format]) => {
    const { objects, end } = runScript<ProofsGiven, MeasuredProof>('proofs-run', { format }, 1800);
    if (end !== undefined) throw new Error(`proofs: ${end}`);
    const sum = (of: (one: MeasuredProof) => number): number =>
      objects.reduce((total, one) => total + of(one), 0);
    const longest = [...objects].sort((a, b) => b.making - a.making).slice(0, NAMED);
    return {
      format: name,
      proofs: objects.length,
      trees: objects.filter(({ isTree }) => isTree).length,
      deciding: sum(({ deciding }) => deciding),
      making: sum(({ making }) => making),
      checking: sum(({ checking }) => checking),
      longer: objects.filter(({ deciding, checking }) => checking > GOAL * deciding).length,
      bytes: spread(objects.map(({ bytes }) => bytes)),
      size: spread(objects.map(({ size }) => size)),
      slowest: Math.max(...objects.map(({ checking }) => checking)),
      longest: longest.map(({ name, making }) => ({ name, making })),
    };
  });
}

export function proofsLines(formats: readonly FormatProofs[]): readonly string[] {
  const ratio = ({ checking, deciding }: FormatProofs): number => checking / deciding;
  const worst = Math.max(...formats.map(ratio));
  const numbers = ({ median, max }: Spread): string => `${median}, ${max}`;
  const rows: readonly (readonly [string, (of: FormatProofs) => string])[] = [
    ['proofs', ({ proofs }) => String(proofs)],
    ['of these trees', ({ trees }) => String(trees)],
    ['to decide the verdicts, each by itself, s', ({ deciding }) => seconds(deciding)],
    ['to make the proofs, s', ({ making }) => seconds(making)],
    ['to read and check them, s', ({ checking }) => seconds(checking)],
    ['that by deciding', (f) => ratio(f).toFixed(2)],
    [`proofs that take more than ${GOAL} times as long as deciding`, ({ longer }) => `${longer}`],
    ['the longest check, ms', ({ slowest }) => ms(slowest)],
    ['bytes: median, largest', ({ bytes }) => numbers(bytes)],
    ['leaves of trees, steps of clauses: median, largest', ({ size }) => numbers(size)],
  ];
  return [
    'All that is forbidden or holds in the corpus under the main models, and of clients under their libraries, in one thread of a new',
    `process for each format. Trees have no time limit here. Checking is to take at most ${GOAL} times as long as deciding: ${met(worst <= GOAL)}.`,
    '',
    ...table(
      ['', ...formats.map(({ format }) => `as ${format}`)],
      rows.map(([what, of]) => [what, ...formats.map(of)]),
    ),
    '',
    'Those that took longest to make:',
    '',
    ...formats.flatMap(({ format, longest }) =>
      longest.map(({ name, making }) => `- as ${format}: ${name}, ${seconds(making)} s`),
    ),
  ];
}
