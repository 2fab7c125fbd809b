import type { ToldCase, ToldProof, ToldThread } from '../analyses/prove/tell.js';
import type { Colours } from './colours.js';
import { COLOURS } from './colours.js';
import type { ToldWords } from './explain.js';
import { explanationLegend, violationLines } from './explain.js';

/**
 * A proof as text: the threads with their events; then, for each question, what follows from each of its answers; last,
 * what the relations mean in words.
 */
export function proofText({ threads, told }: ToldProof, colours: Colours = COLOURS): string {
  const used: ToldWords = new Map();
  const lines = [
    ...threads.flatMap(threadLines),
    '',
    ...caseLines(told, used, colours),
    ...explanationLegend(used, new Map()),
  ];
  return lines.map((line) => `    ${line}`.trimEnd() + '\n').join('');
}

function threadLines({ name, node, events }: ToldThread): readonly string[] {
  const room = Math.max(0, ...events.map(({ event }) => event.length));
  return [
    `${name} on node ${node}`,
    ...events.map(({ event, source = '' }) => `  ${event.padEnd(room)}  ${source}`),
  ];
}

function caseLines(told: ToldCase, used: ToldWords, colours: Colours): readonly string[] {
  switch (told.kind) {
    case 'other':
      return [told.sentence];
    case 'axiom':
      return violationLines(told.violation, (id) => told.events[id], used, colours);
    case 'question':
      return [
        colours.bold(told.question),
        ...told.answers.flatMap(({ answer, told: inner }) => [
          `- ${answer}:`,
          ...caseLines(inner, used, colours).map((line) => `    ${line}`),
        ]),
      ];
  }
}
