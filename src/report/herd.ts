import type { Outcomes } from '../check/result.js';
import type { FinalState } from '../program/final.js';
import { valueText } from '../parse/values.js';
import { finalsOf } from '../program/final.js';
import type { Proposition, StateQuery, Subject, Test } from '../program/program.js';
import { privateName, subjectName } from '../program/subjects.js';
import { holds } from '../check/witness/witness.js';
import { isStateQuery } from '../program/program.js';

const KINDS = { exists: 'Allowed', '~exists': 'Forbidden', forall: 'Required' } as const;

/**
 * The log of a test in the format of herd7, for mcompare7 and similar tools.
 *
 * - A test with several queries has a log for each, named `name/1`, `name/2`, …
 * - Registers have the number of their thread, counted from 0.
 * - Signs in the name of a test that mcompare7 cannot read become `_`.
 * - `Positive` and `Negative` count executions if the engine counts these, otherwise final states.
 * - There is no hash of the test, with which logs of herd7 end. It could never be equal to that of herd7, whose
 *   programs are in another language, and mcompare7 takes logs with different hashes for logs of different tests.
 */
export function herdLog(test: Test, subjects: readonly Subject[], outcomes: Outcomes): string {
  const { states, flags, milliseconds, upTo, executions = states.map(() => 1) } = outcomes;
  const seconds = (milliseconds / 1000).toFixed(2);
  return test.queries
    .filter(isStateQuery)
    .map((query, index) => {
      const plain = test.name.replace(/[^A-Za-z0-9_/.+[\]-]/g, '_');
      const name = test.queries.length === 1 ? plain : `${plain}/${index + 1}`;
      const met = states.map((s) => holds(query.condition, finalsOf(test.program, subjects, s)));
      const count = (which: boolean): number =>
        executions.reduce((sum, n, i) => (met[i] === which ? sum + n : sum), 0);
      const [yes, no] = [count(true), count(false)];
      const ok =
        query.quantifier === 'exists'
          ? yes > 0
          : query.quantifier === 'forall'
            ? no === 0
            : yes === 0;
      const [positive, negative] = query.quantifier === '~exists' ? [no, yes] : [yes, no];
      const observation = yes === 0 ? 'Never' : no === 0 ? 'Always' : 'Sometimes';
      return [
        `Test ${name} ${KINDS[query.quantifier]}`,
        `States ${states.length}`,
        ...states.map((s) => stateLine(test, subjects, s)),
        `${upTo === undefined ? '' : 'Loop '}${ok ? 'Ok' : 'No'}`,
        'Witnesses',
        `Positive: ${positive} Negative: ${negative}`,
        ...flags.map((flag) => `Flag ${flag}`),
        `Condition ${condition(test, query)}`,
        `Observation ${name} ${observation} ${yes} ${no}`,
        `Time ${name} ${seconds}`,
        '',
        '',
      ].join('\n');
    })
    .join('');
}

/**
 * What a subject is called in logs: `1:a` for a register of the second thread, `[x]` for a location. Names in logs of
 * herd7 never begin with `_`, so `_x` is written `v_x`.
 */
function herdName(test: Test, subject: Subject): string {
  const { owner, name } = privateName(test.program, subject);
  const read = name.replace(/^_/, 'v_');
  return owner === undefined ? `[${read}]` : `${owner}:${read}`;
}

function stateLine(test: Test, subjects: readonly Subject[], state: FinalState): string {
  return subjects
    .map((s) => `${herdName(test, s)}=${valueText(state[subjectName(test.program, s)])};`)
    .join(' ');
}

function condition(test: Test, query: StateQuery): string {
  const show = (p: Proposition): string => {
    switch (p.kind) {
      case 'true':
        return 'true';
      case 'not':
        return `not (${show(p.arg)})`;
      case 'and':
        return `${group(p.left)} /\\ ${group(p.right)}`;
      case 'or':
        return `${group(p.left)} \\/ ${group(p.right)}`;
      case 'atom': {
        const right = p.right.kind === 'int' ? valueText(p.right.value) : herdName(test, p.right);
        const equation = `${herdName(test, p.left)}=${right}`;
        return p.equal ? equation : `not (${equation})`;
      }
    }
  };
  const group = (p: Proposition): string =>
    p.kind === 'and' || p.kind === 'or' ? `(${show(p)})` : show(p);
  return `${query.quantifier} (${show(query.condition)})`;
}
