// How large encodings are, and how they grow.
import type { Counted } from './counting.js';
import type { Row } from './markdown.js';
import { met, table } from './markdown.js';
import type { FamilySizes } from './sizes.js';

/** With which power of k clauses and edges may grow. */
const LIMIT = 2.1;

const total = ({ clauses, edges }: Counted): number => clauses + edges;

/** The last two sizes k and 2k, and the e for which clauses and edges grow with k^e from one to the other. */
function growthOf({ family, sizes }: FamilySizes) {
  const counted = sizes.flatMap(({ k, clauses, edges }) =>
    clauses === undefined || edges === undefined ? [] : [{ k, clauses, edges }],
  );
  const [before, last] = counted.slice(-2);
  return { family, k: last.k, exponent: Math.log2(total(last) / total(before)) };
}

export function sizeGoal(families: readonly FamilySizes[]): Row {
  const worst = families.map(growthOf).reduce((a, b) => (b.exponent > a.exponent ? b : a));
  return [
    'clauses and edges, growth where k doubles last: the worst (below)',
    `\`${worst.family}\`, to k = ${worst.k}`,
    `k^${worst.exponent.toFixed(2)}`,
    '',
    `≤ k^${LIMIT}`,
    met(worst.exponent <= LIMIT),
  ];
}

export function sizeLines(families: readonly FamilySizes[]): readonly string[] {
  const ks = families[0].sizes.map(({ k }) => k);
  return [
    'What the default engine gives to the clause search: clauses, and edges of graphs that must have no cycle. Growth: the exponent',
    'between the last two.',
    '',
    ...table(
      ['family', ...ks.map((k) => `k = ${k}`), 'growth', `≤ k^${LIMIT}`],
      families.map((f) => {
        const { exponent } = growthOf(f);
        return [
          f.family,
          ...f.sizes.map((s) => (s.clauses === undefined ? '' : `${s.clauses} + ${s.edges}`)),
          `k^${exponent.toFixed(2)}`,
          met(exponent <= LIMIT),
        ];
      }),
    ),
  ];
}
