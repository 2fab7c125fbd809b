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
    case 'progress': {
      const [from, to] = [query.from, query.to].map((place) =>
        placeOf(program, place, report, names),
      );
      return { ...about, quantifier: 'progress', from, to };
    }
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

function placeOf(
  program: Program,
  { thread, mark }: MarkedPlace,
  report: Report,
  names?: NameRecorder,
): Place {
  const index = threadNamed(program, thread, report, names);
  names?.use(mark, [`mark ${thread.text}`]);
  if (index >= 0) checkMark(program, index, mark, ['point', 'enter'], report);
  return { thread: Math.max(index, 0), mark: mark.text };
}

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
  const known = kinds.flatMap((kind) => markNames(instructionsOf(body), kind));
  if (known.includes(text)) return;
  const [what, how] = kinds.includes('point')
    ? ['point or critical block', `mark it: at ${text}; or critical ${text} { … }`]
    : ['critical block', `mark it: critical ${text} { … }`];
  report(span, `${name} has no ${what} '${text}'`, () => didYouMean(text, known) ?? how);
}
