import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import type { Test } from '../program/program.js';
import type { PrintedRepair } from '../analyses/repair/print.js';
import type { PerformedRun, Robustness } from '../analyses/robust/result.js';
import type { ConditionModel, Conditions } from '../rdma/conditions/conditions.js';
import { proves } from '../rdma/conditions/conditions.js';

/** What was found out about one test under one model: what every report on robustness is made from. */
export interface RobustRecord {
  readonly test: Test;
  readonly source: SourceFile;
  readonly model: string;
  /** What was translated for the model. */
  readonly note?: string;
  /** Why the test cannot be translated for the model; then there are no results. */
  readonly untranslatable?: string;
  readonly results: readonly Robustness[];
  readonly conditions?: StaticResult;
  /** What makes the program robust, where it was asked for. */
  readonly repair?: PrintedRepair;
}

/** What the syntax alone says. */
export interface StaticResult {
  readonly model: ConditionModel;
  /** Undefined: there were too many situations to go through. */
  readonly found: Conditions | undefined;
}

/** Where the conditions and what follows from them stand in the robustness paper. */
export interface RobustNames {
  readonly ldrf: string;
  readonly fenced: string;
  readonly treeFenced: string;
  readonly byFences: string;
  readonly byTree: string;
}

export const NAMES: { readonly [model in ConditionModel]: RobustNames } = {
  'rdma-sc': {
    ldrf: 'Def. 7',
    fenced: 'Def. 8',
    treeFenced: 'Def. 9',
    byFences: 'Theorem 5',
    byTree: 'Corollary 1',
  },
  'rdma-tso': {
    ldrf: 'Def. 7',
    fenced: 'Def. 13',
    treeFenced: 'Def. 14',
    byFences: 'Theorem 17',
    byTree: 'Corollary 3',
  },
};

/** The theorem that proves a program robust; undefined if none does. */
export function theorem({ model, found }: StaticResult): string | undefined {
  if (found === undefined || !proves(found)) return undefined;
  return found.fenced.length === 0 ? NAMES[model].byFences : NAMES[model].byTree;
}

/** Does a theorem say robust, and the exact check not robust? Then the theorem, or Remora, is wrong. */
export function isContradiction({ conditions, results }: RobustRecord): boolean {
  const proved = conditions !== undefined && theorem(conditions) !== undefined;
  return proved && results.some((r) => r.verdict === 'not robust');
}

/** The first line of an instruction, as it is written in the file. */
export function codeAt({ text }: SourceFile, { start, end }: Span): string {
  const [line] = text.slice(start, end).split('\n');
  return line.trim().replace(/\s+/g, ' ');
}

/** `line:column` */
export function placeAt({ text }: SourceFile, { start }: Span): string {
  const { line, column } = position(text, start);
  return `${line}:${column}`;
}

/** `nrR(x, 1)`; a CAS shows what it read and what it wrote. */
export function showEvent(event: PerformedRun): string {
  const { label, location, node, queuePair, reads, writes } = event;
  const towards = queuePair === undefined ? node : `${node}.${queuePair}`;
  const inside = [
    location ?? towards,
    reads,
    label === 'CAS' || reads === undefined ? writes : undefined,
  ];
  const shown = inside.filter((part) => part !== undefined);
  return shown.length === 0 ? label : `${label}(${shown.join(', ')})`;
}
