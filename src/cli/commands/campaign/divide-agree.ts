import { survey } from '../../../analyses/agree/survey.js';
import type { Pool } from '../../../analyses/workers.js';
import { foundText } from '../../../report/agree.js';
import { surveyRecord } from '../../../report/agree-record.js';
import type { AgreeRecord } from '../../../report/agree-record.js';
import { JSON_FORMAT } from '../../../report/json.js';
import { reproduce } from '../agree/agree.js';
import type { AgreeOptions, AgreePlan } from '../agree/programs.js';
import { methodLimits, planAgree, randomPrograms } from '../agree/programs.js';
import { VERSION } from '../../package.js';
import type { DividedCommand } from './division.js';
import type { CampaignPart } from '../../results/records.js';
import { comparedWays, wrongLine } from '../../results/records.js';

/** Programs a job: a few seconds. */
const SIZE = 100;

/** `agree --random`: ranges of random programs. */
export async function divideAgree(given: AgreeOptions): Promise<DividedCommand> {
  const { DEFAULT_MODEL } = await import('../../run/options.js');
  const options: AgreeOptions = { ...given, model: given.model ?? DEFAULT_MODEL };
  const plan = await planAgree([], options);
  if (plan.errors.length > 0) return { errors: plan.errors };
  const { models, all, engine, reader, warnings } = plan;
  const { random: count = 0, seed = 1, equivalent = false, timeLimit, solver } = options;
  const ways = comparedWays({
    comparisons: all.grouping.groups.map((group) => ({
      models: group.models.map(({ name }) => name),
      ways: group.ways.map((way) => ({ engine: way.engine, model: way.model.name })),
      ...{ agreed: 0, states: 0, undecided: [], skipped: [] },
    })),
  });
  return {
    header: {
      remora: VERSION,
      format: JSON_FORMAT,
      command: 'agree',
      models: models.items.map(({ name }, i) => ({ model: name, content: models.contents[i] })),
      engines: plan.engines,
      equivalent,
      random: count,
      seed,
      ...methodLimits(options),
      timeLimit,
      solver,
      leftOut: all.grouping.leftOut.map(({ engine, model }) => ({ engine, model: model.name })),
    },
    unit: 'program',
    count,
    size: SIZE,
    paths: [],
    files: reader.files,
    run: { ...options, engine },
    warnings,
    async work({ id, from, to }, pool, lanes) {
      const record = await surveyRange(plan, options, { from, to }, pool, lanes);
      return JSON.stringify({ job: id, from, to, ...record });
    },
    wrong: (job, results) => wrongLine('agree', results, job, ways),
  };
}

/** Compares all programs of a range, also after a disagreement. The first disagreement is shrunk. */
async function surveyRange(
  { models, all: { grouping } }: AgreePlan,
  options: AgreeOptions,
  { from, to }: CampaignPart,
  pool: Pool,
  lanes: number,
): Promise<AgreeRecord> {
  const started = performance.now();
  const all = randomPrograms(options, models.items, grouping);
  const limits = methodLimits(options);
  const surveys = [];
  const disagreements: AgreeRecord['disagreements'][number][] = [];
  for (let next = from; next < to && pool.problem === undefined;) {
    const first = next;
    const surveyed = await survey({
      count: to - first,
      program: (i) => all.at(first + i),
      groups: grouping.groups,
      limits,
      pool,
      lanes,
    });
    surveys.push(surveyed);
    const { disagreement, programs } = surveyed;
    next += programs;
    if (disagreement === undefined) break;
    const index = first + disagreement.index;
    const program = all.describe(index);
    if (disagreements.length > 0) disagreements.push({ program });
    else {
      const found = await reproduce({ ...disagreement, index }, all, options, limits, pool);
      disagreements.push({ program, told: foundText(found) });
    }
  }
  if (pool.problem !== undefined) throw new Error(pool.problem);
  return surveyRecord(surveys, disagreements, performance.now() - started);
}
