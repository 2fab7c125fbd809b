import { referenceModel } from '../../../node/reference.js';
import { distribute as toStar } from '../../../rdma/distribute/distribute.js';
import { parseLitmus } from '../../../node/tests.js';
import type { Test } from '../../../program/program.js';
import { loopBound } from '../../../report/outcome.js';
import { theorem } from '../../../report/robust-record.js';
import { askRobustness } from '../../../analyses/ask/robust.js';
import type { Robustness } from '../../../analyses/robust/result.js';
import { conditionsOf } from '../../../rdma/conditions/conditions.js';
import { notCovered } from '../../../rdma/conditions/covered.js';
import { conditionModel } from '../../../rdma/conditions/known.js';
import { renderDiagnostic } from '../../../parse/diagnostics/index.js';
import { withoutClients } from '../../inputs/clients.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from '../../command/exit.js';
import { readCorpus } from '../../inputs/corpus.js';
import { renderFor } from '../../inputs/messages.js';
import { readModels } from '../../inputs/models.js';
import { STDOUT, planOutputs, wantedAs } from '../../outputs/plan.js';
import { complain } from '../../print/print.js';
import { openReader } from '../../inputs/reader.js';
import { startRun } from '../../run/tasks.js';

export interface DistributeOptions {
  /** Which thread is the server, from 1. */
  readonly server: number;
  readonly model?: readonly string[];
  readonly timeLimit?: number;
  /** A file for the program, in the place of standard output. */
  readonly out?: string;
  readonly force?: boolean;
}

const ENGINE = 'auto';

/**
 * `remora distribute`: a program over shared memory as clients and a server, and whether the result is
 * what the recipe promises: fenced as a tree, free of local races, and robust (the robustness paper,
 * section 5.3).
 */
export async function distribute(path: string, options: DistributeOptions): Promise<number> {
  const names = options.model ?? ['rdma-sc'];
  const reader = await openReader([...names, path]);
  const models = readModels(names, ENGINE, reader);
  const [model] = models.items;
  const known = model === undefined ? undefined : conditionModel(model);
  const unfit = known?.ok === false ? known.errors.map((e) => renderDiagnostic(e, new Map())) : [];
  const several = models.items.length > 1 ? ['distribute checks one model: give just one'] : [];
  const { corpus, refused } = withoutClients(
    readCorpus([path], models, reader),
    'distribute',
    'it turns instructions of CPUs into remote ones',
  );
  const files = corpus.tests.length > 1 ? [`${path}: distribute takes one litmus file`] : [];
  const { force, out } = options;
  const plan = planOutputs(wantedAs('litmus', out ?? STDOUT), {
    inputs: reader.files,
    force,
    toStdout: true,
  });
  const errors = [
    ...[...models.errors, ...unfit, ...several, ...corpus.errors, ...refused, ...files],
    ...plan.errors,
  ];
  complain([...corpus.warnings, ...errors]);
  if (errors.length > 0 || known?.ok !== true) return BAD_INPUT;
  const [{ test, source }] = corpus.tests;
  const made = toStar(test, options.server);
  if (!made.ok) {
    complain([renderFor(source, made.errors)]);
    return BAD_INPUT;
  }
  const [output] = plan.outputs;
  const problem = output.write(`${made.value}\n`);
  if (problem !== undefined) {
    complain([problem]);
    return BAD_INPUT;
  }
  const { program } = parsed(made.value);
  const run = startRun({ ...options, engine: ENGINE }, false);
  const { results, interrupted } = await run.all([
    {
      name: test.name,
      do: (pool) =>
        askRobustness(pool, {
          program,
          model,
          reference: referenceModel(),
          comparisons: ['complete'],
          engine: ENGINE,
        }),
    },
  ]);
  const [[robustness]] = results;
  // The conditions do not know remote atomics.
  const isKnown = notCovered(program).length === 0;
  const found = isKnown ? conditionsOf(program, known.value) : undefined;
  const by = theorem({ model: known.value, found });
  const met = (failures: readonly unknown[] | undefined): string =>
    failures === undefined ? 'unknown' : failures.length === 0 ? 'yes' : 'no';
  process.stdout.write(
    [
      `# under ${model.name}:`,
      `# locally data-race free: ${met(found?.ldrf)}`,
      `# tree-fenced: ${met(found?.treeFenced)}`,
      `# robust: ${by === undefined ? inWords(robustness, isKnown) : `robust, by ${by}`}`,
      '',
    ].join('\n'),
  );
  if (interrupted) return INTERRUPTED;
  if (by !== undefined) return AS_EXPECTED;
  if (robustness.verdict === 'unknown') return UNDECIDED;
  return robustness.verdict === 'not robust' ? DEPARTS : AS_EXPECTED;
}

/** @param isKnown whether `--static` can say more */
function inWords({ verdict, reason, upTo }: Robustness, isKnown: boolean): string {
  if (reason !== undefined) return `${verdict}: ${reason}`;
  if (verdict === 'not robust')
    return `${verdict}: remora robust${isKnown ? ' --static' : ''} says where, --fix what helps`;
  return upTo === undefined ? verdict : `${verdict}, for runs with ${loopBound(upTo)}`;
}

/** Reads the program that was made, as any other litmus file is read. */
function parsed(text: string): Test {
  const test = parseLitmus(text);
  if (!test.ok) throw new Error(`the program made is not litmus: ${test.errors[0].message}`);
  return test.value;
}
