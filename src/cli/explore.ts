import { isStateQuery } from '../program/program.js';
import { EXPLORED_MODELS, hardwareOf } from '../rdma/explore/hardware.js';
import { begin, finish } from './commands.js';
import { BAD_INPUT } from './exit.js';
import type { FormatOf } from './formats.js';
import { chosen } from './formats.js';
import { unusableOf } from './inputs.js';
import { complain, reportVerdicts } from './print.js';
import type { CommonOptions } from './options.js';
import { decideTask } from './tasks.js';

export interface ExploreOptions extends Omit<CommonOptions, 'engine'> {
  readonly model: readonly string[];
  readonly reporter?: FormatOf<'explore'>;
  readonly room?: number;
}

/** Seconds for one file under one model where nothing else is said: a lock of four threads takes some of them. */
const TIME_LIMIT = 600;

/** `remora explore`: the queries of the files about runs, and no others. */
export async function explore(paths: readonly string[], given: ExploreOptions): Promise<number> {
  const started = performance.now();
  const options = { timeLimit: TIME_LIMIT, ...given, engine: 'auto' } as const;
  const work = await begin('check', options.model, paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus } = work;
  const explored = models.items.filter((m) => hardwareOf(m) !== undefined);
  const without = models.items.filter((m) => hardwareOf(m) === undefined);
  const those = [...EXPLORED_MODELS.keys()].join(', ');
  complain(
    without.map(({ name }) => `no machine for the model ${name}: there are those of ${those}`),
  );
  const tasks = corpus.tests.map((item) =>
    decideTask(item, explored, { ...options, asks: (query) => !isStateQuery(query) }, undefined),
  );
  const { results, how } = await finish(work, tasks);
  const details = {
    models: explored.map(({ name }) => name),
    unusable: unusableOf(models, corpus),
    milliseconds: performance.now() - started,
    quiet: false,
  };
  const format = chosen('explore', options.reporter);
  const bad = how.bad || without.length > 0;
  return reportVerdicts(results.flat(), format, true, details, { ...how, bad });
}
