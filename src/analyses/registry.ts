import type { Another, AnotherInput } from './another/another.js';
import type { Circumstances } from './circumstances.js';
import type { PartFound, PartInput } from './distinguish/part.js';
import type { TablePartFound, TablePartInput } from './distinguish/table-part.js';
import type { ExplainInput } from './explain/explain.js';
import type { Explanation } from './explain/explanation.js';
import type { LocalAnswer, LocalInput } from './local/local.js';
import type { Fix, FixInput } from './repair/fix.js';
import type { FixRunsInput } from './repair/fix-runs.js';
import type { PrintedRepair } from './repair/print.js';
import type { ProveInput, Proved } from './prove/prove.js';
import type { JudgeInput, JudgedQuery } from './synthesise/judge.js';
import type { SynthesisFound, SynthesisInput } from './synthesise/part.js';
import type { RobustInput } from './robust/analysis.js';
import type { RobustFixInput } from './robust/fix.js';
import type { Robustness } from './robust/result.js';

/**
 * The analyses that a worker can do besides deciding queries and listing final states: by name, the types of input and
 * output. Both are plain data that can be posted.
 */
export interface Analyses {
  /** Why a query has the answer that it has, under each of the models. */
  readonly explain: { readonly input: ExplainInput; readonly output: Explanation };
  /** Another execution that shows the answer to a query under the model. */
  readonly another: { readonly input: AnotherInput; readonly output: Another };
  /** Which programs of a size tell the two models apart. */
  readonly 'compare-programs': { readonly input: PartInput; readonly output: PartFound };
  /** Whether queries are minimal tests of the model. */
  readonly 'judge-minimal': { readonly input: JudgeInput; readonly output: readonly JudgedQuery[] };
  /** Which programs of a size show first that one of the models allows what another forbids. */
  readonly 'compare-models': { readonly input: TablePartInput; readonly output: TablePartFound };
  /** Which of the programs of a size are minimal tests of the model. */
  readonly synthesise: { readonly input: SynthesisInput; readonly output: SynthesisFound };
  /** What would change the answer to a query under the model. */
  readonly fix: { readonly input: FixInput; readonly output: Fix };
  /** What would make queries about runs hold under the model. */
  readonly 'fix-runs': { readonly input: FixRunsInput; readonly output: Fix };
  /** Whether an implementation is locally sound, as one client shows. The models: that of the library, then of those below. */
  readonly local: { readonly input: LocalInput; readonly output: LocalAnswer };
  /** A proof that a query has the answer no under the model. */
  readonly prove: { readonly input: ProveInput; readonly output: Proved };
  /** Whether a program is robust. The models: the program's, then the one to compare with. */
  readonly robust: { readonly input: RobustInput; readonly output: readonly Robustness[] };
  /** What would make a program robust. The models as for `robust`. */
  readonly 'robust-fix': { readonly input: RobustFixInput; readonly output: PrintedRepair };
}

export type AnalysisName = keyof Analyses;

export type Analysis<Name extends AnalysisName> = (
  input: Analyses[Name]['input'],
  circumstances: Circumstances,
) => Analyses[Name]['output'] | Promise<Analyses[Name]['output']>;

/** Where the analyses are: each is loaded when a worker is first asked for it. */
export const ANALYSES: { readonly [Name in AnalysisName]: () => Promise<Analysis<Name>> } = {
  explain: async () => (await import('./explain/explain.js')).explain,
  another: async () => (await import('./another/another.js')).another,
  'compare-programs': async () => (await import('./distinguish/part.js')).comparePart,
  'judge-minimal': async () => (await import('./synthesise/judge.js')).judgeTest,
  'compare-models': async () => (await import('./distinguish/table-part.js')).tablePart,
  synthesise: async () => (await import('./synthesise/part.js')).synthesisePart,
  fix: async () => (await import('./repair/fix.js')).fix,
  'fix-runs': async () => (await import('./repair/fix-runs.js')).fixRuns,
  'robust-fix': async () => (await import('./robust/fix.js')).fixRobustness,
  prove: async () => (await import('./prove/prove.js')).prove,
  local: async () => (await import('./local/local.js')).local,
  robust: async () => (await import('./robust/analysis.js')).analyse,
};
