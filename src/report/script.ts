import { expectedOf } from '../check/expectation.js';
import { computeBounds } from '../encode/bounds/bounds.js';
import { encode } from '../encode/encode.js';
import { variableNames } from '../encode/names.js';
import type { Event, EventStructure } from '../program/events/structure.js';
import { INITIAL } from '../program/events/structure.js';
import { structureFor } from '../check/structure.js';
import type { Model } from '../model/term.js';
import { valueText } from '../parse/values.js';
import type { StateQuery, Test } from '../program/program.js';
import { subjectName } from '../program/subjects.js';
import { clauseText, declarationText, literalText } from '../solve/smtlib.js';
import { stateQuery } from '../program/program.js';

/**
 * A query under a model as a script in SMT-LIB 2. Its comments explain it: what is asked, what `sat` and `unsat` mean,
 * which events and variables there are. The program must be in the instructions of the model (see `adapt`).
 *
 * @param index the index of the query
 * @param note in words, which instructions were translated for the model, if any
 */
export function smtlibScript(
  test: Test,
  model: Model,
  index: number,
  { bound, note }: { readonly bound?: number; readonly note?: string } = {},
): { readonly text: string } | { readonly reason: string } {
  const structure = structureFor(test.program, model, bound);
  if ('reason' in structure) return structure;
  const result = computeBounds(structure, model);
  if (!result.ok) return result;
  const clauses: (readonly number[])[] = [];
  const encoding = encode(structure, result.bounds, model, (clause) => clauses.push([...clause]));
  const query = stateQuery(test, index);
  const condition = encoding.condition(query.condition);
  const { formula } = encoding;
  const divides = structure.divisions.length > 0;
  const defined = divides ? formula.assumption(-encoding.dividesByZero) : 0;
  const asked = formula.assumption(query.quantifier === 'forall' ? -condition : condition);
  const names = variableNames(structure, encoding, query.condition);
  const name = (variable: number): string =>
    names.get(variable) ?? (variable === asked ? 'asked' : `b${variable}`);
  const variables = Array.from({ length: formula.size().variables }, (_, i) => i + 1);

  return {
    text: [
      ...header(test, model, query, index, note),
      ...meaning(structure, query, encoding.isApproximate()),
      ...eventLines(structure),
      '',
      '(set-info :smt-lib-version 2.6)',
      '(set-option :produce-models true)',
      '(set-logic QF_UF)',
      '',
      ...comment(VARIABLES),
      '',
      variables.map((v) => declarationText(v, name)).join(''),
      ...comment(['The executions of the program that the model allows:']),
      '',
      clauses.map((c) => clauseText(c, name)).join(''),
      ...(!divides
        ? []
        : [
            ...comment(['Nothing is divided by zero:']),
            `(assert ${literalText(defined, name)})`,
            '',
          ]),
      ...comment(['What is asked:']),
      `(assert ${literalText(asked, name)})`,
      '(check-sat)',
      '',
    ].join('\n'),
  };
}

const VARIABLES = [
  'Variables, by the numbers of events:',
  '  executed_7    event 7 is executed; so is all else on the same path of branches',
  '  read_7_is_1   event 7 reads 1, if it is executed',
  '  rf_3_7        event 7 reads from event 3; likewise mo_3_7, nfo_3_7 and pf_3_7',
  '  rf_3_7_chosen the same but for whether the events are executed',
  '  choice_0      a free choice: of `choose`, `loop`, or of a CAS to fail',
  '  final_x_is_1  the final value of x is 1',
  '  b12           a formula in between; implied in the one direction that is needed',
];

function header(
  { file, name, title, source }: Test,
  model: Model,
  query: StateQuery,
  index: number,
  note: string | undefined,
): string[] {
  const expected = expectedOf(query, model.name);
  const what = query.label === undefined ? '' : `  "${query.label}"`;
  return comment([
    `${name}${title === undefined ? '' : `: ${title}`}`,
    ...(source === undefined ? [] : [`from ${source}`]),
    `file ${file}, query ${index + 1}, model ${model.name}${note === undefined ? '' : ` (${note})`}`,
    '',
    `${query.quantifier} (${query.text})${what}`,
    ...(expected === undefined ? [] : [`${expected.authority}: ${expected.verdict}`]),
    '',
  ]);
}

/** What the answers of a solver mean for the query. */
function meaning(
  { cuts, bound, divisions }: EventStructure,
  { quantifier }: StateQuery,
  approximate: boolean,
): string[] {
  const universal = quantifier === 'forall';
  const [sat, unsat] = universal
    ? [
        'fails: some execution ends with the condition false',
        'holds: every execution ends with it true',
      ]
    : ['allowed: some execution ends with the condition true', 'forbidden: no execution does'];
  return comment([
    `sat    ${sat}${approximate ? ' (see below)' : ''}`,
    `unsat  ${unsat}`,
    '',
    'Where it is unsat without the last assertion, too, there is no execution at all.',
    ...(cuts.length === 0
      ? []
      : [
          `Only runs with at most ${bound} iterations of each loop without a bound of its own count.`,
        ]),
    ...(divisions.length === 0
      ? []
      : [
          'Runs that divide by zero have no meaning and are left out: unsat says nothing if there are any.',
        ]),
    ...(approximate
      ? [
          'A recursive definition of the model is only bounded from below: sat is a candidate, which may',
          'break an axiom. Remora judges each candidate again, and excludes those that do. unsat is final.',
        ]
      : []),
    '',
  ]);
}

function eventLines(structure: EventStructure): string[] {
  const width = String(structure.events.length - 1).length;
  return comment([
    'Events: number, thread, label, location, queue pair',
    ...structure.events.map((e) => `  ${String(e.id).padStart(width)}  ${eventText(e, structure)}`),
  ]);
}

function eventText({ thread, label, location, node, work, path, value }: Event, s: EventStructure) {
  const { threads, locations } = s.program;
  const place = (id: number): string => {
    const { node: home, hidden } = locations[id];
    const name = subjectName(s.program, { kind: 'location', location: id });
    return hidden === true ? `a constant on ${home}` : `${name} on ${home}`;
  };
  const written = value === undefined ? undefined : s.values[value];
  return [
    thread === INITIAL ? 'initial' : threads[thread].name,
    label,
    ...(location === undefined ? [] : [place(location)]),
    ...(written?.op === 'const' ? [`:= ${valueText(written.value)}`] : []),
    ...(node === undefined ? [] : [`towards ${node}`]),
    ...(work === undefined ? [] : [`for ${work}`]),
    ...(path.length === 0 ? [] : ['on some paths']),
  ].join(' ');
}

/** Lines as comments. A line break in a text of the user must not end the comment: the rest would be read as commands. */
const comment = (lines: readonly string[]): string[] =>
  lines.map((line) => `; ${line.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}`.trimEnd());
