import type { SourceFile, Span } from '../parse/diagnostics/index.js';
import { position } from '../parse/diagnostics/index.js';
import { wholeSpan } from '../c/whole.js';
import type { Test } from '../program/program.js';
import { isC } from '../program/read.js';
import type { PrintedRepair } from '../analyses/repair/print.js';
import type { PerformedRun, Robustness } from '../analyses/robust/result.js';
import type { ConditionModel, Conditions } from '../rdma/conditions/conditions.js';
import { proves } from '../rdma/conditions/conditions.js';

/** The result of `robust` for one test under one model. All reports on robustness are made from such records. */
export interface RobustRecord {
  readonly test: Test;
  readonly source: SourceFile;
  readonly model: string;
  /** In words, which instructions were translated for the model. Undefined if none had to be. */
  readonly note?: string;
  /** Why the test cannot be translated for the model; then there are no results. */
  readonly untranslatable?: string;
  readonly results: readonly Robustness[];
  readonly conditions?: StaticResult;
  /** What would make the program robust, if the user wants to know. */
  readonly repair?: PrintedRepair;
}

/** What the conditions for robustness say, which look at the syntax only. */
export interface StaticResult {
  readonly model: ConditionModel;
  /** Undefined if there are too many paths to go through. */
  readonly found: Conditions | undefined;
}

/** What the conditions, and the theorems that use them, are called in the robustness paper. */
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

/** The theorem that proves a program robust; undefined if none applies. */
export function theorem({ model, found }: StaticResult): string | undefined {
  if (found === undefined || !proves(found)) return undefined;
  return found.fenced.length === 0 ? NAMES[model].byFences : NAMES[model].byTree;
}

/**
 * Does a theorem prove a program robust that is not robust by the exact check? Then the theorem is wrong, or Remora is.
 */
export function isContradiction({ conditions, results }: RobustRecord): boolean {
  const proved = conditions !== undefined && theorem(conditions) !== undefined;
  return proved && results.some((r) => r.verdict === 'not robust');
}

/** The first line of an instruction, as the file has it. */
export function codeAt(source: SourceFile, span: Span): string {
  const { start, end } = isC(source.path) ? wholeSpan(source, span) : span;
  const [line] = source.text.slice(start, end).split('\n');
  return line.trim().replace(/\s+/g, ' ');
}

/** `line:column` */
export function placeAt({ text }: SourceFile, { start }: Span): string {
  const { line, column } = position(text, start);
  return `${line}:${column}`;
}

/** An event as text, such as `nrR(x, 1)`. A CAS has the value that it read, and the value that it wrote. */
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
