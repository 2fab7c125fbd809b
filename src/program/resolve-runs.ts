import type { Report } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { NameRecorder } from '../parse/links.js';
import type { Ident, MarkedPlace, RunQueryDecl } from '../parse/litmus-ast.js';
import { instructionsOf } from './instructions.js';
import { markNames } from './marks.js';
import type { Place, Program, RunQuery } from './program.js';

/** The queries about runs that name threads and marks. */
type Named = Extract<
  RunQueryDecl,
  { quantifier: 'exclusive' | 'progress' | 'deadlock' | 'assertions' }
>;

export function resolveRunQuery(
  program: Program,
  query: Named,
  report: Report,
  names?: NameRecorder,
): RunQuery {
  const { text, label, expectations, observations, span } = query;
  const about = { text, label, expectations, observations, span };
  switch (query.quantifier) {
    case 'deadlock':
      return { ...about, quantifier: 'deadlock' };
    case 'assertions':
      return { ...about, quantifier: 'assertions' };
    case 'progress':
      return { ...about, ...progress(program, query, report, names) };
    case 'exclusive': {
      const { section, threads } = query;
      const found = threads.map((name, i) => {
        const thread = threadNamed(program, name, report, names);
        if (thread < 0) return 0;
        names?.use(section, [`mark ${name.text}`]);
        if (threads.length === 1) {
          report(name.span, 'one thread alone is always exclusive', 'name two threads or more');
        }
        if (threads.findIndex(({ text }) => text === name.text) < i) {
          report(name.span, `${name.text} is named twice`);
        }
        checkMark(program, thread, { ...section, span: name.span }, ['enter'], report);
        return thread;
      });
      return { ...about, quantifier: 'exclusive', section: section.text, threads: found };
    }
  }
}

function progress(
  program: Program,
  { from, to }: Extract<Named, { quantifier: 'progress' }>,
  report: Report,
  names?: NameRecorder,
): Pick<Extract<RunQuery, { quantifier: 'progress' }>, 'quantifier' | 'from' | 'to'> {
  const found = (place: MarkedPlace) => places(program, place, report, names);
  const [begun, ended] = [from === 'always' ? from : found(from), found(to)];
  const isBoth = ({ thread, mark }: Place): boolean =>
    begun !== 'always' && begun.some((one) => one.thread === thread && one.mark === mark);
  const both = ended.find(isBoth);
  if (both !== undefined) {
    const name = `${program.threads[both.thread].name}:${both.mark}`;
    const hint = `progress always -> ${name} asks whether it is passed again and again`;
    report(to.span, `${name} is on both sides`, hint);
  }
  return { quantifier: 'progress', from: begun, to: ended };
}

const PLACES = ['point', 'enter'] as const;

/** The places that `T:m` or `any m` names; none after reporting. */
function places(
  program: Program,
  { thread, mark }: MarkedPlace,
  report: Report,
  names?: NameRecorder,
): readonly Place[] {
  if (thread === undefined) return placesOfAny(program, mark, report, names);
  const index = threadNamed(program, thread, report, names);
  names?.use(mark, [`mark ${thread.text}`]);
  if (index < 0) return [];
  checkMark(program, index, mark, PLACES, report);
  return [{ thread: index, mark: mark.text }];
}

function placesOfAny(
  { threads }: Program,
  { text, span }: Ident,
  report: Report,
  names?: NameRecorder,
): readonly Place[] {
  const marks = threads.map(({ body }) => marksOf(body, PLACES));
  const found = [...threads.keys()].filter((t) => marks[t].includes(text));
  for (const t of found) names?.use({ text, span }, [`mark ${threads[t].name}`]);
  if (found.length === 0) {
    const hint = () =>
      didYouMean(text, marks.flat()) ?? `mark it: at ${text}; or critical ${text} { … }`;
    report(span, `no thread has a point or critical block '${text}'`, hint);
  }
  return found.map((thread) => ({ thread, mark: text }));
}

const marksOf = (
  body: Program['threads'][number]['body'],
  kinds: readonly ('point' | 'enter')[],
): readonly string[] => kinds.flatMap((kind) => markNames(instructionsOf(body), kind));

/** The index of a thread; -1 after reporting. */
export function threadNamed(
  { threads }: Program,
  name: Ident,
  report: Report,
  recorder?: NameRecorder,
): number {
  const { text, span } = name;
  recorder?.use(name, ['thread']);
  const names = threads.map(({ name }) => name);
  const index = names.indexOf(text);
  if (index < 0) {
    const hint = () => didYouMean(text, names) ?? `there are ${names.join(', ')}`;
    report(span, `unknown thread '${text}'`, hint);
  }
  return index;
}

/** Checks that a thread has a block or a point of this name. */
function checkMark(
  program: Program,
  thread: number,
  { text, span }: Ident,
  kinds: readonly ('point' | 'enter')[],
  report: Report,
): void {
  const { name, body } = program.threads[thread];
  const known = marksOf(body, kinds);
  if (known.includes(text)) return;
  const [what, how] = kinds.includes('point')
    ? ['point or critical block', `mark it: at ${text}; or critical ${text} { … }`]
    : ['critical block', `mark it: critical ${text} { … }`];
  report(span, `${name} has no ${what} '${text}'`, () => didYouMean(text, known) ?? how);
}
