import { Argument, Option } from 'commander';
import type { RobustnessQuestion } from '../../analyses/ask/robust.js';
import { askRobustness } from '../../analyses/ask/robust.js';
import type { Robustness } from '../../analyses/robust/result.js';
import { referenceModel } from '../../node/reference.js';
import { parseLitmus } from '../../node/tests.js';
import { renderDiagnostic } from '../../parse/diagnostics/index.js';
import type { Program, Test } from '../../program/program.js';
import type { ConditionModel } from '../../rdma/conditions/conditions.js';
import { conditionsOf } from '../../rdma/conditions/conditions.js';
import { notUnderConditions } from '../../rdma/conditions/covered.js';
import { conditionModel } from '../../rdma/conditions/known.js';
import { distribute as toStar } from '../../rdma/distribute/distribute.js';
import { loopBound } from '../../report/outcome.js';
import { theorem } from '../../report/robust-record.js';
import { ROBUSTNESS_CODES } from '../command/codes.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../command/exit.js';
import { force, timeLimit } from '../command/options.js';
import { names, positive } from '../command/values.js';
import { renderFor } from '../inputs/messages.js';
import { STDOUT, wantedAs } from '../outputs/plan.js';
import type { CommandReport } from '../print/print.js';
import { lines } from '../print/print.js';
import type { CommandWork, CommandRefusal } from '../run/answer.js';
import { answer } from '../run/answer.js';
import type { LitmusInputs } from '../run/begin.js';
import { readInputs } from '../run/begin.js';

export const distributeCommand = () =>
  declare(
    {
      name: 'distribute',
      summary: 'turn a program over shared memory into one over RDMA',
      description:
        'Turns threads over shared memory into clients of a server that has the memory, prints the program, ' +
        'and checks that it is fenced as a tree, free of local races, and robust.',
      arguments: [new Argument('<file>', 'a litmus file')],
      options: [
        new Option('--server <n>', 'which thread is the server, counted from 1')
          .argParser(positive)
          .makeOptionMandatory(),
        new Option('-m, --model <model>', "a model's name (default: rdma-sc)").argParser(
          names('a model'),
        ),
        timeLimit('the check'),
        new Option('-o, --out <file>', 'write the program to a file'),
        force(),
      ],
      examples: [
        [
          'remora distribute corpus/tso/CPU-SB.litmus --server 1',
          'the first thread keeps the memory',
        ],
      ],
      codes: {
        ...ROBUSTNESS_CODES,
        asExpected: 'the program is robust',
        departs: 'the program is not robust',
        undecided: 'whether it is robust is undecided',
      },
    },
    distribute,
  );

interface DistributeOptions {
  /** The number of the server's thread, from 1. */
  readonly server: number;
  readonly model?: readonly string[];
  readonly timeLimit?: number;
  /** A file for the program, instead of standard output. */
  readonly out?: string;
  readonly force?: boolean;
}

const ENGINE = 'auto';

/** The first line of the program under TSO: the recipe is for CPUs that are SC. */
const NO_FENCES =
  '# No memory fences are added: a server that writes and then reads needs them under rdma-tso. robust --fix adds them.\n';

/**
 * Turns a program over shared memory into clients and a server, and checks what the recipe promises: tree-fenced,
 * locally data-race free, and robust (robustness paper, section 5.3).
 */
async function distribute(path: string, options: DistributeOptions): Promise<number> {
  const inputs = await readInputs({
    names: options.model ?? ['rdma-sc'],
    paths: [path],
    options: { ...options, engine: ENGINE },
    takesNoClients: ['distribute', 'it turns instructions of CPUs into remote ones'],
  });
  return answer(inputs.run, questionsAbout(inputs, path, options));
}

/** Writes the program, and asks whether it is robust. */
function questionsAbout(
  { models, corpus, leftOut, plan }: LitmusInputs,
  path: string,
  { out = STDOUT, server }: DistributeOptions,
): CommandWork<readonly Robustness[]> | CommandRefusal {
  const [model] = models.items;
  const known = model === undefined ? undefined : conditionModel(model);
  const unfit = known?.ok === false ? known.errors.map((e) => renderDiagnostic(e, new Map())) : [];
  const several = models.items.length > 1 ? ['distribute checks one model: give just one'] : [];
  const files = corpus.tests.length > 1 ? [`${path}: distribute takes one litmus file`] : [];
  const { outputs, errors: unwritable } = plan(wantedAs('litmus', out));
  const errors = [
    ...[...models.errors, ...unfit, ...several, ...corpus.errors, ...leftOut, ...files],
    ...unwritable,
  ];
  const said = [...corpus.warnings, ...errors];
  if (errors.length > 0 || known?.ok !== true) return { refused: said };
  const [{ test, source }] = corpus.tests;
  const made = toStar(test, server);
  if (!made.ok) return { refused: [...said, renderFor(source, made.errors)] };
  const head = known.value === 'rdma-tso' ? NO_FENCES : '';
  const problems = outputs[0].write(`${head}${made.value}\n`);
  if (problems.length > 0) return { refused: [...said, ...problems] };
  const { program } = parsed(made.value);
  const question: RobustnessQuestion = {
    program,
    model,
    engine: ENGINE,
    reference: referenceModel(),
    comparisons: ['complete'],
  };
  return {
    said,
    tasks: [{ name: test.name, do: (pool) => askRobustness(pool, question) }],
    report: ([[robustness]]) => reportOf(program, known.value, model.name, robustness),
  };
}

function reportOf(
  program: Program,
  model: ConditionModel,
  name: string,
  robustness: Robustness,
): CommandReport {
  // The conditions do not know remote atomics.
  const isKnown = notUnderConditions(program).length === 0;
  const found = isKnown ? conditionsOf(program, model) : undefined;
  const by = theorem({ model, found });
  const met = (failures: readonly unknown[] | undefined): string =>
    failures === undefined ? 'unknown' : failures.length === 0 ? 'yes' : 'no';
  const text = lines([
    `# under ${name}:`,
    `# locally data-race free: ${met(found?.ldrf)}`,
    `# tree-fenced: ${met(found?.treeFenced)}`,
    `# robust: ${by === undefined ? inWords(robustness, isKnown) : `robust, by ${by}`}`,
  ]);
  return { format: 'text', text, code: by === undefined ? CODES[robustness.verdict] : AS_EXPECTED };
}

const CODES = {
  robust: AS_EXPECTED,
  vacuous: AS_EXPECTED,
  'not robust': DEPARTS,
  unknown: UNDECIDED,
} as const;

/** @param isKnown whether `--static` can say more */
function inWords({ verdict, reason, upTo }: Robustness, isKnown: boolean): string {
  if (reason !== undefined) return `${verdict}: ${reason}`;
  if (verdict === 'not robust')
    return `${verdict}: remora robust${isKnown ? ' --static' : ''} says where, --fix what helps`;
  return upTo === undefined ? verdict : `${verdict}, for runs with ${loopBound(upTo)}`;
}

/** Reads the program that was made, like any other litmus file. */
function parsed(text: string): Test {
  const test = parseLitmus(text);
  if (!test.ok) throw new Error(`the program made is not litmus: ${test.errors[0].message}`);
  return test.value;
}
