import type {
  Circumstance,
  LabelRules,
  ModelRules,
  OrderLayer,
  WaitRule,
} from '../machine/rules.js';
import type { Tag } from '../model/instructions/set.js';
import { CIRCUMSTANCES } from '../machine/rules.js';
import { wrapSentence } from './explain-style.js';
import { jsonLine } from './json.js';

const WIDTH = 100;

/** The machine that a model is, in words: a paragraph for each label of events (docs/operational.md). */
export function machineText(machine: ModelRules): string {
  const { model, rules } = machine;
  const parts = [
    `The machine of ${model.name}`,
    ...new Set(rules.map(({ label }) => machineLabelText(machine, label))),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What the machine does with events of one label: without tags, and where it is something else with one. */
export function machineLabelText({ model, rules }: ModelRules, label: string): string {
  const words = model.instructions.labels.find(({ name }) => name === label)?.words;
  const own = rules.filter((one) => one.label === label);
  if (own.length === 0) return label;
  const paragraphs = own.map((rule) => {
    const { tag } = rule;
    const isOneStep = new Map<string, boolean>();
    for (const one of rules) {
      if (one.tag === undefined || one.tag.name === tag?.name)
        isOneStep.set(one.label, one.isOneStep);
    }
    const oneStep = new Set([...isOneStep].flatMap(([name, is]) => (is ? [name] : [])));
    const head = words === undefined ? label : `${label} ${words}`;
    const where = tag === undefined ? '' : `, where ${TAGGED[tag.on]} ${tag.name}`;
    return paragraph(rule, oneStep, `${head}${where}`).join('\n');
  });
  return paragraphs.join('\n\n');
}

const TAGGED: Readonly<Record<Tag['on'], string>> = {
  location: 'places are',
  constant: 'places are',
  qp: 'queue pairs are',
  operation: 'calls are',
  node: 'nodes are',
};

export const machineJson = ({ model, rules }: ModelRules): string =>
  jsonLine({ model: model.name, events: rules });

function paragraph(
  { isOneStep, hasSteps, takenWith, beforeIssue, beforeObservation, ...reading }: LabelRules,
  oneStep: ReadonlySet<string>,
  head: string,
): readonly string[] {
  const sentence = (text: string): readonly string[] => wrapSentence(`  ${text}`, WIDTH, '    ');
  const after = (waits: readonly WaitRule[], own: OrderLayer): readonly string[] =>
    sentence(waits.length === 0 ? 'at any time' : `after ${listed(waits, own, oneStep)}`);
  const own = isOneStep
    ? after(beforeIssue, 'issued')
    : [
        ...sentence('issued'),
        ...after(beforeIssue, 'issued').map((line) => `  ${line}`),
        ...sentence('observed'),
        ...after(beforeObservation, 'observed').map((line) => `  ${line}`),
      ];
  return [
    head,
    ...(hasSteps ? own : []),
    ...(takenWith.length > 0
      ? sentence(`in one step with ${takenWith.join(' or ')} of its call`)
      : []),
    ...readingOf(reading).flatMap(sentence),
  ];
}

type Reading = Pick<LabelRules, 'readsEarly' | 'covers' | 'either' | 'partners'>;

function readingOf({ readsEarly, covers, either, partners }: Reading): readonly string[] {
  const or = (labels: readonly string[]): string => labels.join(' or ');
  return [
    ...(readsEarly.length === 0
      ? []
      : [
          `may read what ${or(readsEarly)} of its thread is issued to write, before it is observed`,
        ]),
    ...(covers.length === 0
      ? []
      : [`does not read what ${or(covers)} of its thread, issued before it, overwrites`]),
    ...byGuess(either).map(
      ([guess, labels]) => `before or after ${or(labels)}: ${guess}, which each run decides`,
    ),
    ...byGuess(partners).map(
      ([guess, labels]) => `takes the next ${or(labels)} that is not taken: ${guess}`,
    ),
  ];
}

function byGuess(
  pairs: LabelRules['either'],
): readonly (readonly [guess: string, labels: readonly string[]])[] {
  const guesses = [...new Set(pairs.map(({ guess }) => guess))];
  return guesses.map((guess) => [
    guess,
    pairs.filter((one) => one.guess === guess).map(({ label }) => label),
  ]);
}

/** `lR, lW of its thread; nrW of its queue pair is observed`. */
function listed(waits: readonly WaitRule[], own: OrderLayer, oneStep: ReadonlySet<string>): string {
  const groups = CIRCUMSTANCES.flatMap((circumstance) =>
    ([own, own === 'issued' ? 'observed' : 'issued'] as const).map((until) => {
      const labels = waits
        .filter((wait) => wait.circumstance === circumstance)
        .filter(({ label, until: its }) => (oneStep.has(label) ? until === own : its === until))
        .map(({ label }) => label);
      const what =
        labels.length === 0 ? '' : `${[...new Set(labels)].join(', ')} ${OF[circumstance]}`;
      return until === own || what === '' ? what : `${what} (${until})`;
    }),
  );
  return groups.filter((group) => group !== '').join('; ');
}

const OF: Readonly<Record<Circumstance, string>> = {
  call: 'of its call',
  thread: 'of its thread',
  'queue pair': 'on its queue pair',
  place: 'at its place',
  'queue pair and place': 'on its queue pair and at its place',
};
