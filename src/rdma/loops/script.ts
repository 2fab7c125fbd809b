import type { SourceFile, Span } from '../../parse/diagnostics/index.js';
import { position } from '../../parse/diagnostics/index.js';
import type { Test } from '../../program/program.js';
import { cyclesOf, rotations } from './cycles.js';
import { domainsOf } from './domains.js';
import { instrument } from './instrument.js';
import { needsOf } from './needs.js';
import { LARGEST_INT, comment } from '../../explore/promela/syntax.js';
import { promelaOf } from './promela.js';

export interface ScriptOptions {
  readonly counterBound: number;
  /** A note on what was translated. */
  readonly note?: string;
  /** False: also has what cannot change the answer. This is for tests. Default: true. */
  readonly reduce?: boolean;
  /** False: guesses the memory between the parts, as in the paper. Default: true. */
  readonly ordered?: boolean;
}

/**
 * A test's program as a Promela model in which SPIN finds a violated assertion exactly if the program
 * is not robust. `notInstrumented` must have found nothing in the program.
 *
 * @returns the model, or why there is none
 */
export function promelaScript(
  test: Test,
  source: SourceFile,
  { counterBound, note, reduce = true, ordered = true }: ScriptOptions,
): { readonly text: string } | { readonly reason: string } {
  const needs = needsOf(test.program, reduce);
  const cycles = cyclesOf(needs, reduce);
  if ('reason' in cycles) return cycles;
  const domains = domainsOf(needs);
  if ('reason' in domains) return domains;
  if (domains.largest > LARGEST_INT) return { reason: `SPIN has no numbers beyond ${LARGEST_INT}` };
  const header = [
    `${test.name}${test.title === undefined ? '' : `: ${test.title}`}`,
    `file ${test.file}`,
    ...(note === undefined ? [] : [note]),
    '',
    'Robust under RDMA^SC: does every execution, whenever it stops, satisfy SC? SPIN finds a violated',
    'assertion exactly if some does not:',
    `  spin -a ${test.name}.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000`,
  ];
  if (cycles.length === 0) {
    const text = [
      ...header,
      '',
      'No thread can delay an event so that a cycle of SC could come of it: there is nothing to search.',
    ];
    return { text: `${text.map(comment).join('\n')}\n\ninit { skip }\n` };
  }
  const counters = { bound: counterBound, widened: false };
  const rings = ordered ? cycles.flatMap(rotations) : cycles;
  const system = instrument(needs, domains, rings, { counters, reduce, ordered, prune: false });
  const place = (span: Span): string => {
    const { line, column } = position(source.text, span.start);
    return `${line}:${column} ${source.text.slice(span.start, span.end).split('\n')[0]}`;
  };
  const body = promelaOf(system, place);
  const left = body.includes('LEFT_OUT')
    ? [
        '',
        `Counters of polls in loops go up to ${counterBound}, and nothing follows a division by zero. With -DSTRICT`,
        'for spin, a run that comes to such an end violates an assertion, too: where none does, nothing is left out.',
      ]
    : [];
  const text = [...header, ...left, '', ...LEGEND, ...(ordered ? ORDERED : [])];
  return { text: `${text.map(comment).join('\n')}\n\n${body}` };
}

const LEGEND = [
  'The instrumentation of the decidability paper (section 6, App. D): each event is put at the end of the first',
  'or the second part of a run, so that observed-before never leads from the second to the first. A link of the',
  'cycle is 0 unused, 1 open, 2 or 3 left in the first part, 4 or 5 left in the second, 6 or 7 entered in the',
  'second, 8 done; 9 open, and the last event leaves by it. Of 2 to 7, odd ones say that the event writes.',
  'Events and values that cannot change the answer are left out.',
];

const ORDERED = [
  'Threads run under SC, with one memory (proof of Theorem 5.2): an access comes into the second part if it has',
  'to, or if it may be observed after the last event. That one comes to the end of the first part.',
];
