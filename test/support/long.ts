const paths = (names: readonly string[]): readonly string[] =>
  names.map((name) => `test/${name}.test.ts`);

/**
 * Properties over random programs, and over each file: `npm test` tries a few hundred of them, `npm run test:long` some thousands,
 * and `npm run test:all` all.
 */
export const RANDOM = paths([
  'analyses/repair',
  'check/verdicts',
  'encode/bounds',
  'encode/encodings',
  'editor/navigate',
  'engines/models',
  'engines/programs',
  'engines/random',
  'explore/judge',
  'explore/random-locks',
  'libraries/outcomes',
  'model/theorems',
  'mutate/code',
  'proof/clauses',
  'proof/proof',
  'rdma/queue-pairs',
  'rdma/symmetry',
  'solve/hard',
]);

/**
 * Tests that take long: programs of others, whole corpora by several engines, mutants, the runs of long documents, what waits for
 * signals and limits of time, and what starts many processes: Redis, shells, solvers of the user, npm, git, what is built.
 * `npm run test:long` runs them, and CI does; `npm test` has all others.
 */
export const LONG = paths([
  'analyses/explain-field',
  'analyses/explain-properties',
  'analyses/repair-runs',
  'analyses/robust',
  'analyses/robust-explore',
  'check/clients',
  'check/enumerate-random',
  'check/last-iteration',
  'check/stages',
  'check/tiny',
  'cli/build',
  'cli/campaign-killed',
  'cli/campaign-redis',
  'cli/campaign-stranger',
  'cli/campaign-wrong',
  'cli/completion',
  'cli/fuzz',
  'cli/help-examples',
  'cli/interruption',
  'cli/limits',
  'cli/local',
  'cli/local-hard',
  'cli/lsp-typing',
  'cli/memory',
  'cli/refine',
  'cli/resume',
  'cli/solver',
  'cli/watch',
  'editor/rename',
  'engines/corpus',
  'libraries/fuzz',
  'libraries/kv',
  'libraries/locks',
  'model/atomics',
  'model/herd-models',
  'model/models',
  'mutate/cells',
  'mutate/machines',
  'mutate/models',
  'mutate/proofs',
  'parse/fuzz',
  'project/bench',
  'project/docs-long',
  'project/field',
  'project/hook',
  'project/locks',
  'project/package',
  'project/proofs',
  'project/review',
  'project/robustness',
  'project/vscode',
  'rdma/atomics',
  'rdma/instrument',
  'rdma/promela',
  'rdma/spin',
  'rdma/told',
  'report/site-browser',
  'report/timelines-corpus',
]);

/**
 * The dearest of all files, each a minute of processor time or nearly. They are begun first, so that no processor idles at the end: without
 * this, a fresh machine begins with the files that have most text.
 */
export const DEAREST = paths([
  'project/proofs',
  'report/timelines-corpus',
  'analyses/repair-runs',
  'project/locks',
  'engines/random',
  'project/hook',
  'engines/corpus',
  'project/docs-long',
  'cli/local-hard',
  'mutate/machines',
  'engines/models',
  'engines/programs',
  'cli/campaign-redis',
  'cli/help-examples',
  'cli/campaign-killed',
  'mutate/cells',
  'cli/campaign-stranger',
]);
