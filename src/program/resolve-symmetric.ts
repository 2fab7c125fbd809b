import type { Report } from '../parse/diagnostics/index.js';
import type { NameRecorder } from '../parse/links.js';
import type { SymmetricDecl } from '../parse/litmus-ast.js';
import type { Member, Program } from './program.js';
import { threadNamed } from './resolve-runs.js';

/** The groups of threads that a file declares to be symmetric. The number that a thread's name ends with is its identity. */
export function resolveSymmetric(
  declared: readonly SymmetricDecl[],
  program: Program,
  report: Report,
  names?: NameRecorder,
): readonly (readonly Member[])[] {
  const all: Member[] = [];
  return declared.map(({ threads }) => {
    return threads.flatMap((name) => {
      const thread = threadNamed(program, name, report, names);
      if (thread < 0) return [];
      if (threads.length === 1) {
        report(name.span, 'one thread alone is symmetric to none', 'name two threads or more');
        return [];
      }
      if (all.some((m) => m.thread === thread)) {
        report(name.span, `${name.text} is named twice`);
        return [];
      }
      const digits = /[0-9]+$/.exec(name.text)?.[0];
      if (digits === undefined) {
        const hint = 'threads that are symmetric have names such as T1 and T2';
        report(name.span, `the name of ${name.text} ends with no number`, hint);
        return [];
      }
      const identity = Number(digits);
      if (identity === 0) {
        report(name.span, '0 is no identity: it stands for nobody', 'number threads from 1 on');
      }
      const same = all.find((m) => m.identity === identity);
      if (same !== undefined) {
        const other = program.threads[same.thread].name;
        const message = `${other} and ${name.text} have the same number`;
        report(name.span, message, 'it is their identity: give one of them another one');
      }
      const member = { thread, identity };
      all.push(member);
      return [member];
    });
  });
}
