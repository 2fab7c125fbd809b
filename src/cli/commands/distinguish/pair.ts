import { availableParallelism } from 'node:os';
import type { Wanted } from '../../../analyses/distinguish/part.js';
import { areEnough, firstOf } from '../../../analyses/distinguish/part.js';
import type { Group } from '../../../analyses/by-size/groups.js';
import { groupName, groupsUpTo } from '../../../analyses/by-size/groups.js';
import { compareGroup } from '../../../analyses/distinguish/distinguish.js';
import type { Distinction } from '../../../analyses/distinguish/distinction.js';
import { distinctionOf } from '../../../analyses/distinguish/distinction.js';
import { instructionsOf } from '../../../model/instructions/union.js';
import type { Model } from '../../../model/term.js';
import { defaultInstructions } from '../../../node/models.js';
import type { Alphabet } from '../../../rdma/classes/alphabet.js';
import { alphabetOf } from '../../../rdma/classes/alphabet.js';
import type { GroupRecord } from '../../../report/distinguish.js';
import { distinguishJson, distinguishText } from '../../../report/distinguish.js';
import type { DistinguishReport } from '../../../report/distinguish.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import { chosenLetters } from '../../inputs/alphabet.js';
import type { Output } from '../../outputs/plan.js';
import type { Reporters } from '../../print/formats.js';
import { answer } from '../../run/answer.js';
import type { CommandTask } from '../../run/tasks.js';
import { startRun } from '../../run/tasks.js';
import type { Format, Options } from './options.js';

/** The smallest program that tells two models apart. */
export async function distinguishPair(
  pair: readonly [Model, Model],
  outputs: readonly Output[],
  options: Options & { readonly calls: number },
): Promise<number> {
  const started = performance.now();
  const { calls, reporter: format = 'text' } = options;
  const known = alphabetOf(pair, defaultInstructions());
  const letters = chosenLetters(known, options.operations, 'both models have');
  const alphabet = { letters, marks: options.tags ? known.marks : [] };
  const wanted = options.all === true ? 'all' : options.both === true ? 'both' : 'first';
  const work: Work = {
    ...{ pair, alphabet, wanted, options },
    instructions: instructionsOf(pair, defaultInstructions()),
  };
  const groups = groupsUpTo(calls, alphabet);
  const done: (GroupRecord | undefined)[] = [];
  return answer(startRun(options, true), {
    tasks: groups.map((group, i) => groupTask(group, work, (record) => (done[i] = record))),
    atOnce: jobsOf(options) + 1,
    // Groups end in any order: what an earlier one finds may already be enough.
    last: (record) =>
      (groupsUpToEnough(done, wanted)?.length ?? Infinity) <= done.indexOf(record) + 1,
    report(results, interrupted) {
      const report: DistinguishReport = {
        models: [pair[0].name, pair[1].name],
        operations: alphabet.letters.map(({ name }) => name),
        marks: alphabet.marks,
        ...{ calls, interrupted },
        groups: shown(
          groupsUpToEnough(results, wanted) ?? results.filter((one) => one !== undefined),
          wanted,
        ),
        wanted,
        seconds: (performance.now() - started) / 1000,
      };
      const found = report.groups.flatMap(({ distinctions }) => distinctions).at(0);
      return {
        format,
        text: REPORTERS[format](report),
        write: () =>
          found === undefined ? [] : outputs.flatMap(({ write }) => write(found.litmus)),
        filesFirst: true,
        code: codeOf(report),
      };
    },
  });
}

/** The groups up to those with all that is wanted, if these are known to be the first such ones. */
function groupsUpToEnough(
  done: readonly (GroupRecord | undefined)[],
  wanted: Wanted,
): readonly GroupRecord[] | undefined {
  const groups: GroupRecord[] = [];
  for (const group of done) {
    const smallest = groups.find(({ differing }) => differing.length > 0)?.calls ?? Infinity;
    if (group === undefined) return undefined;
    if (wanted === 'all' && group.calls > smallest) return groups;
    groups.push(group);
    if (
      areEnough(
        groups.flatMap(({ differing }) => differing),
        wanted,
      )
    )
      return groups;
  }
  return undefined;
}

/** Of two directions, a group has the first programs among its own. Of all, they are shown once. */
function shown(groups: readonly GroupRecord[], wanted: Wanted): readonly GroupRecord[] {
  const all = groups.flatMap(({ differing, distinctions }) =>
    differing.map(({ more }, i) => ({ more, distinction: distinctions.at(i) })),
  );
  const first = firstOf(all, wanted).map(({ distinction }) => distinction);
  return groups.map((group) => ({
    ...group,
    distinctions: group.distinctions.filter((one) => first.includes(one)),
  }));
}

const REPORTERS: Reporters<Format, DistinguishReport> = {
  text: distinguishText,
  json: distinguishJson,
};

interface Work {
  readonly pair: readonly [Model, Model];
  readonly alphabet: Alphabet;
  readonly instructions: Model['instructions'];
  readonly wanted: Wanted;
  readonly options: Options;
}

const jobsOf = ({ jobs = availableParallelism() }: Options): number => jobs;

function groupTask(
  group: Group,
  { pair, alphabet, instructions, wanted, options }: Work,
  isDone: (record: GroupRecord) => void,
): CommandTask<GroupRecord> {
  const { engine } = options;
  return {
    name: groupName(group),
    async do(pool) {
      const jobs = jobsOf(options);
      const found = await compareGroup(pool, pair, group, { alphabet, instructions, wanted, jobs });
      const distinctions: Distinction[] = [];
      for (const { litmus } of found.differing) {
        const one = await distinctionOf(pool, pair, litmus, instructions, engine);
        if ('unfinished' in one) return { ...found, distinctions, unfinished: one.unfinished };
        distinctions.push(one);
      }
      const record = { ...found, distinctions };
      isDone(record);
      return record;
    },
  };
}

function codeOf({ groups }: DistinguishReport): number {
  if (groups.some(({ distinctions }) => distinctions.length > 0)) return DEPARTS;
  const isOpen = groups.some(({ open, unfinished }) => open.length > 0 || unfinished !== undefined);
  return isOpen ? UNDECIDED : AS_EXPECTED;
}
