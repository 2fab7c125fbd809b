import type { Result, SourceFile } from '../parse/diagnostics/index.js';
import { fail, ok } from '../parse/diagnostics/index.js';
import type { Head } from './heading.js';
import { headAt, headLines } from './heading.js';
import { Lines, ListingRefusal } from './lines.js';
import type { RefutationStep } from './refutation.js';

/** The version of the format of clauses: docs/proofs.md. */
const VERSION = 1;

/** The beginning of each comment of DIMACS. */
const MARK = 'c ';

/** Clauses of a program and a query, in DIMACS, with their heading. They have no solution if the verdict is right. */
export interface ClauseFile extends Head {
  /** The version of Remora that encoded the program. */
  readonly remora: string;
  readonly variables: number;
  /** The clauses of the encoding. */
  readonly clauses: readonly (readonly number[])[];
  readonly cycles: readonly CycleClause[];
}

/** A clause that says that the edges of a cycle are not all there. */
export interface CycleClause {
  /** The axiom or order that must have no cycle. */
  readonly of: string;
  /** The nodes of the cycle, each with its event. */
  readonly nodes: readonly (readonly [event: number, node: number])[];
  readonly clause: readonly number[];
}

const clauseLine = (clause: readonly number[]): string => [...clause, 0].join(' ');

export function printClauses({ remora, variables, clauses, cycles, ...head }: ClauseFile): string {
  return [
    ...headLines('clauses', VERSION, head).map((line) => MARK + line),
    `${MARK}encoded by ${remora}`,
    `p cnf ${variables} ${clauses.length + cycles.length}`,
    ...clauses.map(clauseLine),
    ...cycles.flatMap(({ of, nodes, clause }) => [
      [`${MARK}cycle`, of, ...nodes.map((node) => node.join('#'))].join(' '),
      clauseLine(clause),
    ]),
    '',
  ].join('\n');
}

export const printSteps = (steps: readonly RefutationStep[]): string =>
  steps.map(({ deletes, clause }) => `${deletes ? 'd ' : ''}${clauseLine(clause)}\n`).join('');

/** Reads clauses; fails at the first line that does not belong into such a file. */
export const parseClauses = (source: SourceFile): Result<ClauseFile> =>
  read(source, (lines) => {
    const head = headAt(lines, 'clauses', VERSION, MARK);
    const [, remora] = lines.take(/^c encoded by (\S+)$/, "'c encoded by' and a version");
    const counts = lines.take(
      /^p cnf (\d{1,9}) (\d{1,9})$/,
      "'p cnf', the number of variables, and that of clauses",
    );
    const [variables, count] = [Number(counts[1]), Number(counts[2])];
    const clauses: (readonly number[])[] = [];
    while (isClause(lines)) clauses.push(clauseAt(lines, variables));
    const cycles: CycleClause[] = [];
    while (lines.next?.startsWith(`${MARK}cycle `) === true) {
      const [, of, nodes] = lines.take(
        /^c cycle (.+?)((?: \d{1,9}#\d{1,9})*)$/,
        "'c cycle', a name, and nodes as 4#0",
      );
      const pairs = nodes
        .split(' ')
        .slice(1)
        .map((one) => one.split('#').map(Number) as [number, number]);
      cycles.push({ of, nodes: pairs, clause: clauseAt(lines, variables) });
    }
    end(lines);
    if (clauses.length + cycles.length !== count) {
      lines.refuse(
        `${count} clauses are promised, and ${clauses.length + cycles.length} are there`,
      );
    }
    return { ...head, remora, variables, clauses, cycles };
  });

/** Reads the steps of a proof in DRAT, as text. */
export const parseSteps = (source: SourceFile): Result<readonly RefutationStep[]> =>
  read(source, (lines) => {
    const steps: RefutationStep[] = [];
    while (lines.next?.startsWith('d ') === true || isClause(lines)) {
      const deletes = lines.next!.startsWith('d ');
      const [, text] = lines.take(DELETION_OR_CLAUSE, CLAUSE_MEANT);
      steps.push({ ...(deletes && { deletes }), clause: literalsOf(text) });
    }
    end(lines);
    return steps;
  });

const DELETION_OR_CLAUSE = /^(?:d )?((?:-?[1-9]\d{0,8} )*)0$/;
const CLAUSE = /^((?:-?[1-9]\d{0,8} )*)0$/;
const CLAUSE_MEANT = 'literals and a 0';

const isClause = ({ next }: Lines): boolean => next !== undefined && /^[-\d]/.test(next);

const literalsOf = (text: string): readonly number[] => text.split(' ').slice(0, -1).map(Number);

function clauseAt(lines: Lines, variables: number): readonly number[] {
  const clause = literalsOf(lines.take(CLAUSE, CLAUSE_MEANT)[1]);
  if (clause.some((literal) => Math.abs(literal) > variables)) {
    lines.refuseLast(`there are ${variables} variables only`);
  }
  return clause;
}

/** Reads the end, which is nothing or the comment with the checksum. */
function end(lines: Lines): void {
  if (lines.next !== '' && lines.next?.startsWith(`${MARK}written by Remora, `) !== true) {
    lines.refuse('this line is no part of a proof');
  }
}

function read<T>(source: SourceFile, how: (lines: Lines) => T): Result<T> {
  try {
    return ok(how(new Lines(source)));
  } catch (error) {
    if (!(error instanceof ListingRefusal)) throw error;
    return fail([{ span: error.span, message: error.message }]);
  }
}
