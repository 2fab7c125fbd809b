import type { BridgeEnd } from './bridge.js';
import { processesOf } from './bridge.js';
import type { Response } from './process.js';
import {
  clauseText,
  declarationText,
  integerText,
  lessText,
  literalText,
  plainName,
  preamble,
  shownAnswer,
  valuesIn,
} from '../solve/smtlib.js';
import type { Solver, SolverAnswer, SolverFactory } from '../solve/solver.js';
import { INTEGER_LOGIC } from '../solve/solver.js';

/**
 * Solvers that are processes at the other end of a bridge. Each has a process of its own while it
 * is used; processes are used again where `(reset)` works.
 *
 * Clauses are kept: a solver whose process failed answers `unknown` to that one question, and gets a
 * new process, with all clauses, for the next.
 */
export function nativeSolvers(end: BridgeEnd): SolverFactory {
  const { command } = end;
  const processes = processesOf(end);
  /** Processes that nobody uses, each with a solver's clauses still in it. */
  const spare: number[] = [];
  let started = 0;

  return ({ integers = false } = {}): Solver => {
    const start = preamble(integers ? INTEGER_LOGIC : command.logic);
    const free = spare.pop();
    const process = free ?? started++;
    let runs = free !== undefined;
    /** Everything said so far, and how much of it the process has heard. */
    const said: string[] = [free === undefined ? start : `(reset)\n${start}`];
    let heard = 0;
    let declared = 0;
    let declaredIntegers = 0;
    let values: Uint8Array | undefined;

    const declare = (literal: number): void => {
      for (; declared < Math.abs(literal); declared++) {
        said.push(declarationText(declared + 1, plainName));
      }
    };
    const ask = (question: string): Response => {
      const commands = `${said.slice(heard).join('')}${question}\n`;
      heard = said.length;
      runs = true;
      return processes.ask(process, commands);
    };
    /** The process is of no use any more. */
    const fail = (reason: string): SolverAnswer => {
      processes.kill(process);
      runs = false;
      said[0] = start;
      heard = 0;
      return { kind: 'unknown', reason };
    };
    const senseless = (text: string): SolverAnswer => fail(shownAnswer(command.name, text));
    const whyUnknown = (): SolverAnswer => {
      const response = ask('(get-info :reason-unknown)');
      if (!response.ok) return fail(response.reason);
      const why = /^\(:reason-unknown\s+"?(.*?)"?\)$/s.exec(response.text)?.[1];
      return { kind: 'unknown', reason: `${command.name}: ${why ?? 'unknown'}` };
    };
    const readValues = (): SolverAnswer => {
      const names = Array.from({ length: declared }, (_, i) => plainName(i + 1));
      const response = ask(`(get-value (${names.join(' ')}))`);
      if (!response.ok) return fail(response.reason);
      values = valuesIn(response.text, declared);
      return values === undefined ? senseless(response.text) : { kind: 'sat' };
    };

    return {
      addClause(clause) {
        clause.forEach(declare);
        said.push(clauseText(clause, plainName));
      },
      addLess(smaller, larger, where) {
        if (where !== undefined) declare(where);
        while (declaredIntegers <= Math.max(smaller, larger)) {
          said.push(integerText(declaredIntegers++));
        }
        said.push(lessText(smaller, larger, where, plainName));
      },
      check(assumptions) {
        assumptions.forEach(declare);
        values = undefined;
        const literals = assumptions.map((literal) => literalText(literal, plainName));
        const response = ask(
          literals.length === 0 ? '(check-sat)' : `(check-sat-assuming (${literals.join(' ')}))`,
        );
        if (!response.ok) return fail(response.reason);
        if (response.text === 'unsat') return { kind: 'unsat' };
        if (response.text === 'unknown') return whyUnknown();
        if (response.text !== 'sat') return senseless(response.text);
        if (declared > 0) return readValues();
        values = new Uint8Array(1);
        return { kind: 'sat' };
      },
      value(variable) {
        if (values === undefined) throw new Error('there is no solution to read');
        return values[variable] === 1;
      },
      dispose() {
        if (!runs) return;
        if (command.resets) spare.push(process);
        else processes.kill(process);
      },
    };
  };
}
