import { axiomChanges, ownChanges } from './axioms.js';
import { conditionChanges } from './conditions.js';
import { declarationChanges } from './declarations.js';
import { failureChanges } from './failures.js';
import type { Change, Mutant } from './mutant.js';
import { messageChanges } from './messages.js';
import { cellChanges } from './tables.js';
import { originalModel } from './text.js';
import { atomicsChanges, flushChanges, noFlushes, unionChanges } from './unions.js';

/** Models that differ from others in a few lines: only these are mutated. */
const VARIANTS = [
  'corerma',
  'rdma-inline',
  'rdma-manpage',
  'rdma-nics',
  'rdma-nics-cpuflush',
  'rdma-ooo-rw',
  'rdma-ro',
  'rdma-ro-atomic',
  'rdma-ro-either',
  'rdma-ro-manpage',
  'rdma-ro-recvown',
  'rdma-ro-tagged',
  'rdma-srd',
  'rdma-tso-failwrite',
  'rdma-tso-getfirst',
  'rdma-tso-glob',
  'rdma-tso-late',
  'rdma-tso-loclock',
  'rdma-tso-no-nfo',
  'rdma-tso-out',
  'rdma-unordered',
] as const;

/** The models that are mutated: all that are shipped. */
export const MODELS = [
  'sc',
  'rdma-sc',
  'rdma-sc-no-ib',
  'rdma-tso',
  'rdma-tso-4.4',
  'rdma-tso-rec',
  'rdma-tso-nopcie',
  'rdma-wait',
  'x86-tso',
  'x86-tso-textbook',
  ...VARIANTS,
] as const;

/** Every mutant of a model. */
export function mutantsOf(model: string): readonly Mutant[] {
  const isVariant = VARIANTS.some((variant) => variant === model);
  const axioms = isVariant
    ? [...ownChanges(model), ...messageChanges(model)]
    : [...axiomChanges(model), ...ownChanges(model)];
  const changes =
    model.startsWith('rdma-') && !isVariant ? [...rdmaChanges(model), ...axioms] : axioms;
  return changes.map((change) => ({ ...change, model }));
}

function rdmaChanges(name: string): readonly Change[] {
  const model = originalModel(name);
  return [
    ...cellChanges(model),
    ...unionChanges(model),
    ...flushChanges(model),
    ...noFlushes(model),
    ...atomicsChanges(model),
    ...conditionChanges(model),
    ...declarationChanges(name),
    ...messageChanges(name),
    ...failureChanges(name),
  ];
}
