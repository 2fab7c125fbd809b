// Robustness over the corpus: how long exact answers and repairs take once the process is up.
import { runScript, spread } from './process.js';
import type { RobustFound, RobustGivens } from './robust-run.js';

const MODELS = ['rdma-sc', 'rdma-tso'];
const COMPARISONS = ['complete', 'prefixes'] as const;
const PROTOCOLS = 'corpus/protocols';

/** Seconds that each answer should take, and each repair; and those after which it is given up. */
const GOALS = { exact: 1, repair: 10 };
const TIME_LIMIT = 60;

/** Of a model and a comparison. */
interface Kind {
  readonly model: string;
  readonly comparison: string;
  readonly exact: Summary;
  readonly repair: Summary;
  readonly undecided: number;
  /** The tests without a repair. */
  readonly unrepaired: readonly string[];
}

/** Milliseconds: how many there are, their median, and the slowest. */
export interface Summary {
  readonly count: number;
  readonly median: number;
  readonly most: number;
  readonly name: string;
}

export interface Robust {
  readonly goals: typeof GOALS;
  readonly kinds: readonly Kind[];
  readonly protocols: readonly RobustFound[];
}

export function measureRobust(): Robust {
  const measure = (folder: string): readonly RobustFound[] => {
    const what = { models: MODELS, comparisons: COMPARISONS, folder, timeLimit: TIME_LIMIT };
    const { objects, end } = runScript<RobustGivens, RobustFound>('robust-run', what, 3600);
    if (end !== undefined) throw new Error(`robust: ${end}`);
    return objects;
  };
  const answers = measure('corpus');
  const kinds = MODELS.flatMap((model) =>
    COMPARISONS.map((comparison): Kind => {
      const own = answers.filter((a) => a.model === model && a.comparison === comparison);
      const repairs = own.flatMap((a) =>
        a.repair === undefined ? [] : [{ ...a.repair, test: a.test }],
      );
      return {
        model,
        comparison,
        exact: summary(own.map((a) => [a.test, a.milliseconds])),
        repair: summary(repairs.map((a) => [a.test, a.milliseconds])),
        undecided: own.filter((a) => a.verdict === 'unknown').length,
        unrepaired: repairs.filter((a) => a.kind !== 'found').map((a) => a.test),
      };
    }),
  );
  return { goals: GOALS, kinds, protocols: measure(PROTOCOLS) };
}

function summary(list: readonly (readonly [name: string, milliseconds: number])[]): Summary {
  const [name, most] = list.reduce((a, b) => (b[1] > a[1] ? b : a));
  return { count: list.length, median: spread(list.map(([, ms]) => ms)).median, most, name };
}
