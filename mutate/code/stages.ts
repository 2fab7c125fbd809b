import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One run of the command line: the arguments of `remora test`. */
export type Stage = readonly string[];

/** Shipped models that `remora test` leaves out by default: other forms of the main ones. */
const OTHER_FORMS = 'rdma-sc-no-ib,rdma-tso-4.4,rdma-tso-rec';

/** Models of what fabrics do differently, which it leaves out as well. */
const FABRICS = 'rdma-manpage,rdma-ro,rdma-ro-tagged';

/** Models of what cards may do differently with remote atomics, which it leaves out, too. */
const ATOMICS =
  'rdma-tso-failwrite,rdma-tso-getfirst,rdma-tso-glob,rdma-tso-late,rdma-tso-loclock,rdma-tso-out';

/**
 * What a mutant has to pass, in the order in which it is most quickly caught: the small tests that are
 * there to guard the construction of events, the rest of the corpus, and small tests again
 * under models in other forms, which need what the main models do not, such as `let rec`, those of fabrics,
 * some of which look at tags, and those of remote atomics.
 */
export function stagesOf(corpus: string): readonly Stage[] {
  const events = join(corpus, 'events');
  const forms = join(events, 'forms');
  const fabrics = join(corpus, 'fabrics');
  const atomics = join(corpus, 'rmw');
  const others = readdirSync(corpus, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.litmus'))
    .map((entry) => join(corpus, entry.name))
    .filter((path) => path !== events);
  const stages = [
    ...(existsSync(events) ? [[events]] : []),
    ...(others.length > 0 ? [others] : []),
    ...(existsSync(forms) ? [[forms, '--model', OTHER_FORMS]] : []),
    ...(existsSync(fabrics) ? [[fabrics, '--model', FABRICS]] : []),
    ...(existsSync(atomics) ? [[atomics, '--model', ATOMICS]] : []),
  ];
  // The default engine would decide tiny tests without the code that these mutants are of.
  return stages.map((stage) => [...stage, '--engine', 'smt']);
}

/** What a mutant of the machines has to pass: remote atomics, on both kinds of queue pairs. */
export function machineStagesOf(corpus: string): readonly Stage[] {
  const atomics = join(corpus, 'rmw');
  const models = `rdma-sc,rdma-tso,rdma-tso-nopcie,${ATOMICS}`;
  return ['operational', 'six-buffers'].map((engine) => [
    atomics,
    '--model',
    models,
    '--engine',
    engine,
  ]);
}
