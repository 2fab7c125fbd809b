import { Argument, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../command/usage.js';
import { declare } from '../../command/declare.js';
import { jobs } from '../../command/options.js';

const ACTIONS = ['start', 'work', 'watch', 'stop'] as const;
type Action = (typeof ACTIONS)[number];

interface CampaignOptions {
  readonly redis?: string;
  readonly jobs?: number;
  readonly solver?: string;
  readonly out?: string;
}

/** A name, as keys in Redis can have it. */
const name = (text: string): string => {
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(text))
    throw new InvalidArgumentError('letters, digits, dots, - and _ are needed.');
  return text;
};

export const campaignCommand = () =>
  declare(
    {
      name: 'campaign',
      summary: 'do a command in parts, on any number of machines, by Redis',
      description:
        'Cuts a command line into jobs (start), which any number of workers take from Redis (work), and gathers ' +
        'their results (watch), each once, whatever becomes of workers and of Redis. Takes agree --random, ' +
        'refine --generate, distinguish, synthesise, check, test, compare and outcomes. docs/scale.md says more.',
      arguments: [
        new Argument('<action>', 'what to do').choices(ACTIONS),
        new Argument('<name>', 'the name of the campaign').argParser(name),
        new Argument('[words...]', 'of start: -- and the command line'),
      ],
      options: [
        new Option(
          '--redis <url>',
          'where Redis is: redis://host:6379, or the path of its socket (default: REMORA_REDIS, or this machine)',
        ),
        jobs(),
        new Option(
          '--solver <command>',
          'of work: the SMT-LIB 2 solver of this worker, where the campaign is for the engine native',
        ),
        new Option('--out <file>', 'of watch: write the results to a file, or go on with it'),
      ],
      examples: [
        ['remora campaign start night -- agree --random 20 --seed 7', 'the jobs of a command line'],
        ['remora campaign work night --jobs 2', 'does them; on as many machines as there are'],
        [
          'remora campaign watch night --out night.jsonl',
          'how far it is, and in the end the report',
        ],
        ['remora campaign stop night', 'takes it out of Redis'],
      ],
      codes: {
        asExpected: 'the action is done; watch ends as the command would',
        departs: 'watch: some disagree, do not refine, or depart from what a file expects',
        badInput:
          'wrong usage, input that cannot be read, no Redis that takes jobs, or jobs that could not be done',
        undecided: 'watch: something is undecided; work, watch: Redis lost what it had',
      },
      aboutUnknownOption: ([action]) =>
        action === 'start'
          ? 'Options of the command line stand behind --, as in campaign start NAME -- agree --random 1000.'
          : undefined,
    },
    campaign,
  );

/** Runs one of the actions. The packages for Redis are loaded only here, so that helps need not wait for them. */
async function campaign(
  action: Action,
  name: string,
  words: string[],
  options: CampaignOptions,
): Promise<number> {
  const problem = misuse(action, words, options);
  if (problem !== undefined) throw new UsageError(problem);
  const { readPlace } = await import('./redis.js');
  const { takeKey } = await import('./key.js');
  const access = { place: readPlace(options.redis), key: takeKey() };
  switch (action) {
    case 'start':
      return (await import('./start.js')).startCampaign(access, name, words);
    case 'work':
      return (await import('./work.js')).workOn(access, name, options);
    case 'watch':
      return (await import('./watch.js')).watchCampaign(access, name, options.out);
    case 'stop':
      return (await import('./stop.js')).stopCampaign(access, name);
  }
}

/** Options that do not go with an action. */
function misuse(
  action: Action,
  words: readonly string[],
  { jobs, solver, out }: CampaignOptions,
): string | undefined {
  if (action !== 'start' && words.length > 0) return `campaign ${action} takes a name and no more`;
  if (action !== 'work' && jobs !== undefined) return '--jobs goes with campaign work';
  if (action !== 'work' && solver !== undefined) return '--solver goes with campaign work';
  return action !== 'watch' && out !== undefined ? '--out goes with campaign watch' : undefined;
}
