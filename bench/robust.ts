// Robustness over the corpus: how long exact answers and repairs take once the process is up.
import { runScript, spread } from './process.js';

const MODELS = ['rdma-sc', 'rdma-tso'];
const COMPARISONS = ['complete', 'prefixes'];
const PROTOCOLS = 'corpus/protocols';

/** Seconds that each answer should take, and each repair; and those after which it is given up. */
const GOALS = { exact: 1, repair: 10 };
const TIME_LIMIT = 60;

export function measureRobust() {
  const measure = (folder) => {
    const what = { models: MODELS, comparisons: COMPARISONS, folder, timeLimit: TIME_LIMIT };
    const { objects, end } = runScript('robust-run.js', what, 3600);
    if (end !== undefined) throw new Error(`robust: ${end}`);
    return objects;
  };
  const answers = measure('corpus');
  const kinds = MODELS.flatMap((model) =>
    COMPARISONS.map((comparison) => {
      const own = answers.filter((a) => a.model === model && a.comparison === comparison);
      const repairs = own.filter((a) => a.repair !== undefined);
      return {
        model,
        comparison,
        exact: summary(own.map((a) => [a.test, a.milliseconds])),
        repair: summary(repairs.map((a) => [a.test, a.repair.milliseconds])),
        undecided: own.filter((a) => a.verdict === 'unknown').length,
        unrepaired: repairs.filter((a) => a.repair.kind !== 'found').map((a) => a.test),
      };
    }),
  );
  return { goals: GOALS, kinds, protocols: measure(PROTOCOLS) };
}

/** How many there are, their median, and the slowest. */
function summary(list) {
  const [name, most] = list.reduce((a, b) => (b[1] > a[1] ? b : a));
  return { count: list.length, median: spread(list.map(([, ms]) => ms)).median, most, name };
}
