import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import type { Isa } from '../parse/isa.js';
import { nameIn } from '../parse/isa.js';
import type { Program, Proposition, Query, Subject, Test } from '../program/program.js';
import { isStateQuery } from '../program/program.js';
import { HerdThread, Unsayable } from './herd-thread.js';
import { conditionText } from './placed.js';

/**
 * A test as a litmus test of herd7, in the assembly of an instruction set (`models/isa`), or why it is none. The test must have no library.
 *
 * @param language the word that it is to begin with
 * @param query what it asks; undefined: nothing, which is `exists (true)`
 */
export function herdTest(
  test: Test,
  isa: Isa,
  language: string,
  query: Query | undefined,
): { readonly text: string } | { readonly error: Diagnostic } {
  try {
    return { text: written(test, isa, language, query) };
  } catch (error) {
    if (error instanceof Unsayable) return { error: error.diagnostic };
    throw error;
  }
}

function written(test: Test, isa: Isa, language: string, query: Query | undefined): string {
  const { name, title, program, listed = [], filter } = test;
  const places = placesOf(program, isa);
  const threads = program.threads.map(
    (thread) => new HerdThread({ program, thread, isa, language, places }),
  );
  const columns = threads.map((thread, i) => [`P${i}`, ...thread.lines()]);
  const say = (subject: Subject): string =>
    subject.kind === 'location'
      ? places[subject.location]
      : `${subject.thread}:${nameIn(isa, threads[subject.thread].registers[subject.register])}`;
  const first = [
    ...program.locations.flatMap(({ object, wire, hidden, initial }, id) =>
      object === undefined && wire !== true && hidden !== true ? [`${places[id]}=${initial};`] : [],
    ),
    ...threads.flatMap(({ addresses }, i) =>
      [...addresses].map(([place, register]) => `${i}:${nameIn(isa, register)}=${place};`),
    ),
  ];
  const condition = (p: Proposition, span: Span): string =>
    conditionText(p, comparison(isa, span, say));
  const asked = query === undefined ? 'exists (true)' : question(test, query, condition);
  const whole = query?.span ?? program.threads[0]?.span ?? { file: test.file, start: 0, end: 0 };
  return [
    `${language} ${name}`,
    ...(title === undefined ? [] : [`"${title}"`]),
    `{ ${first.join(' ')} }`,
    ...table(columns),
    ...(listed.length === 0 ? [] : [`locations [${listed.map((s) => `${say(s)};`).join(' ')}]`]),
    ...(filter === undefined ? [] : [`filter (${condition(filter, whole)})`]),
    `${asked}\n`,
  ].join('\n');
}

/** Words of first values and conditions of herd7, in small letters. */
const WORDS =
  'nop pac pacda pacdb pacia pacib true false observed and not exists forall final with locations filter fault tag attrs oa pending active enabled ' +
  'priority affinity routing_mode handling_mode valid pte ttd intid pa parel1_t ss sscap _atomic atomic_init gicarg';

/** Names of memory, each once, and none that means something in the language, or to herd7. */
function placesOf({ locations }: Program, isa: Isa): readonly string[] {
  const { registers, reserved, rules } = isa;
  const words = [...registers, ...reserved, ...rules.flatMap(({ text }) => text.split(/\W/, 1))];
  const meaning = new Set([...WORDS.split(' '), ...words.map((word) => word.toLowerCase())]);
  const taken = new Set<string>();
  return locations.map(({ name }) => {
    const plain = name.replaceAll(/\W/g, '_').replace(/^(?=_|P\d+$)/, 'm');
    let own = plain;
    for (let n = 2; taken.has(own) || meaning.has(own.toLowerCase()); n++) own = `${plain}_${n}`;
    taken.add(own);
    return own;
  });
}

function table(columns: readonly (readonly string[])[]): readonly string[] {
  const widths = columns.map((lines) => Math.max(...lines.map(({ length }) => length)));
  const rows = Math.max(0, ...columns.map(({ length }) => length));
  return Array.from({ length: rows }, (_, row) => {
    const cells = columns.map((lines, i) => (lines[row] ?? '').padEnd(widths[i]));
    return ` ${cells.join(' | ')} ;`;
  });
}

function question(
  { filter }: Test,
  query: Query,
  condition: (p: Proposition, span: Span) => string,
): string {
  if (!isStateQuery(query)) {
    const hint = 'remora explore answers it';
    throw new Unsayable(query.span, 'a query about runs is none of herd7', hint);
  }
  // The filter of a file is in its queries; herd7 has it beside them.
  const { condition: whole, quantifier, span } = query;
  const own =
    filter !== undefined && 'right' in whole && whole.kind !== 'atom' ? whole.right : whole;
  return `${quantifier} (${condition(own, span)})`;
}

/** How herd7 says comparisons; it has none of two names. */
const comparison =
  (isa: Isa, span: Span, say: (subject: Subject) => string) =>
  ({ left, right, equal }: Extract<Proposition, { readonly kind: 'atom' }>): string => {
    if (right.kind !== 'int') {
      const hint = 'compare each with a number: x=0 /\\ y=0 \\/ x=1 /\\ y=1';
      throw new Unsayable(span, 'a condition that compares two names is not written', hint);
    }
    if (left.kind === 'register' && right.value < 0 && isa.same.length > 0) {
      const hint = 'ask for the memory that it is written to, or for a number from 0';
      const message = `${say(left)} is wider than a word, and never ${right.value} for herd7`;
      throw new Unsayable(span, message, hint);
    }
    const atom = `${say(left)}=${right.value}`;
    return equal ? atom : `~(${atom})`;
  };
