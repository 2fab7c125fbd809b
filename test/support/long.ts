/**
 * Tests that take long: properties over many random programs, programs of others, whole corpora by several engines. `npm run test:long` runs
 * them, and CI does; `npm test` has all others.
 */
export const LONG: readonly string[] = [
  'analyses/explain-properties',
  'analyses/repair-runs',
  'analyses/robust-explore',
  'check/enumerate-random',
  'check/last-iteration',
  'check/stages',
  'check/tiny',
  'cli/campaign-killed',
  'cli/campaign-redis',
  'cli/local-hard',
  'cli/lsp-typing',
  'libraries/fuzz',
  'libraries/kv',
  'model/atomics',
  'model/herd-models',
  'model/models',
  'mutate/cells',
  'parse/fuzz',
  'project/proofs',
  'project/vscode',
  'rdma/operational',
  'rdma/promela',
  'rdma/spin',
  'rdma/told',
  'rdma/twins',
].map((name) => `test/${name}.test.ts`);
