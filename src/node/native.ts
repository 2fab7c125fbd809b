import type { BridgeEnd, Processes } from './bridge.js';
import { processesOf } from './bridge.js';
import type { SolverCommand } from './command.js';
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
  valuesAnswered,
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
  const pool: ProcessPool = {
    command: end.command,
    processes: processesOf(end),
    spare: [],
    started: 0,
  };
  return ({ integers = false } = {}) => new NativeSolver(pool, integers);
}

/** The processes of one worker. */
interface ProcessPool {
  readonly command: SolverCommand;
  readonly processes: Processes;
  /** Processes that nobody uses, each with a solver's clauses still in it. */
  readonly spare: number[];
  /** How many were started. They are numbered in that order. */
  started: number;
}

class NativeSolver implements Solver {
  /** What a process has to hear first. */
  private readonly start: string;
  private readonly process: number;
  private runs: boolean;
  /** Everything said so far, and how much of it the process has heard. */
  private readonly said: string[];
  private heard = 0;
  /** How many variables, and how many integers, were declared: all up to that number. */
  private declared = 0;
  private declaredIntegers = 0;
  /** The solution, by variable: 1 for true; undefined unless the last answer was `sat`. */
  private values: Uint8Array | undefined;

  constructor(
    private readonly pool: ProcessPool,
    integers: boolean,
  ) {
    this.start = preamble(integers ? INTEGER_LOGIC : pool.command.logic);
    const free = pool.spare.pop();
    this.process = free ?? pool.started++;
    this.runs = free !== undefined;
    this.said = [free === undefined ? this.start : `(reset)\n${this.start}`];
  }

  addClause(clause: readonly number[]): void {
    for (const literal of clause) this.declare(literal);
    this.said.push(clauseText(clause, plainName));
  }

  addLess(smaller: number, larger: number, where?: number): void {
    if (where !== undefined) this.declare(where);
    while (this.declaredIntegers <= Math.max(smaller, larger)) {
      this.said.push(integerText(this.declaredIntegers++));
    }
    this.said.push(lessText(smaller, larger, where, plainName));
  }

  check(assumptions: readonly number[]): SolverAnswer {
    for (const literal of assumptions) this.declare(literal);
    this.values = undefined;
    const literals = assumptions.map((literal) => literalText(literal, plainName));
    const response = this.ask(
      literals.length === 0 ? '(check-sat)' : `(check-sat-assuming (${literals.join(' ')}))`,
    );
    if (!response.ok) return this.fail(response.reason);
    if (response.text === 'unsat') return { kind: 'unsat' };
    if (response.text === 'unknown') return this.whyUnknown();
    if (response.text !== 'sat') return this.senseless(response.text);
    if (this.declared > 0) return this.readValues();
    this.values = new Uint8Array(1);
    return { kind: 'sat' };
  }

  value(variable: number): boolean {
    if (this.values === undefined) throw new Error('there is no solution to read');
    return this.values[variable] === 1;
  }

  dispose(): void {
    if (!this.runs) return;
    const { command, processes, spare } = this.pool;
    if (command.resets) spare.push(this.process);
    else processes.kill(this.process);
  }

  private declare(literal: number): void {
    for (; this.declared < Math.abs(literal); this.declared++) {
      this.said.push(declarationText(this.declared + 1, plainName));
    }
  }

  private ask(question: string): Response {
    const commands = `${this.said.slice(this.heard).join('')}${question}\n`;
    this.heard = this.said.length;
    this.runs = true;
    return this.pool.processes.ask(this.process, commands);
  }

  /** The process is of no use any more. */
  private fail(reason: string): SolverAnswer {
    this.pool.processes.kill(this.process);
    this.runs = false;
    this.said[0] = this.start;
    this.heard = 0;
    return { kind: 'unknown', reason };
  }

  private senseless(text: string): SolverAnswer {
    return this.fail(shownAnswer(this.pool.command.name, text));
  }

  private whyUnknown(): SolverAnswer {
    const response = this.ask('(get-info :reason-unknown)');
    if (!response.ok) return this.fail(response.reason);
    const why = /^\(:reason-unknown\s+"?(.*?)"?\)$/s.exec(response.text)?.[1];
    return { kind: 'unknown', reason: `${this.pool.command.name}: ${why ?? 'unknown'}` };
  }

  private readValues(): SolverAnswer {
    const names = Array.from({ length: this.declared }, (_, i) => plainName(i + 1));
    const response = this.ask(`(get-value (${names.join(' ')}))`);
    if (!response.ok) return this.fail(response.reason);
    this.values = valuesAnswered(response.text, this.declared);
    return this.values === undefined ? this.senseless(response.text) : { kind: 'sat' };
  }
}
